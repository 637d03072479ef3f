/** A language that a feature adds to Ori and PTX: what the page needs to show and run its programs. */

import type { languages } from "monaco-editor/editor";
import { FORMATS, type SourceFormat } from "../../base/formats.ts";
import type { Session } from "./session.ts";
import { formatOf } from "./source-lines.ts";
import type { SessionState } from "./state.ts";

export interface TextLanguage {
  readonly id: SourceFormat;
  /** What its texts are. */
  readonly about: string;
  /** The command that produces one. */
  readonly command?: string;
  /** Loaded with the first text. */
  readonly tokens: () => Promise<LanguageTokens>;
  /** What a run is given; the default is that of a program in Ori. */
  readonly input?: LanguageInput;
}

export interface LanguageTokens {
  readonly monarch: languages.IMonarchLanguage;
  /** The default is Ori's. */
  readonly configuration?: languages.LanguageConfiguration;
}

/** Programs with typed parameters and no special registers. */
export interface LanguageInput {
  readonly threads: string;
  /** How values are written. */
  readonly hint: string;
  /** The initial value of a parameter, by its type. */
  readonly first: Readonly<Record<string, string>>;
}

type Page = Pick<Session, "features">;

export const languagesOf = ({ features }: Page): readonly TextLanguage[] => features.flatMap(({ language }) => language ?? []);

/** The languages of this page, in their order. */
export const formatsOf = (page: Page): readonly SourceFormat[] =>
  FORMATS.filter((id) => id === "ori" || id === "ptx" || languagesOf(page).some((language) => language.id === id));

/** That of the program as it was read last; undefined for Ori and PTX. */
export const languageOf = (page: Page, state: SessionState): TextLanguage | undefined =>
  languagesOf(page).find(({ id }) => id === formatOf(state));
