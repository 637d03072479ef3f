/** Tabs over one panel; the open tab is the caller's state. */

import { Tabs as Base } from "@base-ui/react/tabs";
import { type ReactNode, useEffect, useRef } from "react";
import { cx } from "./cx.ts";
import styles from "./tabs.module.css";

export interface TabItem {
  readonly id: string;
  readonly title: string;
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
}

export function Tabs({ label, items, open, onOpen, extra }: TabsProps) {
  const list = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: where there are more tabs than room, the open one is brought in sight
  useEffect(() => {
    const bar = list.current;
    const tab = bar?.querySelector<HTMLElement>('[aria-selected="true"]');
    if (!bar || !tab) return;
    const left = tab.offsetLeft - bar.offsetLeft;
    if (left < bar.scrollLeft || left + tab.offsetWidth > bar.scrollLeft + bar.clientWidth) bar.scrollLeft = left - 16;
  }, [open]);
  return (
    <Base.Root value={open} onValueChange={(value) => onOpen(String(value))} className={cx(styles.root)}>
      <div className={cx(styles.bar)}>
        <Base.List ref={list} className={cx(styles.list)} aria-label={label} activateOnFocus={false}>
          {items.map((item) => (
            <Base.Tab key={item.id} value={item.id} className={cx(styles.tab, item.dim && styles.dim)}>
              {item.title}
            </Base.Tab>
          ))}
        </Base.List>
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
