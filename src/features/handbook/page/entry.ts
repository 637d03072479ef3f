/** What a page of the handbook is: plain data, drawn by the page and by the static site. */

import type { OpcodeProgram } from "./opcode-programs.ts";
import type { Shown } from "./shown-by.ts";

export const ENTRY_KINDS = ["phase", "structure", "field", "condition", "opcode", "knob", "api"] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

export const KIND_TITLES: Readonly<Record<EntryKind, string>> = {
  phase: "Phases",
  structure: "Structures",
  field: "Fields of records",
  condition: "Conditions",
  opcode: "Opcodes",
  knob: "Knobs",
  api: "API of passes",
};

/** A piece of a line: text, code, or a link to another page by its id. */
export type Inline = string | { readonly code: string } | { readonly to: string; readonly text: string };

export type Block =
  | { readonly kind: "text"; readonly line: readonly Inline[] }
  | { readonly kind: "heading"; readonly text: string }
  | { readonly kind: "list"; readonly items: readonly (readonly Inline[])[] }
  /** A table without a head: what, and what it is. */
  | { readonly kind: "pairs"; readonly rows: readonly (readonly [string, readonly Inline[]])[] }
  | { readonly kind: "table"; readonly head: readonly string[]; readonly rows: readonly (readonly (readonly Inline[])[])[] }
  /** `numbered`: from 1. */
  | { readonly kind: "code"; readonly lines: readonly string[]; readonly numbered: boolean };

export interface Entry {
  /** `phase:49`, `structure:value-table`, `field:+152`, `condition:gvn-cse:dominance`, `opcode:LOP3`, `knob:351`, `api:Block`. */
  readonly id: string;
  readonly kind: EntryKind;
  /** In plain words. */
  readonly title: string;
  /** As the reference names it; empty where that says the same. */
  readonly name: string;
  /** What else one may search for. */
  readonly also: string;
  /** Made when the page is opened. */
  readonly body: () => readonly Block[];
  /** What opens in the page; null: there is none, and the body explains why. */
  readonly example: Example | null;
  /** Id of the phase to go to; null: none. */
  readonly phase: string | null;
}

export type Example =
  /** `label`: what the button says. */
  | { readonly kind: "shown"; readonly shown: Shown; readonly label: string }
  | { readonly kind: "opcode"; readonly name: string; readonly program: OpcodeProgram; readonly label: string };

export const SHOWS_IT = "Open a program that shows it";

export const shownExample = (shown: Shown, label: string = SHOWS_IT): Example => ({ kind: "shown", shown, label });

export const text = (...line: readonly Inline[]): Block => ({ kind: "text", line });
export const heading = (title: string): Block => ({ kind: "heading", text: title });
export const code = (word: string): Inline => ({ code: word });
export const link = (to: string, title: string): Inline => ({ to, text: title });

/** Inlines with a comma between them. */
export function listed(items: readonly Inline[]): readonly Inline[] {
  return items.flatMap((item, i) => (i === 0 ? [item] : [", ", item]));
}

/** A sentence of a table of rules, with the words of its holes in angle brackets. */
export function sentence(template: string): string {
  return template.replace(/\{(\w+)(?::([^{}|]*)(?:\|[^{}]*)?)?\}/g, (_, hole: string, word: string | undefined) =>
    word === undefined || KINDS.has(word) ? `‹${hole}›` : word,
  );
}

/** What a hole may name as its content; anything else after its name are words for a count. */
const KINDS: ReadonlySet<string> = new Set(["inst", "block", "reg", "insts", "blocks", "regs"]);
