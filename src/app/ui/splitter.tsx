/** Resizable panes side by side or one above the other; sizes are kept in the browser. */

import { Fragment, type ReactNode } from "react";
import { Group, Panel, Separator, useDefaultLayout } from "react-resizable-panels";
import { cx } from "./cx.ts";
import styles from "./splitter.module.css";

export interface SplitPane {
  readonly id: string;
  readonly content: ReactNode;
  /** CSS sizes: `"30%"`, `"200px"`. */
  readonly size?: string;
  readonly min?: string;
  /** Accessible name of the bar before this pane. */
  readonly bar?: string;
  readonly fixed?: boolean;
}

export interface SplitterProps {
  readonly id: string;
  readonly orientation: "horizontal" | "vertical";
  readonly panes: readonly SplitPane[];
}

export function Splitter({ id, orientation, panes }: SplitterProps) {
  const { defaultLayout, onLayoutChanged } = useDefaultLayout({
    id: `oriscope.panes.${id}`,
    panelIds: panes.map((p) => p.id),
    storage: safeStorage,
  });
  return (
    <Group id={id} orientation={orientation} className={cx(styles.group)} defaultLayout={defaultLayout} onLayoutChanged={onLayoutChanged}>
      {panes.map((pane, index) => (
        <Fragment key={pane.id}>
          {index === 0 ? null : <Separator className={cx(styles.separator)} aria-label={pane.bar ?? "Resize"} />}
          <Panel
            id={pane.id}
            className={cx(styles.panel)}
            {...(pane.size === undefined ? {} : { defaultSize: pane.size })}
            {...(pane.min === undefined ? {} : { minSize: pane.min })}
            groupResizeBehavior={pane.fixed === true ? "preserve-pixel-size" : "preserve-relative-size"}
          >
            {pane.content}
          </Panel>
        </Fragment>
      ))}
    </Group>
  );
}

/** Local storage that may be forbidden: then nothing is kept. */
const safeStorage = {
  getItem(key: string): string | null {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  },
  setItem(key: string, value: string): void {
    try {
      localStorage.setItem(key, value);
    } catch {
      // Private windows and full disks: sizes are a comfort, not data.
    }
  },
};
