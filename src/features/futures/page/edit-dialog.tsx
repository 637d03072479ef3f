/** The program at a step, or before or after a phase, as a text that can be changed; what is typed stays until it is used or given up. */

import { useEffect, useRef, useState } from "react";
import { WORD_AT_CARET } from "../../../app/session/help.ts";
import { useActions, useSession, useSessionObject } from "../../../app/session/hooks.ts";
import { Button } from "../../../app/ui/button.tsx";
import { cx } from "../../../app/ui/cx.ts";
import { Dialog } from "../../../app/ui/dialog.tsx";
import { messageOf } from "../../../app/ui/failure.ts";
import { Row } from "../../../app/ui/layout.tsx";
import type { Diagnostic } from "../../../engine/api/types.ts";
import styles from "./edit-dialog.module.css";
import shared from "./futures.module.css";
import type { EditHere, FuturesView } from "./futures-view.ts";

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

/** Pause after a key before the text is checked. */
const PAUSE_MS = 250;

function Editing({ edit }: { readonly edit: EditHere }) {
  const session = useSessionObject();
  const { futures } = useActions();
  const [text, setText] = useState(() => draftOf(session.store.getState().futuresView, edit) ?? edit.text);
  const [problems, setProblems] = useState<readonly Diagnostic[]>([]);
  const area = useRef<HTMLTextAreaElement>(null);

  useEffect(() => {
    if (text !== edit.text) session.patch("futuresView", { draft: { edit, text } });
  }, [session, edit, text]);
  useEffect(() => {
    let gone = false;
    const timer = setTimeout(() => {
      session.api.checkEdit(edit.kernel, text).then(
        (found) => gone || setProblems(found),
        () => undefined,
      );
    }, PAUSE_MS);
    return () => {
      gone = true;
      clearTimeout(timer);
    };
  }, [session, edit.kernel, text]);

  const goOn = async (): Promise<void> => {
    try {
      const found = await session.api.checkEdit(edit.kernel, text);
      setProblems(found);
      const [first] = found;
      if (first !== undefined) {
        show(first);
        return;
      }
      session.patch("futuresView", { edit: null, draft: null });
      if (text !== edit.text) futures.fork([{ kind: "edit", run: edit.run, text }]);
      else session.actions.notify("info", "The program was not changed, so there is no new future.");
    } catch (error) {
      session.actions.notify("error", `The text could not be checked: ${messageOf(error)}`);
    }
  };
  const show = ({ line, column, length }: Diagnostic): void => {
    const element = area.current;
    if (element === null) return;
    const start = offsetOf(text, line, column);
    element.focus();
    element.setSelectionRange(start, start + Math.max(1, length));
    // A text area does not scroll to a selection that was set.
    const lines = text.split("\n").length;
    element.scrollTop = Math.max(0, (element.scrollHeight * (line - 4)) / Math.max(1, lines));
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
        onChange={(event) => setText(event.target.value)}
      />
      <ul id="edit-problems" className={shared.problems} aria-live="polite" data-testid="edit-problems">
        {problems.map((problem) => (
          <li key={`${problem.line}:${problem.column}:${problem.code}:${problem.message}`}>
            <button type="button" className="line-button link-button" onClick={() => show(problem)}>
              line {problem.line}, column {problem.column}: {problem.message} ({problem.code})
            </button>
          </li>
        ))}
      </ul>
      <Row wrap gap={2}>
        <Button variant="primary" onClick={() => void goOn()}>
          Continue from here
        </Button>
        <Button
          onClick={() => {
            setText(edit.text);
            session.patch("futuresView", { draft: null });
          }}
          disabled={text === edit.text}
        >
          Discard my changes
        </Button>
      </Row>
    </>
  );
}

function draftOf({ draft }: FuturesView, edit: EditHere): string | null {
  return draft !== null && draft.edit.run === edit.run && draft.edit.kernel === edit.kernel && draft.edit.text === edit.text
    ? draft.text
    : null;
}

function offsetOf(text: string, line: number, column: number): number {
  let offset = 0;
  for (let at = 1; at < line; at++) {
    const end = text.indexOf("\n", offset);
    if (end < 0) break;
    offset = end + 1;
  }
  return Math.min(text.length, offset + Math.max(0, column - 1));
}
