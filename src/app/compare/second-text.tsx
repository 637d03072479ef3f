/** The second text, edited here beside the program, which has its own column. It is gone with the page: a reload loses it. */

import { useEffect, useState } from "react";
import { useSession, useSessionObject } from "../session/hooks.ts";
import { Button } from "../ui/button.tsx";
import styles from "./compare.module.css";

/** Quiet time after a key before both run again. */
const PAUSE_MS = 300;

export function SecondText() {
  const session = useSessionObject();
  const { document } = session.actions;
  const first = useSession((s) => s.document.text);
  const title = useSession((s) => s.document.title);
  const [text, setText] = useState(() => session.store.getState().comparison.text);
  useEffect(() => {
    const timer = setTimeout(() => session.patch("comparison", { text }), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [session, text]);
  return (
    <details className={styles.second} open>
      <summary>Second text: edit it here, or paste another program</summary>
      <textarea
        aria-label="Second text"
        className={styles.area}
        spellCheck={false}
        value={text}
        onChange={(event) => setText(event.target.value)}
      />
      <Button
        title="The second text becomes the program, and the program the second text"
        onClick={() => {
          setText(first);
          session.patch("comparison", { text: first });
          document.openText({ text, title: `${title}, second text` });
        }}
      >
        Swap the two texts
      </Button>
    </details>
  );
}
