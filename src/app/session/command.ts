/** What a command is: one value that the menus, the palette, the shortcuts and the help page are made from. */

import { selectEarlierRun, selectNotRun } from "./provenance.ts";
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
  /** The message when its key is pressed while it is not enabled; without it, or where it is empty, there is none. */
  readonly otherwise?: (state: SessionState) => string;
  /** For toggles and choices. */
  readonly checked?: (state: SessionState) => boolean;
  readonly run: (session: Session) => void;
}

export const always = (): boolean => true;

/** Why there is no result of the open program and kernel to act on; null if there is one. */
export function whyNotShown(state: SessionState): string | null {
  if (!selectEarlierRun(state)) return null;
  switch (selectNotRun(state)) {
    case "wrong":
      return "The program has errors. Correct them first.";
    case "empty":
      return "The text contains no kernel. Write one, or open a program.";
    case null:
      return "The program has not run yet.";
  }
}

/** A command that acts on what is shown of the open program. */
export const onShown = (command: Command): Command => ({
  ...command,
  enabled: (s) => whyNotShown(s) === null && command.enabled(s),
  otherwise: (s) => whyNotShown(s) ?? command.otherwise?.(s) ?? "",
});

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
