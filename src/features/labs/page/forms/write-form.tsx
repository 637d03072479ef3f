/** The source of a pass or an analysis: typed here or in the tool's own editor. It is run when Answer is pressed. */

import { useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import type { Session } from "../../../../app/session/session.ts";
import { Button } from "../../../../app/ui/button.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import type { Form } from "../../engine/forms.ts";
import styles from "../lab.module.css";
import { Area, Options } from "./fields.tsx";
import { type FormProps, fieldOf } from "./form.ts";

export function WriteForm({ form, draft, onDraft, locked }: FormProps<Extract<Form, { readonly kind: "write" }>>) {
  const session = useSessionObject();
  const own = useSession((s) => s.ownpass.source);
  const given = fieldOf(draft, "pass");
  const text = typeof given === "string" ? given : form.start;
  const guess = fieldOf(draft, "guess");
  // A field that is not there yet is left out.
  const put = (part: { readonly pass?: string; readonly guess?: string }): void =>
    onDraft({ pass: text, ...(typeof guess === "string" ? { guess } : {}), ...part });
  return (
    <Stack gap={2}>
      <p className="muted">
        {form.what === "pass" ? "A pass" : "An analysis"} in TypeScript. Answer runs it in a sandbox on{" "}
        {plural(form.count, "random program")} and on the lab’s own.
        {form.forbid.length === 0 ? "" : ` It may not use ${form.forbid.join(", ")}.`}
      </p>
      <Area label="Source" rows={16} mono value={text} onChange={(pass) => put({ pass })} locked={locked} />
      {form.guesses === null ? null : (
        <Options
          label="What do you expect, before it runs?"
          options={form.guesses.map((value) => ({ value, title: value }))}
          chosen={typeof guess === "string" ? [guess] : []}
          onToggle={(value) => put({ guess: value })}
          many={false}
          locked={locked}
        />
      )}
      <Row wrap gap={2} className={styles.buttons}>
        <Button onClick={() => open(session, text)} title="Type checking, completion and stepping; it runs there when you press Run">
          Edit in the Pass tab
        </Button>
        {own === null || own === "" || own === text ? null : (
          <Button disabled={locked} onClick={() => put({ pass: own })}>
            Use the pass from the Pass tab
          </Button>
        )}
        <Button variant="quiet" disabled={locked || draft === null} onClick={() => onDraft(null)}>
          Restore the lab’s text
        </Button>
      </Row>
    </Stack>
  );
}

function open({ actions, store }: Session, source: string): void {
  if (store.getState().ownpass.source !== source) actions.ownpass.open({ source, title: "the lab’s pass", linked: true });
  actions.view.set({ editorTab: "pass" });
  actions.view.showPane("editor");
}
