/** What a command is: one value that the menus, the palette, the shortcuts and the help page are made from. */

import type { Session } from "./session.ts";
import type { SessionState } from "./state.ts";

export const MENUS = ["file", "step", "phase", "view", "help"] as const;
export type MenuId = (typeof MENUS)[number];

export interface Command {
  /** `area.verb`, unique. */
  readonly id: string;
  /** As in a menu, without keys. */
  readonly title: string;
  /** Other words by which the palette finds it. */
  readonly found?: string;
  /** The menu it is in, null for the palette and keys only. */
  readonly menu: MenuId | null;
  /** Starts a new group in its menu. */
  readonly separated?: boolean;
  /** `Mod+Shift+K`; Mod is Ctrl, or ⌘ on Apple machines. A single letter works outside of text fields only, and can be switched off. */
  readonly keys: readonly string[];
  readonly enabled: (state: SessionState) => boolean;
  /** The message when its key is pressed while it is not enabled; without it there is none. */
  readonly otherwise?: (state: SessionState) => string;
  /** For toggles and choices. */
  readonly checked?: (state: SessionState) => boolean;
  readonly run: (session: Session) => void;
}

export const always = (): boolean => true;

export function opensDialog(
  id: string,
  title: string,
  dialog: string,
  menu: MenuId | null,
  keys: readonly string[],
  separated = false,
): Command {
  return { id, title, menu, keys, separated, enabled: always, run: (session) => session.actions.view.set({ dialog }) };
}
