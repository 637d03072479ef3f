/** Resizable panes side by side or one above the other; sizes are kept in the browser. */

import { Fragment, type ReactNode, useCallback, useEffect, useRef } from "react";
import { Group, type Layout, Panel, Separator, useDefaultLayout, useGroupRef } from "react-resizable-panels";
import { browserStorage } from "./browser-storage.ts";
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
    onlySaveAfterUserInteractions: true,
  });
  const whole = useWholePixels(orientation);
  return (
    <Group
      id={id}
      orientation={orientation}
      className={cx(styles.group)}
      defaultLayout={defaultLayout}
      groupRef={whole.group}
      elementRef={whole.element}
      onLayoutChanged={(layout, meta) => {
        onLayoutChanged(layout, meta);
        // Only what the user did: otherwise the answer to a request made here would cause another.
        if (meta.isUserInteraction) whole.snap(meta.requestedLayout);
      }}
    >
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

/**
 * Keeps the panes whole pixels wide and high. A share of the window seldom is, and then the edges of a pane's content are mixed of two
 * pixels each: its pictures are scaled, its lines are not sharp, and each frame takes the painter a seventh longer.
 */
function useWholePixels(orientation: SplitterProps["orientation"]) {
  const group = useGroupRef();
  const element = useRef<HTMLDivElement | null>(null);
  const snap = useCallback(
    (requested?: Layout): void => {
      const now = group.current?.getLayout();
      if (now === undefined || element.current === null) return;
      // Pushed together by a small window: they get back what they had in a larger one.
      if (requested !== undefined && Object.entries(now).some(([id, part]) => Math.abs((requested[id] ?? part) - part) > 0.1)) return;
      const panes = [...element.current.children].filter((child) => child.hasAttribute("data-panel"));
      const room = panes.reduce((sum, pane) => sum + lengthOf(pane, orientation), 0);
      const next = wholeShares(now, room);
      if (next !== null) group.current?.setLayout(next);
    },
    [group, orientation],
  );
  useEffect(() => {
    if (element.current === null) return;
    const observer = new ResizeObserver(() => snap());
    observer.observe(element.current);
    return () => observer.disconnect();
  }, [snap]);
  return { group, element, snap };
}

function lengthOf(element: Element, orientation: SplitterProps["orientation"]): number {
  const { width, height } = element.getBoundingClientRect();
  return orientation === "horizontal" ? width : height;
}

/** The shares, in hundredths, that come to whole pixels of a room; null if these do, or no others would: a room of part of a pixel, or none. */
export function wholeShares(shares: Layout, room: number): Layout | null {
  const pixels = Math.round(room);
  if (pixels < 1 || Math.abs(room - pixels) > 0.1) return null;
  const ids = Object.keys(shares);
  let left = 100;
  const next: Record<string, number> = {};
  for (const [at, id] of ids.entries()) {
    // As many digits as the library keeps; the last pane has the rest.
    const share = at === ids.length - 1 ? left : Math.round((Math.round(((shares[id] ?? 0) / 100) * pixels) / pixels) * 100_000) / 1000;
    next[id] = Math.round(share * 1000) / 1000;
    left -= share;
  }
  return ids.some((id) => Math.abs((next[id] ?? 0) - (shares[id] ?? 0)) >= 0.002) ? next : null;
}

const safeStorage = {
  getItem: (key: string): string | null => browserStorage("localStorage").get(key),
  setItem: (key: string, value: string): void => void browserStorage("localStorage").set(key, value),
};
