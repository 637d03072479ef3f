/** What a command is: one value that the menus, the palette, the shortcuts and the help page are made from. */

import { isBlank } from "./actions/programs.ts";
import { selectEarlier } from "./provenance.ts";
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

/** Why nothing of the open program is shown: the last run is of an earlier one. Null if its own is shown. */
export function whyNotShown(state: SessionState): string | null {
  if (!selectEarlier(state)) return null;
  const { text, since, open, good } = state.document;
  if (isBlank(text)) return "There is no program. Paste or open one.";
  const isRefused = open !== null && open.revision >= since && open !== good;
  return isRefused ? "The program has errors. Correct them first." : "The program has not run yet.";
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
