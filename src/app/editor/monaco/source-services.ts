/** Language services of every language besides Ori: hover and definition, from the engine's answer about a place and the program at this step. */

import type { SourceNote } from "../../../engine/api/types.ts";
import { formatsOf } from "../../session/language.ts";
import { selectKernels } from "../../session/selectors.ts";
import type { Session } from "../../session/session.ts";
import { sourceHover } from "../source-hover.ts";
import { type editor, languages, Range } from "./api.ts";

/** Registers the services for these languages. Returns a function that removes them. */
export function registerSourceServices(session: Session): () => void {
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
            moment: state.run.stale ? null : state.position.moment,
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
