/** Forms of ordinary questions, predictions and tables. */

import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import type { Form, PredictPart } from "../../engine/forms.ts";
import styles from "../lab.module.css";
import { Area, Choice, Line, NumberLine, Options } from "./fields.tsx";
import { type FormProps, fieldOf, listOf, mapOf, textOf, toggled } from "./form.ts";

type Of<K extends Form["kind"]> = FormProps<Extract<Form, { readonly kind: K }>>;

export function ChoiceForm({ form, draft, onDraft, locked }: Of<"choice">) {
  const chosen = listOf(draft, "choose").map(Number);
  const toggle = (value: string): void => {
    const index = Number(value);
    const next = form.many ? toggled(chosen, index) : [index];
    onDraft(next.length === 0 ? null : { choose: [...next].sort((a, b) => a - b) });
  };
  return (
    <Options
      label={form.many ? "Choose all correct answers" : "Choose the correct answer"}
      options={form.options.map((title, index) => ({ value: String(index), title }))}
      chosen={chosen.map(String)}
      onToggle={toggle}
      many={form.many}
      locked={locked}
    />
  );
}

export function NumberForm({ draft, onDraft, locked }: Of<"number">) {
  const value = fieldOf(draft, "number");
  return (
    <NumberLine
      label="Number"
      short
      value={typeof value === "number" ? value : null}
      onChange={(number) => onDraft(number === null ? null : { number })}
      locked={locked}
    />
  );
}

export function TextForm({ form, draft, onDraft, locked }: Of<"text">) {
  const text = textOf(fieldOf(draft, "text"));
  const words = text.split(/\s+/).filter((w) => w !== "").length;
  return (
    <>
      <Area label="Your text" rows={6} value={text} onChange={(next) => onDraft(next === "" ? null : { text: next })} locked={locked} />
      <p className="muted">
        {plural(words, "word")}
        {form.least > 0 ? ` of at least ${form.least}` : ""}. Graded by a person.
      </p>
    </>
  );
}

export function CellsForm({ form, draft, onDraft, locked }: Of<"cells">) {
  const cells = mapOf(draft, "cells");
  return (
    <Stack as="fieldset" gap={2}>
      <legend>{form.structure}: names separated by spaces; none for an empty cell</legend>
      {form.cells.map((cell) => (
        <Line
          key={cell}
          label={cell}
          short
          locked={locked}
          value={textOf(cells[cell])}
          onChange={(value) => onDraft({ cells: { ...cells, [cell]: value } })}
        />
      ))}
    </Stack>
  );
}

export function PredictForm({ form, draft, onDraft, locked }: Of<"predict">) {
  const no = fieldOf(draft, "verdict") === "no";
  const put = (key: string, value: unknown): void => {
    const rest = Object.entries(mapOf({ draft }, "draft")).filter(([k]) => k !== key && !(key === "verdict" && k === "condition"));
    const next = value === "" || value === null ? rest : [...rest, [key, value] as const];
    onDraft(next.length === 0 ? null : Object.fromEntries(next));
  };
  return (
    <>
      {form.parts
        .filter((part) => !part.onlyIfNo || no)
        .map((part) => (
          <Part key={part.key} part={part} value={fieldOf(draft, part.key)} put={(value) => put(part.key, value)} locked={locked} />
        ))}
    </>
  );
}

interface PartProps {
  readonly part: PredictPart;
  readonly value: unknown;
  readonly put: (value: unknown) => void;
  readonly locked: boolean;
}

/** Up to this many options are all visible; more of them are in a list that opens. */
const MOST_SHOWN = 9;

function Part({ part: { title, options, pair }, value, put, locked }: PartProps) {
  if (pair) {
    const [from, to] = Array.isArray(value) ? value.map(textOf) : ["", ""];
    const set = (a: string, b: string): void => put(a === "" && b === "" ? null : [a, b]);
    return (
      <Row wrap align="end" gap={2} className={styles.pair}>
        <Choice
          label={`${title} from`}
          short
          value={from ?? ""}
          options={options ?? []}
          onChange={(v) => set(v, to ?? "")}
          locked={locked}
        />
        <Choice label="to" short value={to ?? ""} options={options ?? []} onChange={(v) => set(from ?? "", v)} locked={locked} />
      </Row>
    );
  }
  if (options === null) return <Line label={title} value={textOf(value)} onChange={put} locked={locked} />;
  if (options.length > MOST_SHOWN) return <Choice label={title} value={textOf(value)} options={options} onChange={put} locked={locked} />;
  return <Options label={title} options={options} chosen={[textOf(value)]} onToggle={put} many={false} locked={locked} />;
}
