/** Drop-down menus and the menu bar, from plain data. */

import { Menu as Base } from "@base-ui/react/menu";
import { Menubar } from "@base-ui/react/menubar";
import { cx } from "./cx.ts";
import { Icon } from "./icons.tsx";
import { Kbd } from "./kbd.tsx";
import styles from "./menu.module.css";
import type { MenuButtonProps, MenuEntry } from "./menu-button.tsx";

function MenuPopup({ entries }: { readonly entries: () => readonly MenuEntry[] }) {
  return (
    <Base.Portal>
      <Base.Positioner className={cx(styles.positioner)} sideOffset={4} align="start">
        <Base.Popup className={cx(styles.popup)}>
          <Entries entries={entries} />
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}

/** Mounted only while the menu is open, so that closed menus cost nothing. */
function Entries({ entries }: { readonly entries: () => readonly MenuEntry[] }) {
  return entries().map((entry) => {
    if (entry.kind === "separator") return <Base.Separator key={entry.id} className={cx(styles.separator)} />;
    const inner = (
      <>
        <span className={styles.mark}>{entry.checked === true ? <Icon name="check" size={14} /> : null}</span>
        <span className={styles.title}>{entry.title}</span>
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

export interface BarMenu {
  readonly id: string;
  readonly title: string;
  readonly entries: () => readonly MenuEntry[];
}

export function MenuBar({ menus, label }: { readonly menus: readonly BarMenu[]; readonly label: string }) {
  return (
    <Menubar className={cx(styles.bar)} aria-label={label}>
      {menus.map((menu) => (
        <Base.Root key={menu.id}>
          <Base.Trigger className={cx(styles.trigger)}>{menu.title}</Base.Trigger>
          <MenuPopup entries={menu.entries} />
        </Base.Root>
      ))}
    </Menubar>
  );
}
