/** Tabs over one panel; the open tab is the caller's state. Tabs that do not fit are in a menu of all of them, with a search. */

import { Tabs as Base } from "@base-ui/react/tabs";
import { type ReactNode, useLayoutEffect, useRef, useState } from "react";
import { cx } from "./cx.ts";
import { TabMenu } from "./tab-menu.tsx";
import styles from "./tabs.module.css";

export interface TabItem {
  readonly id: string;
  readonly title: string;
  /** What the search of the menu finds it by, beside its title. */
  readonly about?: string;
  /** Heading in the menu. */
  readonly group?: string;
  /** Shown quieter: there is nothing in it at the moment. */
  readonly dim?: boolean;
  readonly content: ReactNode;
  /** Stays in the document while hidden (editors, canvases). */
  readonly keep?: boolean;
}

export interface TabsProps {
  readonly label: string;
  readonly items: readonly TabItem[];
  readonly open: string;
  readonly onOpen: (id: string) => void;
  /** Controls at the end of the bar. */
  readonly extra?: ReactNode;
  /** Name of the menu of all tabs, where there may be more than fit. */
  readonly overflow?: string;
}

export function Tabs({ label, items, open, onOpen, extra, overflow }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const hidden = useOverflow(list, overflow === undefined ? null : open);
  return (
    <Base.Root value={open} onValueChange={(value) => onOpen(String(value))} className={cx(styles.root)}>
      <div className={cx(styles.bar)}>
        <Base.List
          ref={list}
          className={cx(styles.list, overflow === undefined && styles.scrolling)}
          aria-label={label}
          activateOnFocus={false}
        >
          {items.map((item) => (
            <Base.Tab
              key={item.id}
              value={item.id}
              data-tab={item.id}
              className={cx(styles.tab, item.dim && styles.dim, hidden.has(item.id) && styles.hidden)}
              // Without a word where it has room: the bar is one Tab stop, and the arrow keys walk it.
              {...(hidden.has(item.id) ? { tabIndex: -1 } : {})}
            >
              {item.title}
            </Base.Tab>
          ))}
        </Base.List>
        {overflow === undefined ? null : <TabMenu label={overflow} count={hidden.size} items={items} open={open} onOpen={onOpen} />}
        {extra === undefined ? null : <div className={cx(styles.extra)}>{extra}</div>}
      </div>
      {items.map((item) => (
        <Base.Panel key={item.id} value={item.id} keepMounted={item.keep ?? false} className={cx(styles.panel)}>
          {item.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}

const NONE: ReadonlySet<string> = new Set();

/** The tabs that have no room. The open one always has; `open` null: all are shown. */
function useOverflow(list: React.RefObject<HTMLDivElement | null>, open: string | null): ReadonlySet<string> {
  const [hidden, setHidden] = useState(NONE);
  useLayoutEffect(() => {
    const bar = list.current;
    if (bar === null || open === null) return;
    const look = (): void => {
      const tabs = [...bar.querySelectorAll<HTMLElement>("[data-tab]")];
      const idOf = (tab: HTMLElement): string => tab.dataset.tab ?? "";
      let room = bar.clientWidth - (tabs.find((t) => idOf(t) === open)?.offsetWidth ?? 0);
      const out = new Set<string>();
      for (const tab of tabs) {
        if (idOf(tab) === open) continue;
        room -= tab.offsetWidth;
        if (room < 0) out.add(idOf(tab));
      }
      setHidden((before) => (before.size === out.size && [...out].every((id) => before.has(id)) ? before : out));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(bar);
    return () => observer.disconnect();
  }, [list, open]);
  return hidden;
}
