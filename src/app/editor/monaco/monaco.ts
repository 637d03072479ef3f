/** What the page imports when it needs the editor: one lazy chunk. */

// biome-ignore lint/performance/noBarrelFile: the one entry of the lazy chunk
export { mountCodeView } from "./code-view.ts";
export { mountDiffEditor } from "./diff-editor.ts";
export { mountSourceEditor } from "./source-editor.ts";
