/** Forms whose answers are programs, plans and inputs; each can be taken from the tool next to the lab. */

import { useSessionObject } from "../../../../app/session/hooks.ts";
import { Button } from "../../../../app/ui/button.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import type { Form } from "../../engine/forms.ts";
import styles from "../lab.module.css";
import { Area, Choice, Line, NumberLine, Options } from "./fields.tsx";
import { type FormProps, fieldOf, listOf, mapOf, placed, textOf, textsOf } from "./form.ts";

type Of<K extends Form["kind"]> = FormProps<Extract<Form, { readonly kind: K }>>;

export function OriForm({ form, draft, onDraft, locked }: Of<"ori">) {
  const session = useSessionObject();
  const given = fieldOf(draft, "ori");
  const text = typeof given === "string" ? given : form.text;
  return (
    <Stack gap={2}>
      <Area label="Program" rows={14} mono value={text} onChange={(ori) => onDraft({ ori })} locked={locked} />
      <Row wrap gap={2} className={styles.buttons}>
        <Button disabled={locked} onClick={() => onDraft({ ori: session.store.getState().document.text })}>
          Use the editor’s text
        </Button>
        <Button
          onClick={() => {
            const { title, text: open } = session.store.getState().document;
            if (open !== text) session.actions.document.openText({ text, title, format: null, origin: "example" });
          }}
        >
          Show it in the tool
        </Button>
        <Button variant="quiet" disabled={locked || draft === null} onClick={() => onDraft(null)}>
          Restore the lab’s text
        </Button>
      </Row>
    </Stack>
  );
}

const LEVELS = [0, 1, 2, 3, 4].map((level) => ({ value: String(level), title: `-O${level}` }));
const POLICIES = [
  { value: "notes", title: "notes" },
  { value: "measured", title: "measured" },
];

export function PlanForm({ form, draft, onDraft, locked }: Of<"plan">) {
  const session = useSessionObject();
  const plan = mapOf(draft, "plan");
  const put = (key: string, value: unknown): void => {
    const { [key]: _, ...rest } = plan;
    onDraft({ plan: value === null ? rest : { ...rest, [key]: value } });
  };
  const list = (key: string, label: string, hint: string) =>
    form.allow.includes(key) ? (
      <Area
        label={label}
        rows={3}
        mono
        hint={hint}
        locked={locked}
        value={textsOf(plan, key).join("\n")}
        onChange={(text) => put(key, text === "" ? null : text.split("\n"))}
      />
    ) : null;
  return (
    <Stack gap={2}>
      <p className="muted">
        {form.measure}: at most {form.full} earns full points.
      </p>
      {form.allow.includes("level") ? (
        <Choice
          label="Level"
          short
          none="as given"
          value={textOf(plan.level)}
          options={LEVELS}
          onChange={(v) => put("level", v === "" ? null : Number(v))}
          locked={locked}
        />
      ) : null}
      {form.allow.includes("policy") ? (
        <Choice
          label="Rules"
          short
          none="as given"
          value={textOf(plan.policy)}
          options={POLICIES}
          onChange={(v) => put("policy", v === "" ? null : v)}
          locked={locked}
        />
      ) : null}
      {list("phases", "Phases in order, one per line", "15")}
      {list("knobs", form.knobs === null ? "Knobs, one per line" : `Knobs, one per line; of ${form.knobs.join(", ")}`, "NAME=VALUE")}
      {list("skips", "Rewrites to skip, one per line", "49#1")}
      <Row wrap gap={2} className={styles.buttons}>
        <Button
          disabled={locked}
          onClick={() => {
            const { level, policy, knobs, phases } = session.store.getState().options.pipeline;
            const all = { level, policy, knobs, phases };
            onDraft({ plan: Object.fromEntries(Object.entries(all).filter(([key, value]) => form.allow.includes(key) && value !== null)) });
          }}
        >
          Use the tool’s options
        </Button>
      </Row>
    </Stack>
  );
}

export function WrongForm({ form, draft, onDraft, locked }: Of<"wrong">) {
  if (form.find === "condition") {
    const value = textOf(fieldOf(draft, "condition"));
    return (
      <Options
        label="The condition that does not hold"
        options={form.conditions}
        chosen={[value]}
        onToggle={(condition) => onDraft({ condition })}
        many={false}
        locked={locked}
      />
    );
  }
  if (form.find === "rewrite")
    return (
      <Line
        label="The first wrong rewrite"
        hint="49#2"
        value={textOf(fieldOf(draft, "rewrite"))}
        onChange={(rewrite) => onDraft(rewrite === "" ? null : { rewrite })}
        locked={locked}
      />
    );
  return <InputFields value={fieldOf(draft, "input")} onChange={(input) => onDraft({ input })} locked={locked} />;
}

interface InputProps {
  readonly value: unknown;
  readonly onChange: (input: object) => void;
  readonly locked: boolean;
}

function InputFields({ value, onChange, locked }: InputProps) {
  const threads = fieldOf(value, "threads");
  const now = { threads: typeof threads === "number" ? threads : 32, args: textsOf(value, "args"), mem: textsOf(value, "mem") };
  return (
    <Stack as="fieldset" gap={2}>
      <legend>An input on which the result differs</legend>
      <NumberLine label="Threads" short value={now.threads} onChange={(n) => onChange({ ...now, threads: n ?? 32 })} locked={locked} />
      <Area
        label="Arguments, one per line"
        rows={2}
        mono
        hint="n=5"
        value={now.args.join("\n")}
        onChange={(text) => onChange({ ...now, args: text.split("\n") })}
        locked={locked}
      />
      <Area
        label="Buffers, one per line"
        rows={2}
        mono
        hint="out=64"
        value={now.mem.join("\n")}
        onChange={(text) => onChange({ ...now, mem: text.split("\n") })}
        locked={locked}
      />
    </Stack>
  );
}

export function TestsForm({ form, draft, onDraft, locked }: Of<"tests">) {
  const session = useSessionObject();
  const tests = listOf(draft, "tests").map((test) => ({ ori: textOf(fieldOf(test, "ori")) }));
  const put = (next: readonly { readonly ori: string }[]): void => onDraft(next.length === 0 ? null : { tests: next });
  const full = tests.length >= form.most;
  return (
    <Stack gap={2}>
      <p className="muted">
        Up to {plural(form.most, "program")}; tell {plural(form.against, "broken phase")} from the correct one.
      </p>
      {placed(tests).map(({ item: { ori }, place: index }) => (
        <Stack key={index} gap={2}>
          <Area
            label={`Test ${index + 1}`}
            rows={8}
            mono
            value={ori}
            onChange={(text) => put(tests.map((test, i) => (i === index ? { ori: text } : test)))}
            locked={locked}
          />
          <Button variant="quiet" disabled={locked} onClick={() => put(tests.filter((_, i) => i !== index))}>
            Remove test {index + 1}
          </Button>
        </Stack>
      ))}
      <Row wrap gap={2} className={styles.buttons}>
        <Button disabled={locked || full} onClick={() => put([...tests, { ori: session.store.getState().document.text }])}>
          Add the editor’s text
        </Button>
        <Button disabled={locked || full} onClick={() => put([...tests, { ori: "" }])}>
          Add an empty test
        </Button>
      </Row>
    </Stack>
  );
}
