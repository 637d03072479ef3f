/** The program at a step, or before or after a phase, as a text that can be changed; what is typed stays until it is used or given up. */

import { useEffect, useRef, useState } from "react";
import { WORD_AT_CARET } from "../../../app/session/help.ts";
import { useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Dialog } from "../../../app/ui/dialog.tsx";
import { Row } from "../../../app/ui/layout.tsx";
import type { Diagnostic } from "../../../engine/api/types.ts";
import { continueEdited } from "./continue-edited.ts";
import { draftOf, withDraft } from "./drafts.ts";
import styles from "./edit-dialog.module.css";
import shared from "./futures.module.css";
import type { EditHere } from "./futures-view.ts";

export function EditDialog() {
  const session = useSessionObject();
  const edit = useSession(({ futuresView }) => futuresView.edit);
  return (
    <Dialog
      open={edit !== null}
      onClose={() => session.patch("futuresView", { edit: null })}
      title={edit === null ? "Edit the program" : `Edit the program ${placeOf(edit)} and continue`}
      wide
      first="textarea"
    >
      {edit === null ? null : <Editing edit={edit} />}
    </Dialog>
  );
}

function placeOf({ where, title, step }: EditHere): string {
  return where === "at" ? `at step ${step + 1} of ${title}` : `${where} ${title}`;
}

function Editing({ edit }: { readonly edit: EditHere }) {
  const session = useSessionObject();
  const { text, write } = useDraft(edit);
  const [problems, setProblems] = useProblems(edit.kernel, text);
  const area = useRef<HTMLTextAreaElement>(null);
  const show = (problem: Diagnostic): void => {
    if (area.current !== null) select(area.current, text, problem);
  };
  const goOn = async (): Promise<void> => {
    const found = await continueEdited(session, edit, text);
    setProblems(found);
    const [first] = found;
    if (first !== undefined) show(first);
  };
  return (
    <>
      <label htmlFor="edit-here">
        The program {placeOf(edit)}. Its name, parameters and results must stay the same.
        {edit.where === "at" ? ` ${edit.title} starts again on the edited program.` : ""}
      </label>
      <textarea
        id="edit-here"
        ref={area}
        className={cx(styles.text, "input")}
        data-handbook={WORD_AT_CARET}
        value={text}
        spellCheck={false}
        wrap="off"
        aria-invalid={problems.length > 0 || undefined}
        aria-describedby="edit-problems"
        onChange={(event) => write(event.target.value)}
      />
      <Problems of={problems} show={show} />
      <Row wrap gap={2}>
        <Button variant="primary" onClick={() => void goOn()}>
          Continue from here
        </Button>
        <Button onClick={() => write(edit.text)} disabled={text === edit.text}>
          Discard my changes
        </Button>
      </Row>
    </>
  );
}

function Problems({ of, show }: { readonly of: readonly Diagnostic[]; readonly show: (problem: Diagnostic) => void }) {
  return (
    <ul id="edit-problems" className={shared.problems} aria-live="polite" data-testid="edit-problems">
      {of.map((problem) => (
        <li key={`${problem.line}:${problem.column}:${problem.code}:${problem.message}`}>
          <button type="button" className="line-button link-button" onClick={() => show(problem)}>
            line {problem.line}, column {problem.column}: {problem.message} ({problem.code})
          </button>
        </li>
      ))}
    </ul>
  );
}

/** The text as typed: it is in the session until it is used or discarded. */
function useDraft(edit: EditHere) {
  const session = useSessionObject();
  const text = useSession((s) => draftOf(s.futuresView, edit)) ?? edit.text;
  const write = (next: string): void => {
    session.patch("futuresView", { drafts: withDraft(session.store.getState().futuresView, edit, next) });
  };
  return { text, write };
}

/** Pause after a key before the text is checked. */
const PAUSE_MS = 250;

/** What is wrong with the text, checked after a pause. */
function useProblems(kernel: string, text: string): readonly [readonly Diagnostic[], (found: readonly Diagnostic[]) => void] {
  const { api } = useSessionObject();
  const [problems, setProblems] = useState<readonly Diagnostic[]>([]);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      api.checkEdit(kernel, text).then(
        (found) => gone || setProblems(found),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [api, kernel, text]);
  return [problems, setProblems];
}

/** Selects what a problem is about. */
function select(area: HTMLTextAreaElement, text: string, { line, column, length }: Diagnostic): void {
  const lines = text.split("\n");
  const above = lines.slice(0, Math.max(0, line - 1));
  const start = above.reduce((sum, each) => sum + each.length + 1, Math.max(0, column - 1));
  area.focus();
  area.setSelectionRange(start, start + Math.max(1, length));
  // A text area does not scroll to a selection that was set.
  area.scrollTop = Math.max(0, (area.scrollHeight * (line - 4)) / lines.length);
}
