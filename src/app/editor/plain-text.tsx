/** A text until its editor is loaded, and where it cannot be: a plain text field, or the beginning of a long text, which cannot be changed. */

import { useMemo } from "react";
import { cx } from "../ui/cx.ts";
import { plural } from "../ui/plural.ts";
import { beginningOf, INSTEAD, WHILE_LOADING } from "./beginning.ts";
import styles from "./editor.module.css";

interface PlainTextProps {
  readonly label: string;
  readonly text: string;
  readonly readOnly: boolean;
  /** The editor cannot be loaded. */
  readonly failed: boolean;
  readonly onChange: (text: string) => void;
}

export function PlainText({ label, text, readOnly, failed, onChange }: PlainTextProps) {
  const shown = useMemo(() => beginningOf(text, failed ? INSTEAD : WHILE_LOADING), [text, failed]);
  return (
    <>
      <textarea
        className={cx(styles.plain, "mono")}
        aria-label={label}
        value={shown.text}
        readOnly={readOnly || shown.more > 0}
        spellCheck={false}
        autoCapitalize="off"
        autoComplete="off"
        onChange={(event) => onChange(event.target.value)}
      />
      {shown.more === 0 ? null : (
        <p className={cx(styles.cut, "line-above muted")} data-testid="cut">
          {plural(shown.more, "more line")}
          {failed ? ": the text is too long for this field. Reload the page to load the editor." : ", once the editor is loaded"}
        </p>
      )}
    </>
  );
}
