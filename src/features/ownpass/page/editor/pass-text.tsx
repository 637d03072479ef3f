/** The pass's text in the page: first a plain text field, which stays if TypeScript cannot be loaded; then Monaco. */

import { useEffect, useRef, useState } from "react";
import editorStyles from "../../../../app/editor/editor.module.css";
import "../../../../app/editor/monaco.css";
import { PlainText } from "../../../../app/editor/plain-text.tsx";
import { useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { loadPassEditor } from "./load.ts";
import type { PassEditor, PassEditorEvents, PassMessage, TestSign } from "./pass-editor.ts";

interface PassTextProps extends PassEditorEvents {
  readonly text: string;
  readonly readOnly: boolean;
  readonly messages: readonly PassMessage[];
  readonly tests: readonly TestSign[];
  readonly current: number | null;
  readonly breakpoints: readonly number[];
  /** Place to show; a new object each time. */
  readonly reveal: { readonly line: number; readonly column: number } | null;
  readonly onRevealed: () => void;
  readonly onFailed: () => void;
}

export function PassText(props: PassTextProps) {
  const { text, readOnly, messages, tests, current, breakpoints, reveal } = props;
  const session = useSessionObject();
  const theme = useSession((s) => s.theme.resolved);
  const host = useRef<HTMLDivElement>(null);
  const latest = useRef(props);
  latest.current = props;
  const first = useRef({ theme, readOnly });
  const [view, setView] = useState<PassEditor | null>(null);
  const [failed, setFailed] = useState(false);

  useEffect(() => {
    let made: PassEditor | null = null;
    let gone = false;
    loadPassEditor().then(
      ({ mountPassEditor }) => {
        if (gone || host.current === null) return;
        made = mountPassEditor(host.current, { text: latest.current.text, ...first.current }, latest);
        setView(made);
      },
      () => {
        setFailed(true);
        latest.current.onFailed();
      },
    );
    return () => {
      gone = true;
      made?.dispose();
      setView(null);
    };
  }, []);
  useEffect(() => {
    // What is rendered may lag by a key press; the store has the editor's latest text.
    view?.setText(session.store.getState().ownpass.source ?? text);
  }, [view, text, session]);
  useEffect(() => view?.setMessages(messages), [view, messages]);
  useEffect(() => view?.setTests(tests), [view, tests]);
  useEffect(() => view?.setBreakpoints(breakpoints), [view, breakpoints]);
  useEffect(() => view?.setCurrent(current), [view, current]);
  useEffect(() => {
    // The page's colours are those of the new theme a frame later.
    const frame = requestAnimationFrame(() => view?.theme(theme));
    return () => cancelAnimationFrame(frame);
  }, [view, theme]);
  useEffect(() => {
    if (reveal === null || view === null) return;
    view.reveal(reveal.line, reveal.column);
    latest.current.onRevealed();
  }, [view, reveal]);

  return (
    <div className={editorStyles.host} data-pass-editor={view === null ? "plain" : "monaco"}>
      <div ref={host} className={editorStyles.text} />
      {view === null ? <PlainText label="Pass" text={text} readOnly={readOnly} failed={failed} onChange={props.onText} /> : null}
    </div>
  );
}
