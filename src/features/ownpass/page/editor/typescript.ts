/** TypeScript for the user's passes: its language services in a separate worker, with our types and the language's library and nothing else. */

// The hints next to a call: only useful here.
import "monaco-editor/features/parameterHints/register";
import "monaco-editor/features/indentation/register";
import "monaco-editor/languages/definitions/typescript/register";
import { ModuleKind, ModuleResolutionKind, ScriptTarget, typescriptDefaults } from "monaco-editor/languages/features/typescript/register";
import TypeScriptWorker from "monaco-editor/languages/features/typescript/ts.worker?worker";
import { LANGUAGE_WORKERS } from "../../../../app/editor/monaco/api.ts";
import { PASS_TYPES } from "./pass-types.generated.ts";

export const LANGUAGE = "typescript";
const TYPES = "file:///oriscope/pass.d.ts";
/** Rules of style that do not matter to a pass: the user's file is not checked strictly. */
const IGNORED = [
  // 'x' is declared but its value is never read, and kin: greyed out by the editor.
  6133, 6192, 6196, 6198,
];

let tellMissing: () => void = () => undefined;

/** `tell` is called once when TypeScript could not be loaded: the page has no network, and the tab was never opened with one. */
export function onTypeScriptMissing(tell: () => void): void {
  let told = false;
  tellMissing = () => {
    if (!told) tell();
    told = true;
  };
}

LANGUAGE_WORKERS.set(LANGUAGE, () => {
  const worker = new TypeScriptWorker();
  let here = false;
  worker.addEventListener("message", () => {
    here = true;
  });
  worker.addEventListener("error", (event) => {
    // Monaco would throw the event as an error without a message.
    if (here) return;
    event.stopImmediatePropagation();
    tellMissing();
  });
  return worker;
});
typescriptDefaults.setCompilerOptions({
  target: ScriptTarget.ESNext,
  lib: ["lib.es2023.d.ts"],
  module: ModuleKind.ESNext,
  moduleResolution: ModuleResolutionKind.NodeJs,
  // A file is a module also while it exports nothing yet: its names are its own.
  moduleDetection: 3,
  allowNonTsExtensions: true,
  noEmit: true,
  strict: true,
  types: [],
});
typescriptDefaults.setDiagnosticsOptions({ diagnosticCodesToIgnore: IGNORED });
typescriptDefaults.setExtraLibs([{ filePath: TYPES, content: PASS_TYPES }]);
