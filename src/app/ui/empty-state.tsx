/** What a pane shows when it has no content, and how to get some. */

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
