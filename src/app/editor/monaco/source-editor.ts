/** The source text's editor: follows the session's text, selection and diagnostics, and reports what is typed and pointed at. */

import type { SourceNote } from "../../../engine/api/types.ts";
import { MAX_TEXT, tooLong } from "../../session/actions/document.ts";
import { isBlank } from "../../session/actions/programs.ts";
import { formatsOf, languagesOf } from "../../session/language.ts";
import { selectOwnMoment } from "../../session/provenance.ts";
import { selectKernel, selectKernels } from "../../session/selectors.ts";
import type { Session } from "../../session/session.ts";
import type { SessionState } from "../../session/state.ts";
import { sourceHover } from "../source-hover.ts";
import { editor, languages, Range, Uri } from "./api.ts";
import { EDITOR_OPTIONS, isLarge, wholeTextOptions } from "./editor-options.ts";
import { markLineDiffs } from "./gutter.ts";
import { registerQuickFixes } from "./quick-fixes.ts";
import { registerServices } from "./services.ts";
import { addSourceKeys } from "./source-keys.ts";
import { sourceMarks, subjectOfLine } from "./source-marks.ts";
import { refuseLongPastes, sourceText } from "./source-text.ts";
import { applyTheme } from "./themes.ts";
import { registerBrought, registerTokenizers } from "./tokenizers.ts";

/** Mounts the editor in an element. Returns a function that removes it. */
export function mountSourceEditor(element: HTMLElement, session: Session): () => void {
  const { store, actions } = session;
  const start = store.getState();
  registerTokenizers(start.engine.opcodes);
  registerBrought(languagesOf(session));
  applyTheme(start.theme.resolved);
  const services = [registerServices(session), registerSourceServices(session), registerQuickFixes(["ori"])];
  const model = modelOf(start.document.text);
  const text = sourceText(model, session, () => showAll(store.getState()));
  text.show(start.document.text, () => undefined);
  const view = editor.create(element, {
    ...EDITOR_OPTIONS,
    ...wholeTextOptions(start.document.text),
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
  addSourceKeys(view, model, session);
  const marks = sourceMarks(view, model);
  /** What belongs to lines of the text. */
  const showAll = (state: SessionState): void => {
    marks.messages(state);
    marks.selection(state, false);
    marks.step(state);
  };
  showLanguage(model, start);
  showAll(start);
  const refuse = (length: number): void => actions.notify("error", tooLong("The text", length));
  services.push(markLineDiffs(view, session), refuseLongPastes(element, MAX_TEXT, refuse));

  const stops = [followSession({ view, model, text, marks }, session), followPointer(view, session)];
  return () => {
    for (const stop of stops) stop();
    text.end();
    for (const dispose of services) dispose();
    view.dispose();
  };
}

/** Reports the line that the pointer or the cursor is at. Returns a function that ends it. */
function followPointer(view: editor.IStandaloneCodeEditor, { store, actions }: Session): () => void {
  const pointAt = (line: number | null): void => {
    const state = store.getState();
    actions.selection.hover(null, line === null || state.run.stale || subjectOfLine(line, state) === null ? null : line);
  };
  const subscriptions = [
    view.onMouseMove((event) => pointAt(event.target.position?.lineNumber ?? null)),
    view.onMouseLeave(() => pointAt(null)),
    view.onDidChangeCursorPosition((event) => {
      // Only the user's own moves: typing and loading move the cursor too.
      if (event.reason !== 3 /* explicit */) return;
      const subject = subjectOfLine(event.position.lineNumber, store.getState());
      if (subject !== null) actions.selection.select(subject);
    }),
  ];
  return () => {
    for (const s of subscriptions) s.dispose();
    pointAt(null);
  };
}

interface Shown {
  readonly view: editor.IStandaloneCodeEditor;
  readonly model: editor.ITextModel;
  readonly text: ReturnType<typeof sourceText>;
  readonly marks: ReturnType<typeof sourceMarks>;
}

/** Shows what changes in the session. Returns a function that ends it. */
function followSession({ view, model, text, marks }: Shown, { store }: Session): () => void {
  const showText = ({ document }: SessionState, before: SessionState): void =>
    text.show(document.text, (came) => {
      if (isLarge(document.text) !== isLarge(before.document.text)) view.updateOptions(wholeTextOptions(document.text));
      if (!came || document.since === before.document.since) return;
      view.setPosition({ lineNumber: 1, column: 1 });
      view.setScrollPosition({ scrollTop: 0, scrollLeft: 0 });
    });
  let answered: ReturnType<typeof setTimeout> | undefined;
  const showAnswer = (): void => {
    showLanguage(model, store.getState());
    marks.messages(store.getState());
  };
  const stop = store.subscribe((state, before) => {
    const { document, options, selection, position, view: shown } = state;
    const moved = document.text !== before.document.text;
    if (moved) showText(state, before);
    if (state.engine.opcodes !== before.engine.opcodes) registerTokenizers(state.engine.opcodes);
    if (document.open !== before.document.open || document.format !== before.document.format) {
      // The run of the new text is requested first.
      clearTimeout(answered);
      answered = setTimeout(showAnswer, 0);
    }
    if (selection.selected !== before.selection.selected) marks.selection(state, true);
    else if (position.moment?.run !== before.position.moment?.run) marks.selection(state, false);
    if (selection.hovered !== before.selection.hovered || selection.line !== before.selection.line) marks.pointer(state);
    const cleared = moved && isBlank(document.text);
    const replaced = document.since !== before.document.since;
    const chosen = options.kernel !== before.options.kernel;
    if (position.moment !== before.position.moment || replaced || chosen || cleared) marks.step(state);
    if (chosen && !replaced) view.revealLineNearTop(selectKernel(state)?.line ?? 1);
    // The page around it has its new colours already: both are drawn in the same frame.
    if (state.theme.resolved !== before.theme.resolved) applyTheme(state.theme.resolved);
    if (shown.reveal !== before.view.reveal && shown.reveal !== null) {
      const { line, column } = shown.reveal;
      view.setPosition({ lineNumber: line, column });
      view.revealLineInCenter(line);
      view.focus();
    }
  });
  return () => {
    stop();
    clearTimeout(answered);
  };
}

/** The model outlives the editor, which is removed where there is no room for it: earlier edits can still be undone. */
function modelOf(text: string): editor.ITextModel {
  const uri = Uri.parse("inmemory://oriscope/source");
  const model = editor.getModel(uri) ?? editor.createModel(text, "ori", uri);
  model.updateOptions({ bracketColorizationOptions: { enabled: false, independentColorPoolPerBracketType: false } });
  return model;
}

function showLanguage(model: editor.ITextModel, { document }: SessionState): void {
  const language = document.format ?? document.open?.format ?? "ori";
  if (model.getLanguageId() !== language) editor.setModelLanguage(model, language);
}

/** Registers the services for these languages. Returns a function that removes them. */
function registerSourceServices(session: Session): () => void {
  const { store, api } = session;
  const ask = async (model: editor.ITextModel, line: number, column: number): Promise<SourceNote | null> => {
    const { document } = store.getState();
    // An engine that ended meanwhile has no answer: the next question finds a fresh one.
    return document.text === model.getValue() ? api.sourceAt(document.revision, line, column).catch(() => null) : null;
  };
  const registered = formatsOf(session)
    .filter((id) => id !== "ori")
    .flatMap((language) => [
      languages.registerHoverProvider(language, {
        async provideHover(model, { lineNumber, column }) {
          const note = await ask(model, lineNumber, column);
          if (note === null) return null;
          const state = store.getState();
          const value = sourceHover({
            note,
            line: lineNumber,
            lines: model.getLinesContent(),
            moment: state.run.stale ? null : selectOwnMoment(state),
            kernels: selectKernels(state),
          });
          const { name } = note;
          const range =
            name === null
              ? new Range(lineNumber, model.getLineFirstNonWhitespaceColumn(lineNumber), lineNumber, model.getLineMaxColumn(lineNumber))
              : new Range(lineNumber, name.column, lineNumber, name.endColumn);
          return { contents: [{ value }], range };
        },
      }),
      languages.registerDefinitionProvider(language, {
        async provideDefinition(model, { lineNumber, column }) {
          const note = await ask(model, lineNumber, column);
          return (note?.name?.definitions ?? [])
            .filter((line) => line <= model.getLineCount())
            .map((line) => ({
              uri: model.uri,
              range: new Range(line, model.getLineFirstNonWhitespaceColumn(line) || 1, line, model.getLineMaxColumn(line)),
            }));
        },
      }),
    ]);
  return () => {
    for (const r of registered) r.dispose();
  };
}
