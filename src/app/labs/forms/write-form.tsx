/** The source of a pass or an analysis. It is tried out with the tool's own means, and run when the lab is graded. */

import type { Form } from "../../../labs/forms.ts";
import { useSession } from "../../session/hooks.ts";
import { Button } from "../../ui/button.tsx";
import styles from "../lab.module.css";
import { Area } from "./fields.tsx";
import { type FormProps, fieldOf } from "./form.ts";

export function WriteForm({ form, draft, onDraft, locked }: FormProps<Extract<Form, { readonly kind: "write" }>>) {
  const own = useSession((s) => s.ownpass.source);
  const given = fieldOf(draft, "pass");
  const text = typeof given === "string" ? given : form.start;
  return (
    <div className={styles.rows}>
      <p className="muted">
        {form.what === "pass" ? "A pass" : "An analysis"} in TypeScript, as for the command line’s “check --pass”; it is run when the lab is
        graded.
        {form.forbid.length === 0 ? "" : ` It may not ask for ${form.forbid.join(", ")}.`}
      </p>
      <Area label="Source" rows={16} mono value={text} onChange={(pass) => onDraft({ pass })} locked={locked} />
      <div className={styles.buttons}>
        {own === null || own === "" ? null : (
          <Button disabled={locked} onClick={() => onDraft({ pass: own })}>
            Take the pass that is written in the tool
          </Button>
        )}
        <Button variant="quiet" disabled={locked || draft === null} onClick={() => onDraft(null)}>
          Back to the lab’s text
        </Button>
      </div>
    </div>
  );
}
