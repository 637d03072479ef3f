/** The menu of everything, made from the commands. */

import { MENUS, type MenuId } from "../session/command.ts";
import { useSessionObject } from "../session/hooks.ts";
import type { Session } from "../session/session.ts";
import { IconButton } from "../ui/button.tsx";
import { MenuButton, type MenuEntry } from "../ui/menu-button.tsx";

const TITLES: Readonly<Record<MenuId, string>> = { file: "File", step: "Step", phase: "Phase", view: "View", help: "Help" };

function entriesOf(menu: MenuId, session: Session): readonly MenuEntry[] {
  const state = session.store.getState();
  return session.commands
    .filter((c) => c.menu === menu)
    .flatMap((c): readonly MenuEntry[] => {
      const item: MenuEntry = {
        kind: "item",
        id: c.id,
        title: c.title,
        keys: c.keys[0],
        disabled: !c.enabled(state),
        checked: c.checked?.(state),
        run: () => c.run(session),
      };
      return c.separated === true ? [{ kind: "separator", id: `${c.id}-separator` }, item] : [item];
    });
}

export function CommandMenuButton() {
  const session = useSessionObject();
  const entries = () => MENUS.map((id): MenuEntry => ({ kind: "menu", id, title: TITLES[id], entries: () => entriesOf(id, session) }));
  return <MenuButton trigger={<IconButton icon="command" label="Menu" />} entries={entries} />;
}
