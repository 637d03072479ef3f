/** Codes of the Bril importer's messages. */

import type { CodeInfo } from "../../../engine/import/diagnostics.ts";

export const BRIL_CODES = {
  BRIL001: { severity: "error", title: "The input is not text." },
  BRIL002: { severity: "error", title: "The text is longer than the importer accepts." },
  BRIL003: { severity: "error", title: "The text contains no function." },
  BRIL004: { severity: "error", title: "An unexpected character or word." },
  BRIL005: { severity: "error", title: "A syntax error: something else was expected here." },
  BRIL006: { severity: "error", title: "A malformed literal, or one that does not fit its type." },
  BRIL007: { severity: "error", title: "The text is not JSON." },
  BRIL008: { severity: "error", title: "A JSON value has a different type than the format requires, or is missing." },
  BRIL009: { severity: "error", title: "A key that occurs twice in one JSON object." },
  BRIL010: { severity: "error", title: "A type that is not known, or not supported." },
  BRIL011: { severity: "error", title: "A variable with two types in one function." },
  BRIL012: { severity: "error", title: "An argument of the wrong type for the operation, or the wrong number of arguments." },
  BRIL013: { severity: "error", title: "A label that is not in the function." },
  BRIL014: { severity: "error", title: "A function that is not in the program." },
  BRIL015: { severity: "error", title: "Two functions or parameters of one name." },
  BRIL016: { severity: "warning", title: "A label that is defined twice in one function; the first one counts." },
  BRIL017: { severity: "warning", title: "An operation that is not known; it stays opaque." },
  BRIL018: { severity: "error", title: "An operation that is not supported." },
  BRIL019: { severity: "error", title: "A result, type or value that is missing, or that the operation does not have." },
  BRIL020: { severity: "warning", title: "A variable that nothing in the function gives a value." },
  BRIL021: { severity: "info", title: "A call that was not inlined: the function would become too large." },
  BRIL022: { severity: "warning", title: "A phi without a value for a predecessor, or with one for a block that is not a predecessor." },
  BRIL023: { severity: "warning", title: "A return that does not agree with the function's type." },
  BRIL024: { severity: "warning", title: "A value of the JSON that the format does not know; it was ignored." },
  BRIL025: { severity: "warning", title: "A variable that is read where no value has reached it." },
  BRIL026: { severity: "info", title: "No @main: nothing says where a run begins." },
  BRIL027: { severity: "error", title: "Too many arguments or parameters." },
  BRIL099: { severity: "warning", title: "More messages than are reported." },
} as const satisfies Readonly<Record<string, CodeInfo>>;

export type BrilCode = keyof typeof BRIL_CODES;
