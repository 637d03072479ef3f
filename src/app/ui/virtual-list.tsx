/** A list of rows of one height of which only the visible ones are in the document; arrow keys move an active row. */

import { type KeyboardEvent, type ReactNode, type UIEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { cx } from "./cx.ts";
import styles from "./virtual-list.module.css";

export interface VirtualListProps {
  readonly label: string;
  readonly count: number;
  /** Pixels a row. */
  readonly rowHeight: number;
  /** The row that the keys start from and that is kept in view when it changes; -1: none. */
  readonly active: number;
  /** The row that is kept in view while none is active; -1, as without it: none. */
  readonly shown?: number;
  readonly onActivate: (index: number) => void;
  readonly row: (index: number, active: boolean) => ReactNode;
  /** Keys that the list doesn't know; return true when handled. */
  readonly onKey?: (event: KeyboardEvent, index: number) => boolean;
  readonly role?: "listbox" | "tree";
  /** `aria-level` of a row, for trees. */
  readonly level?: (index: number) => number;
  readonly expanded?: (index: number) => boolean | undefined;
  /** Called when the visible rows change. */
  readonly onVisible?: (first: number, last: number) => void;
  readonly className?: string | undefined;
}

/** Rows in the document before and after those in view. */
const OVERSCAN = 6;
/** Browsers lose precision beyond some 30 million pixels. */
const MAX_HEIGHT = 15_000_000;

export function VirtualList(props: VirtualListProps) {
  const { count, rowHeight, active, shown = -1, onActivate, onVisible, role = "listbox" } = props;
  const id = useId();
  const { scroller, onScroll, height, inView, first, last, topOf } = useRowsInView(count, rowHeight, active, shown);
  useEffect(() => {
    onVisible?.(first, last);
  }, [first, last, onVisible]);

  const page = Math.max(1, inView - 1);
  const move = (key: string): boolean => {
    const to = { ArrowDown: active + 1, ArrowUp: active - 1, PageDown: active + page, PageUp: active - page, Home: 0, End: count - 1 }[key];
    if (to !== undefined && count > 0) onActivate(Math.max(0, Math.min(count - 1, to)));
    return to !== undefined;
  };
  const keyDown = (event: KeyboardEvent) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !(props.onKey?.(event, active) === true || move(event.key))) return;
    event.preventDefault();
    event.stopPropagation();
  };

  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: a list box or a tree, as the caller says
    // biome-ignore lint/a11y/useAriaPropsSupportedByRole: a list box or a tree, as the caller says
    <div
      ref={scroller}
      role={role}
      aria-label={props.label}
      aria-activedescendant={active >= first && active < last ? `${id}-${active}` : undefined}
      tabIndex={0}
      className={cx(styles.scroller, props.className)}
      onScroll={onScroll}
      onKeyDown={keyDown}
    >
      <div className={styles.spacer} style={{ height }} role="presentation">
        {Array.from({ length: Math.max(0, last - first) }, (_, i) => first + i).map((index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the list handles the keys
          // biome-ignore lint/a11y/noStaticElementInteractions: its role depends on the list's
          // biome-ignore lint/a11y/useAriaPropsSupportedByRole: its role depends on the list's
          <div
            key={index}
            id={`${id}-${index}`}
            role={role === "tree" ? "treeitem" : "option"}
            aria-selected={index === active}
            aria-setsize={count}
            aria-posinset={index + 1}
            aria-level={props.level?.(index)}
            aria-expanded={props.expanded?.(index)}
            className={styles.row}
            style={{ top: topOf(index), height: rowHeight }}
            onClick={() => onActivate(index)}
          >
            {props.row(index, index === active)}
          </div>
        ))}
      </div>
    </div>
  );
}

/** Which rows are in the document, and where. */
function useRowsInView(count: number, rowHeight: number, active: number, shown: number) {
  const scroller = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 0 });

  const height = Math.min(count * rowHeight, MAX_HEIGHT);
  // With very many rows, the scroll bar covers them in proportion.
  const scale = count * rowHeight > MAX_HEIGHT ? (count * rowHeight - view.height) / (height - view.height) : 1;
  const offset = view.top * scale;

  useLayoutEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const measure = () => setView((v) => (v.height === element.clientHeight ? v : { ...v, height: element.clientHeight }));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);

  // Again when the height is known or changes: a row in view should stay in view.
  useLayoutEffect(() => {
    const element = scroller.current;
    const wanted = active < 0 ? shown : active;
    if (element === null || wanted < 0 || view.height < rowHeight) return;
    const at = (wanted * rowHeight) / scale;
    const margin = view.height > 4 * rowHeight ? rowHeight : 0;
    if (at < element.scrollTop + margin) element.scrollTop = Math.max(0, at - margin);
    else if (at + rowHeight + margin > element.scrollTop + view.height) element.scrollTop = at + rowHeight + margin - view.height;
  }, [active, shown, rowHeight, scale, view.height]);

  return {
    scroller,
    onScroll: ({ currentTarget: { scrollTop: top } }: UIEvent) => setView((v) => ({ ...v, top })),
    height,
    inView: Math.floor(view.height / rowHeight),
    first: Math.max(0, Math.floor(offset / rowHeight) - OVERSCAN),
    last: Math.min(count, Math.ceil((offset + view.height) / rowHeight) + OVERSCAN),
    topOf: (index: number) => index * rowHeight - offset + view.top,
  };
}
