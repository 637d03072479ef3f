/** How the page's editors behave. */

import type { editor } from "./api.ts";

/** Settings that all editors of the page share. */
export const EDITOR_OPTIONS = {
  automaticLayout: true,
  fontFamily:
    '"IBM Plex Mono", ui-monospace, "SF Mono", "Cascadia Mono", Menlo, Consolas, "DejaVu Sans Mono", "Liberation Mono", monospace',
  fontSize: 12,
  lineHeight: 18,
  minimap: { enabled: false },
  scrollBeyondLastLine: false,
  renderLineHighlight: "line",
  lineNumbersMinChars: 3,
  glyphMargin: false,
  folding: true,
  guides: { indentation: false },
  // Of little use in assembly, and its bookkeeping makes thousands of open brackets take seconds.
  autoClosingBrackets: "never",
  bracketPairColorization: { enabled: false },
  scrollbar: { verticalScrollbarSize: 10, horizontalScrollbarSize: 10, useShadows: false },
  overviewRulerBorder: false,
  wordBasedSuggestions: "off",
  // There is no provider, and searching for one takes a tenth of Monaco's time per key.
  inlineSuggest: { enabled: false },
  // A suggestion opens automatically while a whole word is typed, and Enter after it means a new line: it accepts a suggestion that was
  // moved to or requested (`acceptByEnter`). Tab accepts any.
  acceptSuggestionOnEnter: "off",
  fixedOverflowWidgets: true,
  tabSize: 4,
  // The keyboard must be able to leave; Ctrl+M makes Tab a character.
  tabFocusMode: true,
  padding: { top: 4 },
  stickyScroll: { enabled: false },
  accessibilitySupport: "auto",
} as const satisfies editor.IStandaloneEditorConstructionOptions;

/** From this many characters on nothing is computed for all lines of a text at every key. */
const LARGE = 300_000;

export const isLarge = (text: string): boolean => text.length >= LARGE;

/** What an editor does with all lines, while that is cheap. */
export function wholeTextOptions(text: string) {
  const small = !isLarge(text);
  return {
    folding: small,
    links: small,
    occurrencesHighlight: small ? "singleFile" : "off",
    selectionHighlight: small,
  } as const satisfies editor.IEditorOptions;
}
