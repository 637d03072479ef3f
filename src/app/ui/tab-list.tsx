/** All tabs of a bar under headings, with a search; open at once. */

import { Popover } from "@base-ui/react/popover";
import { useState } from "react";
import { IconButton } from "./button.tsx";
import { cx } from "./cx.ts";
import { TextField } from "./field.tsx";
import styles from "./tabs.module.css";
import type { TabItem } from "./tabs.tsx";

export interface TabMenuProps {
  readonly label: string;
  /** How many have no room in the bar. */
  readonly count: number;
  readonly items: readonly TabItem[];
  readonly open: string;
  readonly onOpen: (id: string) => void;
}

export function TabList({ label, count, items, open, onOpen }: TabMenuProps) {
  const [shown, setShown] = useState(true);
  const [query, setQuery] = useState("");
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  const found = items.filter((i) => words.every((w) => `${i.title} ${i.about ?? ""} ${i.group ?? ""}`.toLowerCase().includes(w)));
  const choose = (id: string): void => {
    setShown(false);
    onOpen(id);
  };
  return (
    <Popover.Root
      open={shown}
      onOpenChange={(next) => {
        setShown(next);
        setQuery("");
      }}
    >
      <Popover.Trigger render={<IconButton icon="chevronDown" label={count === 0 ? label : `${label}: ${count} more`} />} />
      <Popover.Portal>
        <Popover.Positioner side="bottom" align="end" sideOffset={4} className={cx(styles.positioner)}>
          <Popover.Popup className={cx(styles.menu)} aria-label={label}>
            <form
              onSubmit={(event) => {
                event.preventDefault();
                const [first] = found;
                if (first !== undefined) choose(first.id);
              }}
            >
              <TextField
                label="Search"
                hideLabel
                type="search"
                placeholder="Search: hash table, thresholds …"
                value={query}
                onChange={setQuery}
                autoFocus
              />
            </form>
            {[...new Set(found.map((i) => i.group ?? ""))].map((group) => (
              <section key={group} aria-label={group}>
                <h3 className={styles.heading}>{group}</h3>
                {found
                  .filter((i) => (i.group ?? "") === group)
                  .map((item) => (
                    <button
                      key={item.id}
                      type="button"
                      data-choose={item.id}
                      aria-current={item.id === open || undefined}
                      className={cx(styles.choice, item.id === open && styles.chosen)}
                      onClick={() => choose(item.id)}
                    >
                      <span>{item.title}</span>
                      <span className={styles.about}>{item.about}</span>
                    </button>
                  ))}
              </section>
            ))}
            {found.length === 0 ? <p className={styles.about}>Nothing matches.</p> : null}
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  );
}
