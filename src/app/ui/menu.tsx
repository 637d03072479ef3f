/** Drop-down menus and the menu bar, from plain data. */

import { Menu as Base } from "@base-ui/react/menu";
import { type ReactNode, useMemo } from "react";
import { cx } from "./cx.ts";
import { Icon } from "./icons.tsx";
import { Kbd } from "./kbd.tsx";
import styles from "./menu.module.css";
import type { MenuButtonProps, MenuEntry } from "./menu-button.tsx";

function MenuPopup({ entries, beside = false }: { readonly entries: () => readonly MenuEntry[]; readonly beside?: boolean }) {
  return (
    <Base.Portal>
      <Base.Positioner className={cx(styles.positioner)} sideOffset={beside ? 0 : 4} align="start">
        <Base.Popup className={cx(styles.popup, "floating")}>
          <MenuEntries entries={entries} />
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

/** Mounted only while the menu is open, so that closed menus cost nothing. */
export function MenuEntries({ entries }: { readonly entries: () => readonly MenuEntry[] }) {
  return entries().map((entry) => {
    if (entry.kind === "separator") return <Base.Separator key={entry.id} className={cx(styles.separator)} />;
    if (entry.kind === "heading")
      return (
        <div key={entry.id} className={cx(styles.heading, "ellipsis small quiet")}>
          {entry.title}
        </div>
      );
    if (entry.kind === "menu")
      return (
        <Base.SubmenuRoot key={entry.id}>
          <Base.SubmenuTrigger className={cx(styles.item)}>
            <span className={styles.mark} />
            <span className="grow nowrap">{entry.title}</span>
            <Icon name="chevronRight" size={14} />
          </Base.SubmenuTrigger>
          <MenuPopup entries={entry.entries} beside />
        </Base.SubmenuRoot>
      );
    const inner = (
      <>
        <span className={styles.mark}>{entry.checked === true ? <Icon name="check" size={14} /> : null}</span>
        <span className="grow nowrap">
          {entry.title}
          {entry.note === undefined ? null : <span className={styles.note}>{entry.note}</span>}
        </span>
        {entry.keys === undefined ? null : (
          <span className={styles.keys}>
            <Kbd keys={entry.keys} />
          </span>
        )}
      </>
    );
    if (entry.checked !== undefined) {
      return (
        <Base.CheckboxItem
          key={entry.id}
          className={cx(styles.item)}
          checked={entry.checked}
          disabled={entry.disabled ?? false}
          closeOnClick
          onCheckedChange={entry.run}
        >
          {inner}
        </Base.CheckboxItem>
      );
    }
    return (
      <Base.Item key={entry.id} className={cx(styles.item)} disabled={entry.disabled ?? false} onClick={entry.run}>
        {inner}
      </Base.Item>
    );
  });
}

export function MenuButton({ trigger, entries, defaultOpen = false }: MenuButtonProps) {
  return (
    <Base.Root defaultOpen={defaultOpen}>
      <Base.Trigger render={trigger} />
      <MenuPopup entries={entries} />
    </Base.Root>
  );
}

export interface MenuPlace {
  readonly x: number;
  readonly y: number;
  readonly label: string;
  /** Has the focus again when the menu is closed. */
  readonly from: HTMLElement;
}

/** A menu at a point of the window, as a right press opens one; closed while `at` is null. */
export function MenuAt({
  at,
  onClose,
  children,
}: {
  readonly at: MenuPlace | null;
  readonly onClose: () => void;
  /** `MenuEntries`, mounted while the menu is open. */
  readonly children: ReactNode;
}) {
  const place = useMemo(() => {
    const { x = 0, y = 0 } = at ?? {};
    return { getBoundingClientRect: () => DOMRect.fromRect({ x, y, width: 0, height: 0 }) };
  }, [at]);
  return (
    <Base.Root
      open={at !== null}
      modal={false}
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Base.Portal>
        <Base.Positioner className={cx(styles.positioner)} anchor={place} align="start" sideOffset={2}>
          <Base.Popup
            className={cx(styles.popup, "floating")}
            aria-label={at?.label}
            finalFocus={() => at?.from ?? true}
            onContextMenu={(event) => event.preventDefault()}
            // It has no trigger that Base UI could move the focus on from: Tab leaves from where it was opened.
            onKeyDown={(event) => {
              if (event.key !== "Tab") return;
              event.preventDefault();
              onClose();
            }}
          >
            {children}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
