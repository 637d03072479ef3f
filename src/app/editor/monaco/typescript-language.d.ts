/** Types of a module of Monaco that it has none for. */
declare module "monaco-editor/languages/definitions/typescript/typescript" {
  import type { languages } from "monaco-editor/editor";
  export const conf: languages.LanguageConfiguration;
  export const language: languages.IMonarchLanguage;
}
