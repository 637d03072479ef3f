/** A program in a box that scrolls when it is too large, by keys too. */

import { cx } from "../../../../app/ui/cx.ts";
import styles from "./pane.module.css";

interface Props {
  readonly label: string;
  readonly text: string;
  readonly testId?: string | undefined;
}

export function CodeBox({ label, text, testId }: Props) {
  return (
    // Nothing in it takes the focus: without its own tab stop the keyboard could not scroll it.
    // biome-ignore lint/a11y/noNoninteractiveTabindex: see above
    <section className={cx(styles.code, "code-box")} tabIndex={0} aria-label={label} data-testid={testId}>
      <pre>{text}</pre>
    </section>
  );
}
