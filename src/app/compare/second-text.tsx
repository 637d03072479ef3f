/** The second text, edited here next to the program, which has its own column. It is saved with the program. */

import { useSession, useSessionObject } from "../session/hooks.ts";
import { Button } from "../ui/button.tsx";
import { cx } from "../ui/cx.ts";
import styles from "./compare.module.css";

export function SecondText() {
  const session = useSessionObject();
  const { document } = session.actions;
  const first = useSession((s) => s.document.text);
  const title = useSession((s) => s.document.title);
  const text = useSession((s) => s.comparison.text);
  return (
    <details className={cx(styles.second, "rigid")} open>
      <summary>Second text: edit it here, or paste another program</summary>
      <textarea
        aria-label="Second text"
        className="input"
        spellCheck={false}
        value={text}
        onChange={(event) => session.patch("comparison", { text: event.target.value })}
      />
      <Button
        title="The second text becomes the program, and the program the second text"
        onClick={() => document.openText({ text, title: `${title}, second text`, second: first })}
      >
        Swap the two texts
      </Button>
    </details>
  );
}
