/** Codes of the Bril importer's messages. */

import type { CodeInfo } from "../diagnostics.ts";

export const BRIL_CODES = {
  BRIL001: { severity: "error", title: "The input is not text." },
  BRIL002: { severity: "error", title: "The text is longer than the importer takes." },
  BRIL003: { severity: "error", title: "The text holds no function." },
  BRIL004: { severity: "error", title: "A character or word that begins nothing at this place." },
  BRIL005: { severity: "error", title: "Something else was expected at this place." },
  BRIL006: { severity: "error", title: "A literal that is none, or does not fit its type." },
  BRIL007: { severity: "error", title: "The text is not JSON." },
  BRIL008: { severity: "error", title: "A value of the JSON has another type than the format asks for, or is missing." },
  BRIL009: { severity: "error", title: "A key that stands twice in one object of the JSON." },
  BRIL010: { severity: "error", title: "A type that is not known, or not supported." },
  BRIL011: { severity: "error", title: "A variable with two types in one function." },
  BRIL012: { severity: "error", title: "An argument of another type than the operation takes, or another number of them." },
  BRIL013: { severity: "error", title: "A label that is not in the function." },
  BRIL014: { severity: "error", title: "A function that is not in the program." },
  BRIL015: { severity: "error", title: "Two functions or parameters of one name." },
  BRIL016: { severity: "warning", title: "A label that stands twice in one function; the first one counts." },
  BRIL017: { severity: "warning", title: "An operation that is not known; it stays opaque." },
  BRIL018: { severity: "error", title: "An operation that has no form here." },
  BRIL019: { severity: "error", title: "A result, a type or a value that is missing, or that the operation does not have." },
  BRIL020: { severity: "warning", title: "A variable that nothing in the function gives a value." },
  BRIL021: { severity: "info", title: "A call that was not inlined: the function would become too large." },
  BRIL022: { severity: "warning", title: "A phi without a value for a way into its block, or with one for a way that is not there." },
  BRIL023: { severity: "warning", title: "A return that does not agree with the function's type." },
  BRIL024: { severity: "warning", title: "A value of the JSON that the format does not know; it was ignored." },
  BRIL025: { severity: "warning", title: "A variable that is read where no value has reached it." },
  BRIL026: { severity: "info", title: "No @main: nothing says where a run begins." },
  BRIL027: { severity: "error", title: "More arguments or parameters than anybody writes." },
  BRIL099: { severity: "warning", title: "More messages than are reported." },
} as const satisfies Readonly<Record<string, CodeInfo>>;

export type BrilCode = keyof typeof BRIL_CODES;
