/** Marks as lists: the same answers as on the graph, without it. */

import { useState } from "react";
import { Button } from "../../../../app/ui/button.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import type { Form } from "../../engine/forms.ts";
import styles from "../lab.module.css";
import { Choice, NumberLine, Options } from "./fields.tsx";
import { edgesOf, type FormProps, listOf, mapOf, textOf, textsOf, toggled } from "./form.ts";
import { withEdge } from "./marks.ts";

type Of<K extends Form["kind"]> = FormProps<Extract<Form, { readonly kind: K }>>;

const named = (values: readonly string[]) => values.map((value) => ({ value, title: value }));

interface SetFormProps extends Omit<FormProps<unknown>, "form"> {
  readonly label: string;
  /** What the answer calls them. */
  readonly field: "blocks" | "registers";
  readonly names: readonly string[];
}

/** A set of names. */
export function SetForm({ label, field, names, draft, onDraft, locked }: SetFormProps) {
  const chosen = textsOf(draft, field);
  return (
    <Options
      label={label}
      options={named(names)}
      chosen={chosen}
      // None may be the right answer, too: an emptied list stays one.
      onToggle={(name) => onDraft({ [field]: toggled(chosen, name) })}
      many
      inline
      mono
      locked={locked}
    />
  );
}

export function EdgesForm({ form, draft, onDraft, locked }: Of<"edges">) {
  const edges = edgesOf(draft);
  const [from, setFrom] = useState("");
  const [to, setTo] = useState("");
  if (form.edges !== null) {
    const key = (a: string, b: string): string => `${a} → ${b}`;
    const pairs = new Map(form.edges.map(([a, b]) => [key(a, b), [a, b] as const]));
    return (
      <Options
        label="Edges"
        options={named([...pairs.keys()])}
        chosen={edges.map(([a, b]) => key(a, b))}
        onToggle={(value) => {
          const [a, b] = pairs.get(value) ?? ["", ""];
          onDraft(withEdge(draft, a, b));
        }}
        many
        inline
        mono
        locked={locked}
      />
    );
  }
  return (
    <Stack gap={2}>
      <Row wrap align="end" gap={2} className={styles.pair}>
        <Choice label="Edge from" short value={from} options={named(form.labels)} onChange={setFrom} locked={locked} />
        <Choice label="to" short value={to} options={named(form.labels)} onChange={setTo} locked={locked} />
        <Button
          disabled={locked || from === "" || to === "" || edges.some(([a, b]) => a === from && b === to)}
          onClick={() => {
            onDraft(withEdge(draft, from, to));
            setTo("");
          }}
        >
          Add the edge
        </Button>
      </Row>
      <Stack as="ul" gap="hair" className={styles.items} aria-label="Edges so far">
        {edges.map(([a, b]) => (
          <li key={`${a} ${b}`}>
            <code>
              {a} → {b}
            </code>
            <Button variant="quiet" disabled={locked} aria-label={`Remove ${a} → ${b}`} onClick={() => onDraft(withEdge(draft, a, b))}>
              Remove
            </Button>
          </li>
        ))}
      </Stack>
    </Stack>
  );
}

export function LinesForm({ form, draft, onDraft, locked }: Of<"lines">) {
  const chosen = listOf(draft, "lines").map(Number);
  return (
    <Options
      label="Lines"
      options={form.lines.map((text, index) => ({ value: String(index + 1), title: `${index + 1}  ${text}` }))}
      chosen={chosen.map(String)}
      onToggle={(value) => onDraft({ lines: [...toggled(chosen, Number(value))].sort((a, b) => a - b) })}
      many
      mono
      locked={locked}
    />
  );
}

export function NumbersForm({ form, draft, onDraft, locked }: Of<"numbers">) {
  const numbers = mapOf(draft, "numbers");
  return (
    <fieldset className={styles.grid}>
      <legend>Number of each block; leave unreachable blocks empty</legend>
      {form.labels.map((label) => (
        <NumberLine
          key={label}
          label={label}
          short
          locked={locked}
          value={typeof numbers[label] === "number" ? numbers[label] : null}
          onChange={(value) => {
            const { [label]: _, ...rest } = numbers;
            const next = value === null ? rest : { ...rest, [label]: value };
            onDraft(Object.keys(next).length === 0 ? null : { numbers: next });
          }}
        />
      ))}
    </fieldset>
  );
}

const NONE = "(none)";

export function ParentsForm({ form, draft, onDraft, locked }: Of<"parents">) {
  const parents = mapOf(draft, "parents");
  return (
    <fieldset className={styles.grid}>
      <legend>Parent of each block in the tree</legend>
      {form.labels.map((label) => (
        <Choice
          key={label}
          label={label}
          short
          none="–"
          locked={locked}
          value={parents[label] === null ? NONE : textOf(parents[label])}
          options={[{ value: NONE, title: "none" }, ...named(form.labels.filter((other) => other !== label))]}
          onChange={(value) => {
            const { [label]: _, ...rest } = parents;
            const next = value === "" ? rest : { ...rest, [label]: value === NONE ? null : value };
            onDraft(Object.keys(next).length === 0 ? null : { parents: next });
          }}
        />
      ))}
    </fieldset>
  );
}
