/** A small label with a tone. The words carry the meaning, the colour only helps. */

import type { ReactNode } from "react";
import styles from "./badge.module.css";
import { cx } from "./cx.ts";

export type Tone = "plain" | "ok" | "warn" | "error" | "accent";

export function Badge({
  tone = "plain",
  title,
  children,
}: {
  readonly tone?: Tone;
  readonly title?: string;
  readonly children: ReactNode;
}) {
  return (
    <span className={cx(styles.badge, `soft-${tone}`)} title={title}>
      {children}
    </span>
  );
}
