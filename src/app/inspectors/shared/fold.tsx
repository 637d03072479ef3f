/** A part of a pane under its heading: open it has its content, closed it costs nothing. */

import { type ReactNode, useId } from "react";
import { cx } from "../../ui/cx.ts";
import { Icon } from "../../ui/icons.tsx";
import { Stack } from "../../ui/layout.tsx";
import styles from "./fold.module.css";

interface FoldProps {
  readonly title: string;
  readonly open: boolean;
  readonly onToggle: () => void;
  /** When open it fills the remaining space, and its content scrolls. */
  readonly fills?: boolean;
  readonly children: ReactNode;
}

export function Fold({ title, open, onToggle, fills = false, children }: FoldProps) {
  const id = useId();
  return (
    <Stack as="section" rigid className={cx(styles.fold, open && fills && styles.fills, "line-above")} aria-labelledby={id}>
      <h3 className="rigid">
        <button type="button" id={id} className={cx(styles.button, "line-button")} aria-expanded={open} onClick={onToggle}>
          <Icon name={open ? "chevronDown" : "chevronRight"} size={12} />
          {title}
        </button>
      </h3>
      {open ? (
        <Stack grow className={styles.body}>
          {children}
        </Stack>
      ) : null}
    </Stack>
  );
}
