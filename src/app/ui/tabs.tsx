/** Tabs over one panel; the open tab is the caller's state. */

import { Tabs as Base } from "@base-ui/react/tabs";
import type { ReactNode } from "react";
import { cx } from "./cx.ts";
import { Row, Stack } from "./layout.tsx";
import styles from "./tabs.module.css";

export interface TabItem {
  readonly id: string;
  readonly title: string;
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
  return (
    <Base.Root value={open} onValueChange={(value) => onOpen(String(value))} render={<Stack fill />}>
      <Row align="stretch" rigid className={cx(styles.bar, "line-below")}>
        <Base.List className={cx(styles.list, "grow")} aria-label={label} activateOnFocus={false}>
          {items.map((item) => (
            <Base.Tab key={item.id} value={item.id} data-tab={item.id} className={cx(styles.tab)}>
              {item.title}
            </Base.Tab>
          ))}
        </Base.List>
        {extra === undefined ? null : (
          <Row gap={1} pad={[0, 1]} className={styles.extra}>
            {extra}
          </Row>
        )}
      </Row>
      {items.map((item) => (
        <Base.Panel key={item.id} value={item.id} keepMounted={item.keep ?? false} className={cx(styles.panel, "grow")}>
          {item.content}
        </Base.Panel>
      ))}
    </Base.Root>
  );
}
