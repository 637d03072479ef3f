/** What a pane says when it has nothing to show, and what would change that. */

import type { ReactNode } from "react";
import styles from "./empty-state.module.css";

export function EmptyState({ title, children }: { readonly title: string; readonly children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <strong>{title}</strong>
      {children}
    </div>
  );
}
