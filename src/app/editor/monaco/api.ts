/** The editor's parts that are used, each registered before the first call, and the API they are used through. Loaded on demand only. */

import "monaco-editor/features/bracketMatching/register";
import "monaco-editor/features/clipboard/register";
import "monaco-editor/features/codeAction/register";
import "monaco-editor/features/codicon/register";
import "monaco-editor/features/comment/register";
import "monaco-editor/features/contextmenu/register";
import "monaco-editor/features/cursorUndo/register";
import "monaco-editor/features/diffEditor/register";
import "monaco-editor/features/find/register";
import "monaco-editor/features/folding/register";
import "monaco-editor/features/format/register";
import "monaco-editor/features/gotoError/register";
import "monaco-editor/features/hover/register";
import "monaco-editor/features/linesOperations/register";
import "monaco-editor/features/multicursor/register";
import "monaco-editor/features/rename/register";
import "monaco-editor/features/toggleTabFocusMode/register";
import "monaco-editor/features/wordHighlighter/register";
import "monaco-editor/features/wordOperations/register";
// These have no name in the list of features.
import "monaco-editor/editor/contrib/gotoSymbol/browser/goToCommands";
import "monaco-editor/features/gotoSymbol/register";
import "monaco-editor/editor/contrib/suggest/browser/suggestController";
import "./lines-as-one.ts";
import "./menu.ts";
import EditorWorker from "monaco-editor/editor/editor.worker?worker";

/** Workers of languages that bring their own, by the language's name. */
export const LANGUAGE_WORKERS = new Map<string, () => Worker>();

self.MonacoEnvironment = { getWorker: (_, label) => LANGUAGE_WORKERS.get(label)?.() ?? new EditorWorker() };

// biome-ignore lint/performance/noBarrelFile: the features above must be evaluated before anything uses the API
export { editor, KeyCode, KeyMod, languages, MarkerSeverity, Range, Uri } from "monaco-editor/editor";
