/** From a key press to a command. */

import type { Command } from "../session/command.ts";
import { isApple } from "../ui/kbd.tsx";

export interface KeyPress {
  readonly key: string;
  readonly ctrlKey: boolean;
  readonly metaKey: boolean;
  readonly altKey: boolean;
  readonly shiftKey: boolean;
  /** The key's place on the keyboard: with Alt, digits are other characters on some keyboards. */
  readonly code?: string;
}

/** Punctuation that needs Shift on some keyboards and not on others: the character itself decides. */
const SHIFTED: Readonly<Record<string, string>> = { "}": "Shift+]", "{": "Shift+[", "?": "Shift+?" };

/** The press as a command writes it: `Mod+Shift+K`. */
export function chordOf(press: KeyPress, apple = isApple): string {
  const mod = apple ? press.metaKey : press.ctrlKey;
  const other = apple ? press.ctrlKey : press.metaKey;
  const special = SHIFTED[press.key];
  if (special !== undefined && !mod && !press.altKey && !other) return special;
  const digit = press.altKey ? /^Digit(\d)$/.exec(press.code ?? "")?.[1] : undefined;
  const key = digit ?? (press.key.length === 1 ? press.key.toUpperCase() : press.key);
  return [mod && "Mod", other && (apple ? "Ctrl" : "Meta"), press.altKey && "Alt", press.shiftKey && "Shift", key]
    .filter((p) => p !== false)
    .join("+");
}

/** Works without a modifier that text fields leave alone. */
export function isSingleKey(keys: string): boolean {
  return /^(Shift\+)?.$/.test(keys);
}

/** `typing`: the focus is in a text field, where plain keys belong to the text. */
export function findCommand(
  commands: readonly Command[],
  press: KeyPress,
  options: { readonly typing: boolean; readonly singleKeys: boolean },
): Command | null {
  const chord = chordOf(press);
  if (isSingleKey(chord) && (options.typing || !options.singleKeys)) return null;
  if (options.typing && (chord === "Escape" || chord === "Mod+Home" || chord === "Mod+End" || chord === "F9")) return null;
  return commands.find((c) => c.keys.includes(chord)) ?? null;
}

/** Whether a key pressed on this element is text. */
export function isTyping(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target.closest(".monaco-editor") !== null) return true;
  if (target.isContentEditable || target instanceof HTMLTextAreaElement || target instanceof HTMLSelectElement) return true;
  return target instanceof HTMLInputElement && !["checkbox", "radio", "button", "range"].includes(target.type);
}
