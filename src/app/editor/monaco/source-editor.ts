/** The source text's editor: follows the session's text, selection and diagnostics, and reports what is typed and pointed at. */

import type { Diagnostic, Subject } from "../../../engine/api/types.ts";
import { MAX_TEXT, tooLong } from "../../session/actions/document.ts";
import { isBlank } from "../../session/actions/programs.ts";
import { openHelp, wordAt } from "../../session/help.ts";
import { selectEarlier } from "../../session/provenance.ts";
import { selectSettled } from "../../session/selectors.ts";
import type { Session } from "../../session/session.ts";
import { sourceIndex } from "../../session/source-lines.ts";
import type { SessionState } from "../../session/state.ts";
import { isApple } from "../../ui/kbd.tsx";
import { editor, KeyCode, KeyMod, MarkerSeverity, Range, Uri } from "./api.ts";
import { fillOf } from "./fill.ts";
import { markLineDiffs } from "./gutter.ts";
import { didYouMean, fixAt, isWord, MARKER_OWNER, registerQuickFixes } from "./quick-fixes.ts";
import { registerServices } from "./services.ts";
import { registerSourceServices } from "./source-services.ts";
import { applyTheme } from "./themes.ts";
import { registerTokenizers } from "./tokenizers.ts";

/** The key that Monaco has for it. */
const TAB_KEY = isApple ? "Ctrl+Shift+M" : "Ctrl+M";

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
  // No provider exists, and looking for one at every key takes a tenth of Monaco's time for it.
  inlineSuggest: { enabled: false },
  // A suggestion opens by itself while a whole word is typed, and Enter after it means a new line: it accepts a suggestion that was
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

/** Of a text from so many characters on nothing is computed for all of its lines at every key. */
const LARGE = 300_000;

/** What an editor does with all lines at once, while that is cheap. */
function wholeTextOptions(length: number) {
  const small = length < LARGE;
  return {
    folding: small,
    links: small,
    occurrencesHighlight: small ? "singleFile" : "off",
    selectionHighlight: small,
  } as const satisfies editor.IEditorOptions;
}

const SEVERITY = { error: MarkerSeverity.Error, warning: MarkerSeverity.Warning, info: MarkerSeverity.Info } as const;

function markerOf(d: Diagnostic, model: editor.ITextModel): editor.IMarkerData {
  const line = Math.max(1, Math.min(d.line, model.getLineCount()));
  const column = Math.max(1, d.column);
  const end = d.length > 0 ? column + d.length : model.getLineMaxColumn(line);
  return {
    severity: SEVERITY[d.severity],
    code: d.code,
    source: MARKER_OWNER,
    message:
      d.suggestion === null ? d.message : `${d.message}\n${d.length > 0 && isWord(d.suggestion) ? didYouMean(d.suggestion) : d.suggestion}`,
    startLineNumber: line,
    startColumn: column,
    endLineNumber: line,
    endColumn: Math.max(end, column + 1),
  };
}

/** Lines of the source that a subject came from. */
function linesOfSubject(subject: Subject | null, state: SessionState): readonly number[] {
  const { moment } = state.position;
  if (subject === null || moment === null) return [];
  switch (subject.kind) {
    case "block": {
      const block = moment.blocks.get(subject.id);
      return block === undefined ? [] : [block.line, ...block.insts.map((i) => i.line)].filter((l) => l > 0);
    }
    case "edge": {
      const line = moment.blocks.get(subject.from)?.insts.at(-1)?.line ?? 0;
      return line > 0 ? [line] : [];
    }
    case "inst": {
      const line = sourceIndex(moment).insts.get(subject.id)?.inst.line ?? 0;
      return line > 0 ? [line] : [];
    }
    case "reg":
    case "node":
      return [];
  }
}

/** What is on a source line: the instruction, else the block. */
function subjectOfLine(line: number, state: SessionState): Subject | null {
  if (state.position.moment === null) return null;
  const index = sourceIndex(state.position.moment);
  const inst = index.lines.get(line)?.[0]?.inst;
  if (inst !== undefined) return { kind: "inst", id: inst.id };
  const block = index.blocks.get(line);
  return block === undefined ? null : { kind: "block", id: block.id };
}

/** What the text leads to is on screen, or the text leads to nothing. */
const isAnswered = (state: SessionState): boolean =>
  selectSettled(state) || state.document.open?.ok === false || state.run.error !== null || state.engine.status === "failed";

/** The model's text after a change of the one before it; of a long text only what changed is looked at. */
function textAfter(model: editor.ITextModel, before: string | null, event: editor.IModelContentChangedEvent): string {
  if (before === null || event.isFlush || event.isEolChange) return model.getValue();
  // Each offset is the one before all changes: applied from the end, none moves another.
  const changes = event.changes.toSorted((a, b) => b.rangeOffset - a.rangeOffset);
  let text = before;
  for (const { rangeOffset, rangeLength, text: inserted } of changes)
    text = text.slice(0, rangeOffset) + inserted + text.slice(rangeOffset + rangeLength);
  return text.length === model.getValueLength() ? text : model.getValue();
}

/** Mounts the editor in an element. Returns a function that removes it. */
export function mountSourceEditor(element: HTMLElement, session: Session): () => void {
  const { store, actions } = session;
  const start = store.getState();
  registerTokenizers(start.engine.opcodes);
  applyTheme(start.theme.resolved);
  const services = [registerServices(session), registerSourceServices(session), registerQuickFixes(["ori"])];
  const uri = Uri.parse("inmemory://oriscope/source");
  const model = editor.getModel(uri) ?? editor.createModel(start.document.text, "ori", uri);
  model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
  // The model outlives the editor, which is removed where there is no room for it: earlier edits can still be undone.
  let applying = false;
  const fill = fillOf(model, {
    edit: (change) => {
      applying = true;
      change();
      applying = false;
    },
    busy: () => !isAnswered(store.getState()),
    done: () => showAll(store.getState()),
  });
  if (model.getValue() !== start.document.text) fill.begin(start.document.text, () => undefined);
  const view = editor.create(element, {
    ...EDITOR_OPTIONS,
    ...wholeTextOptions(start.document.text.length),
    model,
    ariaLabel: "Source text",
    readOnly: start.view.embed,
    theme: `oriscope-${start.theme.resolved}`,
  });
  // The bundled face may load after the editor, which then measures again.
  document.fonts.load('12px "IBM Plex Mono"').then(
    () => editor.remeasureFonts(),
    () => undefined,
  );
  view.addCommand(KeyMod.Shift | KeyMod.Alt | KeyCode.KeyF, () => view.getAction("editor.action.formatDocument")?.run());
  // Monaco's own palette has this key; the page's palette has all of it.
  view.addAction({
    id: "oriscope.handbook",
    label: "Handbook page",
    keybindings: [KeyCode.F1],
    contextMenuGroupId: "navigation",
    contextMenuOrder: 2,
    run: (self) => {
      const at = self.getPosition();
      const word = at === null ? "" : wordAt(model.getLineContent(at.lineNumber), at.column);
      openHelp(session, word === "" ? null : `opcode:${word.toUpperCase()}`);
    },
  });
  // The chord that Monaco has for this begins with the palette's key.
  view.addAction({
    id: "oriscope.whatIsThis",
    label: "What is this?",
    keybindings: [KeyMod.Shift | KeyCode.F1],
    contextMenuGroupId: "navigation",
    contextMenuOrder: 0,
    run: (self) => self.getAction("editor.action.showHover")?.run({ focus: "noAutoFocus" }),
  });
  // Monaco's key for it, Ctrl+., belongs to stepping. The one fix there is needs no list to choose from.
  view.addAction({
    id: "oriscope.quickFix",
    label: "Apply the suggested fix",
    keybindings: [KeyMod.Alt | KeyCode.Enter],
    contextMenuGroupId: "navigation",
    contextMenuOrder: 1,
    run: (self) => {
      const at = self.getPosition();
      const fix = at === null ? null : fixAt(model, at.lineNumber);
      if (fix !== null) self.executeEdits("oriscope.quickFix", [fix]);
      else actions.notify("info", "No message on this line suggests a fix.");
    },
  });
  acceptByEnter(view);
  let tabLeaves = true;
  view.addAction({
    id: "oriscope.tabKey",
    label: "Toggle whether Tab leaves the editor",
    keybindings: [isApple ? KeyMod.WinCtrl | KeyMod.Shift | KeyCode.KeyM : KeyMod.CtrlCmd | KeyCode.KeyM],
    run: (self) => {
      tabLeaves = !tabLeaves;
      self.updateOptions({ tabFocusMode: tabLeaves });
      actions.notify("info", tabLeaves ? "Tab leaves the editor." : `Tab indents. After ${TAB_KEY}, it leaves the editor again.`);
    },
  });
  const selected = view.createDecorationsCollection();
  const changed = view.createDecorationsCollection();
  const pointed = view.createDecorationsCollection();
  /** The model's text as it was passed on last: a long one is not copied to compare it. */
  let handedOn: string | null = null;
  let answered: ReturnType<typeof setTimeout> | undefined;

  const showLanguage = (state: SessionState) => {
    const language = state.document.format ?? state.document.open?.format ?? "ori";
    if (model.getLanguageId() !== language) editor.setModelLanguage(model, language);
  };
  const showMarkers = (state: SessionState) => {
    editor.setModelMarkers(
      model,
      MARKER_OWNER,
      (state.document.open?.diagnostics ?? []).map((d) => markerOf(d, model)),
    );
  };
  const showSelection = (state: SessionState, reveal: boolean) => {
    const lines = linesOfSubject(state.selection.selected, state).filter((l) => l <= model.getLineCount());
    selected.set(
      lines.map((line) => ({
        range: new Range(line, 1, line, 1),
        options: { isWholeLine: true, className: "ori-selected-line", linesDecorationsClassName: "ori-selected-margin" },
      })),
    );
    const first = lines[0];
    if (reveal && first !== undefined && !view.hasTextFocus()) view.revealLineInCenterIfOutsideViewport(first);
  };
  const showHover = (state: SessionState) => {
    const { hovered, line: at } = state.selection;
    const all = [...linesOfSubject(hovered, state), ...(at === null ? [] : [at])];
    const lines = new Set(all.filter((l) => l <= model.getLineCount()));
    if (lines.size > 0 || pointed.length > 0)
      pointed.set(
        [...lines].map((line) => ({ range: new Range(line, 1, line, 1), options: { isWholeLine: true, className: "ori-pointed-line" } })),
      );
  };
  const pointAt = (line: number | null) => {
    const state = store.getState();
    actions.selection.hover(null, line === null || state.run.stale || subjectOfLine(line, state) === null ? null : line);
  };
  const showStep = (state: SessionState) => {
    // A cleared or different text has no line of this step.
    const moment = isBlank(state.document.text) || selectEarlier(state) ? null : state.position.moment;
    const lines = new Set<number>();
    for (const id of moment?.event?.focus.insts ?? []) for (const line of linesOfSubject({ kind: "inst", id }, state)) lines.add(line);
    if (lines.size === 0) {
      for (const id of moment?.event?.focus.blocks ?? []) {
        const line = moment?.blocks.get(id)?.line ?? 0;
        if (line > 0) lines.add(line);
      }
    }
    changed.set(
      [...lines]
        .filter((l) => l <= model.getLineCount())
        .map((line) => ({ range: new Range(line, 1, line, 1), options: { isWholeLine: true, className: "ori-step-line" } })),
    );
    const [first] = lines;
    // As the graph does: while the user reads or writes, the text does not move.
    if (first !== undefined && store.getState().graph.follow && !view.hasTextFocus()) view.revealLineInCenterIfOutsideViewport(first);
  };
  const showAnswer = () => {
    const state = store.getState();
    showLanguage(state);
    showMarkers(state);
  };
  const showText = ({ document }: SessionState, before: SessionState) => {
    const { text } = document;
    const fitOptions = () => {
      if (text.length < LARGE !== before.document.text.length < LARGE) view.updateOptions(wholeTextOptions(text.length));
    };
    if (text === handedOn || text === model.getValue()) {
      fitOptions();
      return;
    }
    handedOn = null;
    fill.begin(text, () => {
      fitOptions();
      if (document.since === before.document.since) return;
      view.setPosition({ lineNumber: 1, column: 1 });
      view.setScrollPosition({ scrollTop: 0, scrollLeft: 0 });
    });
  };
  /** What belongs to lines of the text. */
  const showAll = (state: SessionState) => {
    showMarkers(state);
    showSelection(state, false);
    showStep(state);
  };
  showLanguage(start);
  showAll(start);
  services.push(markLineDiffs(view, session));

  // Tens of megabytes take Monaco seconds to insert: refused before it sees them.
  const paste = (event: ClipboardEvent) => {
    const length = event.clipboardData?.getData("text/plain").length ?? 0;
    if (length <= MAX_TEXT) return;
    event.preventDefault();
    event.stopPropagation();
    actions.notify("error", tooLong("The text", length));
  };
  element.addEventListener("paste", paste, true);

  const subscriptions = [
    model.onDidChangeContent((event) => {
      if (applying || fill.waits) return;
      // The remaining pieces go in before any edit; one undo removes them all.
      handedOn = fill.rest === "" || event.isUndoing ? textAfter(model, handedOn, event) : model.getValue() + fill.rest;
      actions.document.setText(handedOn);
    }),
    view.onMouseMove((event) => pointAt(event.target.position?.lineNumber ?? null)),
    view.onMouseLeave(() => pointAt(null)),
    view.onDidChangeCursorPosition((event) => {
      // Only what the person does: typing and loading move the cursor too.
      if (event.reason !== 3 /* explicit */) return;
      const subject = subjectOfLine(event.position.lineNumber, store.getState());
      if (subject !== null) actions.selection.select(subject);
    }),
  ];
  const stop = store.subscribe((state, before) => {
    if (state.document.text !== before.document.text) showText(state, before);
    if (state.engine.opcodes !== before.engine.opcodes) registerTokenizers(state.engine.opcodes);
    if (state.document.open !== before.document.open || state.document.format !== before.document.format) {
      // The run of the new text is requested first.
      clearTimeout(answered);
      answered = setTimeout(showAnswer, 0);
    }
    if (state.selection.selected !== before.selection.selected) showSelection(state, true);
    else if (state.position.moment?.run !== before.position.moment?.run) showSelection(state, false);
    if (state.selection.hovered !== before.selection.hovered || state.selection.line !== before.selection.line) showHover(state);
    if (
      state.position.moment !== before.position.moment ||
      state.document.since !== before.document.since ||
      (state.document.text !== before.document.text && isBlank(state.document.text))
    )
      showStep(state);
    // The page around it has its new colours already: both are drawn in the same frame.
    if (state.theme.resolved !== before.theme.resolved) applyTheme(state.theme.resolved);
    if (state.view.reveal !== before.view.reveal && state.view.reveal !== null) {
      const { line, column } = state.view.reveal;
      view.setPosition({ lineNumber: line, column });
      view.revealLineInCenter(line);
      view.focus();
    }
  });
  return () => {
    stop();
    clearTimeout(answered);
    fill.finish();
    element.removeEventListener("paste", paste, true);
    for (const s of subscriptions) s.dispose();
    for (const dispose of services) dispose();
    pointAt(null);
    view.dispose();
  };
}

/** Enter accepts a suggestion that the user chose or requested; after more typing it is a new line again. */
function acceptByEnter(view: editor.IStandaloneCodeEditor): void {
  const chosen = view.createContextKey<boolean>("oriscopeSuggestionChosen", false);
  const onKey = (name: string, keybinding: number, precondition: string, run: () => void): void => {
    view.addAction({ id: `oriscope.${name}`, label: name, keybindings: [keybinding], precondition, run });
  };
  const choosing = (command: string) => (): void => {
    chosen.set(true);
    view.trigger("keyboard", command, {});
  };
  onKey("nextSuggestion", KeyCode.DownArrow, "suggestWidgetVisible", choosing("selectNextSuggestion"));
  onKey("previousSuggestion", KeyCode.UpArrow, "suggestWidgetVisible", choosing("selectPrevSuggestion"));
  onKey(
    "suggest",
    (isApple ? KeyMod.WinCtrl : KeyMod.CtrlCmd) | KeyCode.Space,
    "!suggestWidgetVisible",
    choosing("editor.action.triggerSuggest"),
  );
  onKey("acceptSuggestion", KeyCode.Enter, "oriscopeSuggestionChosen && suggestWidgetVisible && suggestWidgetHasFocusedSuggestion", () => {
    view.trigger("keyboard", "acceptSelectedSuggestion", {});
  });
  view.onDidChangeModelContent(() => chosen.set(false));
}
