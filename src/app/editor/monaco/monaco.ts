/** What the page imports when it wants the editor: one lazy chunk. */

export { mountDiffEditor } from "./diff-editor.ts";
export { mountSourceEditor } from "./source-editor.ts";
