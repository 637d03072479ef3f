/** Languages of programs by the names that links, files and commands give them: a language is named even where it is not read. */

/** The languages that are read. */
export type SourceFormat = "ori" | "ptx" | "sass" | "bril";

/** For people. */
export const FORMAT_NAMES: Readonly<Record<SourceFormat, string>> = { ori: "Ori", ptx: "PTX", sass: "SASS", bril: "Bril" };

export const FORMATS = Object.keys(FORMAT_NAMES) as readonly SourceFormat[];
