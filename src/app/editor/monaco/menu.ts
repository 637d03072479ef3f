/** The editor's context menu, without the entries that the page replaces or does not need, and with the page's wording. */

import { MenuId, MenuRegistry } from "monaco-editor/platform/actions/common/actions";

/** Monaco's palettes. */
const GONE: ReadonlySet<string> = new Set(["editor.action.quickCommand", "editor.action.quickOutline"]);

const TITLES: ReadonlyMap<string, string> = new Map([
  ["editor.action.revealDefinition", "Go to the definition"],
  ["editor.action.goToReferences", "Go to the uses"],
  ["editor.action.rename", "Rename"],
  ["editor.action.changeAll", "Change all occurrences"],
  ["editor.action.formatDocument", "Format the text"],
  ["editor.action.formatSelection", "Format the selection"],
]);

const all = MenuRegistry.getMenuItems.bind(MenuRegistry);

// Monaco's features add to its menus as they load, and cannot remove an entry.
MenuRegistry.getMenuItems = (menu) =>
  all(menu).flatMap((item) => {
    if (menu !== MenuId.EditorContext) return [item];
    // Peeking at a definition is useless: a program is one text.
    if (!("command" in item)) return item.submenu === MenuId.EditorContextPeek ? [] : [item];
    const { command } = item;
    return GONE.has(command.id) ? [] : [{ ...item, command: { ...command, title: TITLES.get(command.id) ?? command.title } }];
  });
