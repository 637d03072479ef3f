/** TypeScript to read: a file of the engine, with the lines of a rule marked. */

import { conf, language } from "monaco-editor/languages/definitions/typescript/typescript";
import { editor, languages, Range } from "./api.ts";
import { EDITOR_OPTIONS } from "./editor-options.ts";
import { applyTheme } from "./themes.ts";

/** TypeScript's colours alone: its language services are for passes that are written here. */
const READ_ONLY = "typescript-to-read";

export interface CodeView {
  /** Shows a text, `line` in the middle of the view and marked, `others` marked quieter. */
  show(text: string, line: number, others: readonly number[]): void;
  theme(resolved: "light" | "dark"): void;
  dispose(): void;
}

export function mountCodeView(host: HTMLElement, label: string, theme: "light" | "dark"): CodeView {
  applyTheme(theme);
  if (!languages.getLanguages().some(({ id }) => id === READ_ONLY)) {
    languages.register({ id: READ_ONLY });
    languages.setLanguageConfiguration(READ_ONLY, conf);
    languages.setMonarchTokensProvider(READ_ONLY, language);
  }
  const model = editor.createModel("", READ_ONLY);
  model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
  const view = editor.create(host, {
    ...EDITOR_OPTIONS,
    model,
    readOnly: true,
    domReadOnly: true,
    ariaLabel: label,
    renderLineHighlight: "none",
    occurrencesHighlight: "off",
    selectionHighlight: false,
    hover: { enabled: "off" },
    folding: false,
    glyphMargin: false,
    lineNumbersMinChars: 4,
    tabFocusMode: true,
  });
  const marks = view.createDecorationsCollection();
  const mark = (line: number, className: string): editor.IModelDeltaDecoration => ({
    range: new Range(line, 1, line, 1),
    options: { isWholeLine: true, className },
  });
  return {
    show(text, line, others) {
      if (model.getValue() !== text) model.setValue(text);
      marks.set([...others.filter((other) => other !== line).map((other) => mark(other, "ori-rule-other")), mark(line, "ori-step-line")]);
      view.setPosition({ lineNumber: line, column: 1 });
      view.revealLineInCenter(line, editor.ScrollType.Immediate);
    },
    theme: applyTheme,
    dispose() {
      view.dispose();
      model.dispose();
    },
  };
}
