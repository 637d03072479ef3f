/** Quick fixes: where a message knows the word that was meant, one press writes it. */

import { editor, languages } from "./api.ts";

/** The owner of the editor's markers. */
export const MARKER_OWNER = "oriscope";

/** A suggestion of one word replaces what is marked; any other is a sentence. */
export function isWord(suggestion: string | null): suggestion is string {
  return suggestion !== null && /^[A-Za-z_$.%][\w$.%]*$/.test(suggestion);
}

/** The question in a message, and what the fix reads back from it. */
export function didYouMean(word: string): string {
  return `Did you mean ${word}?`;
}

/** The edit that a message on a line suggests; null when there is none. */
export function fixAt(model: editor.ITextModel, line: number): languages.TextEdit | null {
  for (const marker of markersOf(model)) {
    const text = meant(marker);
    if (text !== null && marker.startLineNumber <= line && marker.endLineNumber >= line) return { range: marker, text };
  }
  return null;
}

const markersOf = (model: editor.ITextModel): editor.IMarker[] => editor.getModelMarkers({ resource: model.uri, owner: MARKER_OWNER });

const meant = ({ message }: editor.IMarker): string | null => /\nDid you mean (\S+)\?$/.exec(message)?.[1] ?? null;

/** Registers the fixes for the languages. Returns a function that removes them. */
export function registerQuickFixes(selector: readonly string[]): () => void {
  const registered = languages.registerCodeActionProvider(
    [...selector],
    {
      provideCodeActions(model, range) {
        const markers = markersOf(model).filter(
          (m) => m.startLineNumber <= range.endLineNumber && m.endLineNumber >= range.startLineNumber,
        );
        const actions = markers.flatMap((marker): languages.CodeAction[] => {
          const word = meant(marker);
          if (word === null) return [];
          const { startLineNumber, startColumn, endLineNumber, endColumn } = marker;
          const textEdit = { range: { startLineNumber, startColumn, endLineNumber, endColumn }, text: word };
          return [
            {
              title: `Write ${word} instead`,
              kind: "quickfix",
              diagnostics: [marker],
              isPreferred: true,
              edit: { edits: [{ resource: model.uri, textEdit, versionId: model.getVersionId() }] },
            },
          ];
        });
        return { actions, dispose: () => undefined };
      },
    },
    { providedCodeActionKinds: ["quickfix"] },
  );
  return () => registered.dispose();
}
