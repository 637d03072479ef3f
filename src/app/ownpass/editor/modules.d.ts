/** What the build makes, and what a library has no types for. */
declare module "virtual:pass-types" {
  /** Declares `oriscope/pass`. */
  export const PASS_TYPES: string;
}

declare module "monaco-editor/languages/definitions/typescript/typescript" {
  import type { languages } from "monaco-editor/editor";
  export const conf: languages.LanguageConfiguration;
  export const language: languages.IMonarchLanguage;
}
