/** A shortcut as people write it: `Mod+Shift+K` shows as ⇧⌘K on Apple machines, Ctrl+Shift+K elsewhere. */

export const isApple: boolean = typeof navigator !== "undefined" && /Mac|iPhone|iPad/.test(navigator.userAgent);

const NAMES: Readonly<Record<string, string>> = {
  ArrowRight: "→",
  ArrowLeft: "←",
  ArrowUp: "↑",
  ArrowDown: "↓",
  Escape: "Esc",
  " ": "Space",
};

export function showKeys(keys: string, apple = isApple): string {
  const parts = keys.split("+").map((part) => NAMES[part] ?? (part.length === 1 ? part.toUpperCase() : part));
  if (!apple) return parts.map((p) => (p === "Mod" ? "Ctrl" : p)).join("+");
  const symbols: Readonly<Record<string, string>> = { Mod: "⌘", Shift: "⇧", Alt: "⌥", Ctrl: "⌃" };
  return parts.map((p) => symbols[p] ?? p).join("");
}

export function Kbd({ keys }: { readonly keys: string }) {
  return <kbd className="small nowrap">{showKeys(keys)}</kbd>;
}
