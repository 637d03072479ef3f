/** Reads `NAME=VALUE` assignments into settings, or into errors that say where and what. */

import { closest } from "../../base/closest.ts";
import type { KnobValue } from "./knob-row.ts";
import { KNOBS, type Knob, type KnobKey, knobLabel } from "./knobs.ts";

/** Values that differ from the defaults, by key: plain data, kept in links. `null` is 'unset', for a budget 'unbounded'. */
export type KnobSettings = Readonly<Partial<Record<KnobKey, KnobValue>>>;

export type KnobErrorCode = "KNOB001" | "KNOB002" | "KNOB003" | "KNOB004";

/** One thing wrong with one assignment. */
export interface KnobError {
  /** 001 no `=`; 002 unknown knob; 003 not a value of the knob's type; 004 out of range. */
  readonly code: KnobErrorCode;
  /** Index of the assignment in the list given. */
  readonly assignment: number;
  /** 1-based column in the assignment. */
  readonly column: number;
  readonly length: number;
  readonly message: string;
  /** What was probably meant, as a whole assignment or a name. */
  readonly suggestion: string | null;
}

export interface ParsedKnobs {
  readonly settings: KnobSettings;
  readonly errors: readonly KnobError[];
}

const BY_WORD = new Map<string, Knob>();
for (const knob of KNOBS) {
  const words = [knob.key, knob.name, knob.rot13];
  if (knob.index !== null) words.push(String(knob.index), `knob-${knob.index}`, `knob ${knob.index}`);
  for (const word of words) if (word !== null) BY_WORD.set(word.toLowerCase(), knob);
}

/** What 'did you mean' may offer. */
const SPELLINGS: readonly string[] = KNOBS.flatMap((knob) =>
  knob.name === null || knob.name === knob.key ? [knob.key] : [knob.name, knob.key],
);

/** The knob of this name, key, number or ROT13 name, ignoring case. */
export const findKnob = (word: string): Knob | undefined => BY_WORD.get(word.toLowerCase().replace(/\s+/g, " "));

/** Parses assignments such as `SwitchOptBudget=10`, `464=0` or `enable-gvn-cse=off`. A later one wins over an earlier one of the same knob. */
export function parseKnobs(assignments: readonly string[]): ParsedKnobs {
  const settings: Partial<Record<KnobKey, KnobValue>> = {};
  const errors: KnobError[] = [];
  assignments.forEach((text, assignment) => {
    const parsed = parseAssignment(text);
    if ("knob" in parsed) settings[parsed.knob.key] = parsed.value;
    else errors.push({ assignment, ...parsed });
  });
  return { settings, errors };
}

type Failure = Omit<KnobError, "assignment">;
type Assigned = { readonly knob: Knob; readonly value: KnobValue };

function parseAssignment(text: string): Assigned | Failure {
  const equals = text.indexOf("=");
  if (equals < 0) {
    const column = 1 + text.length - text.trimStart().length;
    const known = findKnob(text.trim());
    return {
      code: "KNOB001",
      column,
      length: text.trim().length,
      message: `A knob is set as NAME=VALUE; '${clip(text.trim())}' has no '='.`,
      suggestion: known === undefined ? null : `${text.trim()}=${exampleValue(known)}`,
    };
  }
  const name = text.slice(0, equals).trim();
  const knob = findKnob(name);
  if (knob === undefined) {
    const suggestion = closest(name, SPELLINGS);
    return {
      code: "KNOB002",
      column: 1 + text.length - text.trimStart().length,
      length: name.length,
      message: `There is no knob '${clip(name)}'${suggestion === null ? "" : `; did you mean ${suggestion}?`}`,
      suggestion,
    };
  }
  const raw = text.slice(equals + 1);
  const column = equals + 2 + (raw.length - raw.trimStart().length);
  return parseValue(knob, raw.trim(), column);
}

const FLAG_WORDS: Readonly<Record<string, boolean>> = {
  "1": true,
  true: true,
  on: true,
  yes: true,
  "0": false,
  false: false,
  off: false,
  no: false,
};
const BUDGET_WORDS: Readonly<Record<string, number | null>> = { on: null, unbounded: null, none: null, off: 0 };

function parseValue(knob: Knob, raw: string, column: number): Assigned | Failure {
  const word = raw.toLowerCase();
  const value = wordValue(knob, word) ?? number(knob, word);
  if (value === undefined) {
    return {
      code: "KNOB003",
      column,
      length: raw.length,
      message: `${knobLabel(knob)} takes ${expected(knob)}, not '${clip(raw)}'.`,
      suggestion: closest(raw, acceptedWords(knob)),
    };
  }
  const { min, max } = knob;
  if (typeof value.value === "number" && min !== null && max !== null && (value.value < min || value.value > max)) {
    return {
      code: "KNOB004",
      column,
      length: raw.length,
      message: `${knobLabel(knob)} must be between ${min} and ${max}, not ${clip(raw)}.`,
      suggestion: String(value.value < min ? min : max),
    };
  }
  return { knob, value: value.value };
}

/** A boxed value, so that `null` (unset) differs from 'not a word of this knob'. */
type Boxed = { readonly value: KnobValue };

function wordValue(knob: Knob, word: string): Boxed | undefined {
  const own = knob.words[word];
  if (own !== undefined && Object.hasOwn(knob.words, word)) return { value: own };
  if (word === "default" || word === "unset") return { value: knob.default };
  if (knob.type === "flag" && Object.hasOwn(FLAG_WORDS, word)) return { value: FLAG_WORDS[word] ?? false };
  if (knob.type === "budget" && Object.hasOwn(BUDGET_WORDS, word)) return { value: BUDGET_WORDS[word] ?? null };
  return undefined;
}

function number(knob: Knob, word: string): Boxed | undefined {
  if (knob.type === "flag") return undefined;
  const whole = /^[-+]?(?:0x[0-9a-f]+|\d+)$/;
  const decimal = /^[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?$/;
  if (!(knob.type === "double" ? decimal : whole).test(word)) return undefined;
  const magnitude = Number(word.replace(/^[-+]/, ""));
  return { value: word.startsWith("-") && magnitude !== 0 ? -magnitude : magnitude };
}

function acceptedWords(knob: Knob): readonly string[] {
  const words = [...Object.keys(knob.words), "default", "unset"];
  if (knob.type === "flag") words.push(...Object.keys(FLAG_WORDS));
  if (knob.type === "budget") words.push(...Object.keys(BUDGET_WORDS));
  return words;
}

function expected(knob: Knob): string {
  const words = Object.keys(knob.words);
  switch (knob.type) {
    case "flag":
      return "on or off";
    case "int":
      return words.length === 0 ? "an integer" : `an integer or one of ${words.join(", ")}`;
    case "budget":
      return "an integer, off or unbounded";
    case "double":
      return "a number";
  }
}

function exampleValue(knob: Knob): string {
  if (knob.type === "flag") return knob.default === true ? "off" : "on";
  return String(knob.default ?? 0);
}

/** Keeps messages short whatever was typed. */
const clip = (text: string): string => (text.length > 60 ? `${text.slice(0, 57)}…` : text);
