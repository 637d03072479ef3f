/** One pane of the window, with a name and its own error boundary. */

import type { ReactNode } from "react";
import type { Pane } from "../session/state.ts";
import { Boundary } from "../ui/boundary.tsx";
import { cx } from "../ui/cx.ts";
import { Stack } from "../ui/layout.tsx";
import styles from "./shell.module.css";

interface RegionProps {
  readonly pane: Pane | "timeline";
  readonly label: string;
  readonly className?: string | undefined;
  readonly children: ReactNode;
}

export function Region({ pane, label, className, children }: RegionProps) {
  return (
    <Stack
      as="section"
      grow
      fill
      id={`pane-${pane}`}
      className={cx(styles.region, pane === "editor" && styles.editor, className)}
      aria-label={label}
    >
      <Boundary name={label}>{children}</Boundary>
    </Stack>
  );
}
