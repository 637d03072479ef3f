/** The editor of a pass: TypeScript with completion and types, the current line of the trace, breakpoints in the gutter, and the messages of the last run. */

import { editor, KeyCode, KeyMod, MarkerSeverity, Range, Uri } from "../../../../app/editor/monaco/api.ts";
import { EDITOR_OPTIONS } from "../../../../app/editor/monaco/editor-options.ts";
import { refuseLongPastes } from "../../../../app/editor/monaco/source-text.ts";
import { applyTheme } from "../../../../app/editor/monaco/themes.ts";
import { isApple } from "../../../../app/ui/kbd.tsx";
import { MAX_PASS } from "../../../../links/link-data.ts";
import { isNestedTooDeeply } from "./nested.ts";
import { LANGUAGE, onTypeScriptMissing } from "./typescript.ts";

const OWNER = "last run of the pass";

/** A message of a run or a test at its line; 0: of the file as a whole. */
export interface PassMessage {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** TypeScript's messages about the file. */
export interface TypeProblem extends PassMessage {
  readonly severity: "error" | "warning" | "info";
}

export interface TestSign {
  readonly line: number;
  readonly holds: boolean;
  readonly said: string;
}

export interface PassEditorEvents {
  readonly onText: (text: string) => void;
  readonly onBreakpoint: (line: number) => void;
  readonly onTypes: (problems: readonly TypeProblem[]) => void;
  readonly onTooLong: (length: number) => void;
  readonly onTabKey: (leaves: boolean) => void;
  /** F1: the word at the caret, "" for none. */
  readonly onHandbook: (word: string) => void;
  /** There is neither completion nor a check of types. */
  readonly onTypesMissing: () => void;
}

/** As they are when something happens. */
type Events = { readonly current: PassEditorEvents };

export interface PassEditor {
  setText(text: string): void;
  setMessages(messages: readonly PassMessage[]): void;
  setTests(signs: readonly TestSign[]): void;
  /** The line of the step that is shown; null: it is not this pass's. */
  setCurrent(line: number | null): void;
  setBreakpoints(lines: readonly number[]): void;
  reveal(line: number, column: number): void;
  focus(): void;
  theme(resolved: "light" | "dark"): void;
  dispose(): void;
}

const SEVERITIES = { [MarkerSeverity.Error]: "error", [MarkerSeverity.Warning]: "warning" } as const;

/** What TypeScript cannot read is shown without colours, and the compiler reports why. */
const languageOf = (text: string): string => (isNestedTooDeeply(text) ? "plaintext" : LANGUAGE);

/** The model outlives the editor: what was typed before the tab was left can still be undone. */
function modelOf(text: string): editor.ITextModel {
  const uri = Uri.parse("file:///pass.ts");
  const model = editor.getModel(uri) ?? editor.createModel(text, languageOf(text), uri);
  model.updateOptions({
    tabSize: 2,
    insertSpaces: true,
    bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false },
  });
  return model;
}

/** Keys and entries of the context menu besides Monaco's own. */
function addActions(view: editor.IStandaloneCodeEditor, model: editor.ITextModel, events: Events): void {
  let tabLeaves = true;
  view.addAction({
    id: "oriscope.pass.tabKey",
    label: "Toggle whether Tab leaves the editor",
    keybindings: [isApple ? KeyMod.WinCtrl | KeyMod.Shift | KeyCode.KeyM : KeyMod.CtrlCmd | KeyCode.KeyM],
    run: (self) => {
      tabLeaves = !tabLeaves;
      self.updateOptions({ tabFocusMode: tabLeaves });
      events.current.onTabKey(tabLeaves);
    },
  });
  view.addAction({
    id: "oriscope.pass.breakpoint",
    label: "Breakpoint on this line",
    keybindings: [KeyCode.F9],
    contextMenuGroupId: "navigation",
    run: (self) => {
      const line = self.getPosition()?.lineNumber;
      if (line !== undefined) events.current.onBreakpoint(line);
    },
  });
  // Monaco's own palette has this key; the page's palette has all of it.
  view.addAction({
    id: "oriscope.pass.handbook",
    label: "Handbook page",
    keybindings: [KeyCode.F1],
    contextMenuGroupId: "navigation",
    run: (self) => {
      const at = self.getPosition();
      events.current.onHandbook(at === null ? "" : (model.getWordAtPosition(at)?.word ?? ""));
    },
  });
  view.addAction({
    id: "oriscope.pass.whatIsThis",
    label: "What is this?",
    keybindings: [KeyMod.Shift | KeyCode.F1],
    contextMenuGroupId: "navigation",
    run: (self) => self.getAction("editor.action.showHover")?.run({ focus: "noAutoFocus" }),
  });
}

/** What TypeScript says about the text, but for its hints. */
function typeProblems(model: editor.ITextModel): readonly TypeProblem[] {
  return editor
    .getModelMarkers({ resource: model.uri })
    .filter(({ owner, severity }) => owner === LANGUAGE && severity > MarkerSeverity.Hint)
    .map(({ startLineNumber, startColumn, message, severity }) => ({
      line: startLineNumber,
      column: startColumn,
      message,
      severity: SEVERITIES[severity as keyof typeof SEVERITIES] ?? "info",
    }));
}

function isLine(model: editor.ITextModel, line: number): boolean {
  return line >= 1 && line <= model.getLineCount();
}

/** From the message's column to the end of its line; of the file as a whole, the first line. */
function markerOf(model: editor.ITextModel, { line, column, message }: PassMessage): editor.IMarkerData {
  const at = isLine(model, line) ? line : 1;
  const from = column > 0 ? column : model.getLineFirstNonWhitespaceColumn(at) || 1;
  return {
    severity: MarkerSeverity.Error,
    source: OWNER,
    message,
    startLineNumber: at,
    startColumn: from,
    endLineNumber: at,
    endColumn: Math.max(from + 1, model.getLineMaxColumn(at)),
  };
}

/** Passes on what is typed, unless it is too long. `set` puts another text in, which can be undone. */
function followText(model: editor.ITextModel, events: Events) {
  let applying = false;
  /** The last text that is not too long. */
  let accepted = model.getValue();
  const set = (text: string): void => {
    accepted = text;
    if (model.getValue() === text) return;
    applying = true;
    model.pushStackElement();
    model.pushEditOperations([], [{ range: model.getFullModelRange(), text }], () => null);
    model.pushStackElement();
    applying = false;
  };
  const typing = model.onDidChangeContent(() => {
    const text = model.getValue();
    const language = languageOf(text);
    if (model.getLanguageId() !== language) editor.setModelLanguage(model, language);
    if (applying) return;
    if (text.length <= MAX_PASS) {
      accepted = text;
      events.current.onText(text);
      return;
    }
    // What cannot be saved is not shown as if it were. Not within the change that is being reported.
    events.current.onTooLong(text.length);
    queueMicrotask(() => set(accepted));
  });
  return { set, typing };
}

export function mountPassEditor(
  host: HTMLElement,
  start: { readonly text: string; readonly readOnly: boolean; readonly theme: "light" | "dark" },
  events: Events,
): PassEditor {
  applyTheme(start.theme);
  onTypeScriptMissing(() => events.current.onTypesMissing());
  const model = modelOf(start.text);
  const view = editor.create(host, {
    ...EDITOR_OPTIONS,
    model,
    ariaLabel: "Pass",
    readOnly: start.readOnly,
    glyphMargin: true,
    tabSize: 2,
    autoClosingBrackets: "languageDefined",
    theme: `oriscope-${start.theme}`,
  });
  addActions(view, model, events);
  const text = followText(model, events);
  const tellTypes = (): void => events.current.onTypes(typeProblems(model));
  const subscriptions = [
    text.typing,
    editor.onDidChangeMarkers((uris) => {
      if (uris.some((uri) => uri.toString() === model.uri.toString())) tellTypes();
    }),
    view.onMouseDown(({ target }) => {
      const line = target.position?.lineNumber;
      if (target.type === editor.MouseTargetType.GUTTER_GLYPH_MARGIN && line !== undefined) events.current.onBreakpoint(line);
    }),
    { dispose: refuseLongPastes(host, MAX_PASS, (length) => events.current.onTooLong(length)) },
  ];
  text.set(start.text);
  tellTypes();

  const current = view.createDecorationsCollection();
  const breakpoints = view.createDecorationsCollection();
  const tests = view.createDecorationsCollection();
  const lineMark = (line: number, options: editor.IModelDecorationOptions): readonly editor.IModelDeltaDecoration[] =>
    isLine(model, line) ? [{ range: new Range(line, 1, line, 1), options }] : [];
  return {
    setText: text.set,
    setMessages: (messages) =>
      editor.setModelMarkers(
        model,
        OWNER,
        messages.map((message) => markerOf(model, message)),
      ),
    setTests(signs) {
      const mark = ({ line, holds, said }: TestSign) =>
        lineMark(line, { linesDecorationsClassName: `ori-test ori-test-${holds ? "holds" : "fails"}`, linesDecorationsTooltip: said });
      tests.set(signs.flatMap(mark));
    },
    setCurrent(line) {
      current.set(line === null ? [] : lineMark(line, { isWholeLine: true, className: "ori-step-line" }));
      // Where one writes, the text stays.
      if (line !== null && current.length > 0 && !view.hasTextFocus()) view.revealLineInCenterIfOutsideViewport(line);
    },
    setBreakpoints(lines) {
      const sign = { glyphMarginClassName: "ori-breakpoint", glyphMarginHoverMessage: { value: "Breakpoint" } };
      breakpoints.set(lines.flatMap((line) => lineMark(line, sign)));
    },
    reveal(line, column) {
      view.setPosition({ lineNumber: Math.max(1, line), column: Math.max(1, column) });
      view.revealLineInCenter(Math.max(1, line));
      view.focus();
    },
    focus: () => view.focus(),
    theme: applyTheme,
    dispose() {
      for (const s of subscriptions) s.dispose();
      view.dispose();
    },
  };
}
