/** Two given texts beside each other, by the same difference view as two steps. */

import { useEffect, useRef, useState } from "react";
import { useSession, useSessionObject } from "../session/hooks.ts";
import styles from "./editor.module.css";
import { loadMonaco } from "./load-monaco.ts";
import type { DiffEditor } from "./monaco/diff-editor.ts";

export interface TextDiffProps {
  readonly left: string;
  readonly right: string;
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
  useEffect(() => editor?.show(left, right), [left, right, editor]);
  useEffect(() => editor?.theme(theme), [theme, editor]);
  return (
    <div className={styles.host}>
      <div ref={host} />
    </div>
  );
}
