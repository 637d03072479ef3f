/** Monaco's themes, from the page's own colours. */

import { editor } from "./api.ts";

/** The theme's name for the page's current colours; defines it first. */
export function applyTheme(resolved: "light" | "dark"): void {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string) => {
    const value = style.getPropertyValue(name).trim();
    // Monaco accepts only six digits.
    return /^#[0-9a-f]{3}$/i.test(value) ? `#${[...value.slice(1)].map((c) => c + c).join("")}` : value;
  };
  const bare = (name: string) => colour(name).slice(1);
  const name = `oriscope-${resolved}`;
  editor.defineTheme(name, {
    base: resolved === "light" ? "vs" : "vs-dark",
    // The classes of the text number a theme's colours. Monaco's own rules differ from one theme to the other, so that after a change the
    // text would have wrong colours until it is read again; with these alone both themes number alike.
    inherit: false,
    rules: [
      { token: "", foreground: bare("--text") },
      { token: "comment", foreground: bare("--syn-comment") },
      { token: "keyword", foreground: bare("--syn-mnemonic"), fontStyle: "bold" },
      { token: "modifier", foreground: bare("--syn-mnemonic") },
      { token: "register", foreground: bare("--syn-reg") },
      { token: "predicate", foreground: bare("--syn-pred") },
      { token: "number", foreground: bare("--syn-number") },
      { token: "label", foreground: bare("--syn-label") },
      { token: "special", foreground: bare("--syn-special") },
      { token: "directive", foreground: bare("--syn-special"), fontStyle: "bold" },
      { token: "string", foreground: bare("--syn-number") },
      // Of TypeScript.
      { token: "type", foreground: bare("--syn-number") },
      { token: "regexp", foreground: bare("--syn-label") },
      { token: "invalid", foreground: bare("--error") },
    ],
    colors: {
      "editor.background": colour("--bg"),
      // Thin layers of the page's own red and green, one over the other: text of every colour keeps 4.5:1 on both.
      "diffEditor.removedTextBackground": `${colour("--error")}16`,
      "diffEditor.removedLineBackground": `${colour("--error")}14`,
      "diffEditor.insertedTextBackground": `${colour("--ok")}1a`,
      "diffEditor.insertedLineBackground": `${colour("--ok")}14`,
      "editor.foreground": colour("--text"),
      "editorLineNumber.foreground": colour("--text-3"),
      "editorLineNumber.dimmedForeground": colour("--text-3"),
      "editorLineNumber.activeForeground": colour("--text"),
      "editorGutter.background": colour("--bg"),
      "editor.lineHighlightBackground": colour("--surface-1"),
      "editor.lineHighlightBorder": colour("--surface-1"),
      "editor.selectionBackground": colour("--selected-bg"),
      "editor.selectionHighlightBackground": `${colour("--accent")}26`,
      "editorCursor.foreground": colour("--text"),
      "editorWidget.background": colour("--overlay"),
      "editorWidget.border": colour("--border-strong"),
      "editorHoverWidget.background": colour("--overlay"),
      "editorHoverWidget.border": colour("--border-strong"),
      "editorSuggestWidget.background": colour("--overlay"),
      "editorSuggestWidget.border": colour("--border-strong"),
      "editorSuggestWidget.selectedBackground": colour("--accent-soft"),
      "editorSuggestWidget.selectedForeground": colour("--accent-soft-text"),
      "editorSuggestWidget.highlightForeground": colour("--accent"),
      "editorSuggestWidget.focusHighlightForeground": colour("--text"),
      focusBorder: colour("--focus"),
      "input.background": colour("--bg"),
      "input.border": colour("--border-strong"),
      "menu.background": colour("--overlay"),
      "menu.foreground": colour("--text"),
    },
  });
  editor.setTheme(name);
}
