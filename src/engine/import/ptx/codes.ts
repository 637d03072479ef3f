/** The messages of the PTX importer: stable codes, severities, one line of explanation each. */

import type { CodeInfo } from "../diagnostics.ts";

export const PTX_CODES = {
  PTX001: { severity: "error", title: "The text is binary data, not PTX." },
  PTX002: { severity: "error", title: "The text is larger than the importer accepts." },
  PTX003: { severity: "error", title: "No .entry or .func with a body was found, and nothing else of a module." },
  PTX004: { severity: "error", title: "An unexpected character or word." },
  PTX005: { severity: "error", title: "An unterminated comment or string." },
  PTX006: { severity: "error", title: "A malformed literal." },
  PTX007: { severity: "error", title: "A syntax error: something else was expected here." },
  PTX008: { severity: "warning", title: "An unknown directive; it was skipped." },
  PTX009: { severity: "error", title: "The text ends inside a body, a list or a statement." },
  PTX010: { severity: "error", title: "A branch to a label that is not in the body; the thread ends there." },
  PTX011: { severity: "warning", title: "A label that is defined twice in one scope; the first one counts." },
  PTX012: { severity: "info", title: "A second function or symbol of the same name; it was renamed." },
  PTX013: { severity: "info", title: "Registers without a declaration in a cut-out; their type was inferred from their name." },
  PTX014: { severity: "warning", title: "A register without a declaration in a cut-out, whose name does not imply its type." },
  PTX015: { severity: "info", title: "An instruction the model does not know; it is kept as opaque." },
  PTX016: {
    severity: "info",
    title: "A known instruction in a form or with operands that the model does not support; it is kept as opaque.",
  },
  PTX017: {
    severity: "warning",
    title: "A symbol without a declaration in a cut-out; its space was inferred from its use, and its address is a stand-in.",
  },
  PTX018: { severity: "warning", title: "Text between functions that is neither a directive nor a listing's preamble; it was skipped." },
  PTX019: { severity: "error", title: "A list of branch targets that is not in the body." },
  PTX020: { severity: "warning", title: "Braces nested deeper than the importer follows." },
  PTX021: { severity: "warning", title: "An initial value the importer can't compute; zero is used." },
  PTX022: { severity: "warning", title: "A name declared twice in one scope with different types; the last one counts." },
  PTX023: { severity: "warning", title: "A body was closed by the start of another function." },
  PTX024: { severity: "warning", title: "No PTX instruction has this name; it is kept as opaque and may do anything." },
  PTX025: {
    severity: "error",
    title: "A constant expression divides by zero, or has an operand of a kind that its operator does not take.",
  },
  PTX026: { severity: "error", title: "The number of operands, or the type or the size of one, does not fit the instruction." },
  PTX027: { severity: "error", title: "PTX has no such form of the instruction." },
  PTX028: { severity: "error", title: "The instruction is not in the text's version of PTX, or not on its target." },
  PTX029: { severity: "error", title: "A name that nothing declares." },
  PTX030: { severity: "warning", title: "A placeholder where a version or a target is expected; the text is read as if it had none." },
  PTX099: { severity: "warning", title: "More messages than are reported." },
} as const satisfies Readonly<Record<string, CodeInfo>>;

export type PtxCode = keyof typeof PTX_CODES;
