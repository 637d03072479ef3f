/** Two texts side by side: the page's one difference view. */

import { useEffect, useRef, useState } from "react";
import { useSession, useSessionObject } from "../session/hooks.ts";
import styles from "./editor.module.css";
import { loadMonaco } from "./load-monaco.ts";
import type { DiffEditor } from "./monaco/diff-editor.ts";
import { mountTextDifference } from "./text-difference.ts";

export interface TextDiffProps {
  /** null: not there yet. What was shown stays. */
  readonly left: string | null;
  readonly right: string | null;
}

export function TextDiff({ left, right }: TextDiffProps) {
  const session = useSessionObject();
  const theme = useSession((s) => s.theme.resolved);
  const host = useRef<HTMLDivElement>(null);
  const [editor, setEditor] = useState<DiffEditor | null>(null);
  useEffect(() => {
    let made: DiffEditor | null = null;
    let gone = false;
    loadMonaco().then(
      (monaco) => {
        if (gone || host.current === null) return;
        made = monaco.mountDiffEditor(host.current, session.store.getState().theme.resolved);
        setEditor(made);
      },
      () => session.actions.notify("warning", "The difference view could not be loaded."),
    );
    return () => {
      gone = true;
      made?.dispose();
      setEditor(null);
    };
  }, [session]);
  useEffect(() => {
    if (left !== null && right !== null) editor?.show(left, right);
  }, [left, right, editor]);
  useEffect(() => editor?.theme(theme), [theme, editor]);
  useEffect(() => (editor === null ? undefined : mountTextDifference(session, editor.go)), [session, editor]);
  return (
    <div className={styles.host}>
      <div ref={host} className={styles.text} />
    </div>
  );
}
