/**
 * Lines that arrive as one input event (dictation, an input method, a tool that fills in text) are inserted unchanged as one edit. Monaco types them one character at a time:
 * it indents each line again, and undo removes a word at a time.
 */

import { editor } from "monaco-editor/editor";

editor.registerCommand("type", (_accessor: unknown, input: { readonly text: string }) => {
  const target = editor.getEditors().find((each) => each.hasTextFocus());
  // Enter alone is a key: what follows it is indented.
  const lines = input.text.length > 2 && /[\r\n]/.test(input.text);
  if (lines) target?.trigger("keyboard", "paste", { text: input.text, pasteOnNewLine: false, multicursorText: null });
  else target?.trigger("keyboard", "type", input);
});
