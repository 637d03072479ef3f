/** The facts of an event as people read them: names in words, values in short. */

import type { Facts, FactValue } from "../../engine/trace/event.ts";
import { conditionReference } from "./conditions.ts";

/** What the sentence, the verdict or the other policy's answer says already, or what only the machinery reads. */
const SAID: ReadonlySet<string> = new Set([
  "pipeline",
  "sentence",
  "said",
  "verdict",
  "condition",
  "why",
  "about",
  "rule",
  "n",
  "op",
  "id",
  "name",
  "phase",
  "otherPolicy",
  "otherVerdict",
  "otherAnswer",
]);

export interface FactRow {
  readonly name: string;
  readonly value: string;
}

/** Names that are short in the code. */
const WORDS: Readonly<Record<string, string>> = {
  at: "place in its block",
  defs: "definitions",
  fromAt: "from place",
  func: "function",
  inst: "instruction",
  insts: "instructions",
  prev: "before it",
  reg: "register",
  regs: "registers",
  succ: "successor",
  toAt: "to place",
};

/** `takenLimit` is 'taken limit'. */
export function factName(key: string): string {
  const known = WORDS[key];
  if (known !== undefined) return known;
  return key
    .replace(/([a-z])([A-Z])/g, "$1 $2")
    .replaceAll(/[-_]/g, " ")
    .toLowerCase();
}

function factValue(value: FactValue): string {
  if (value === null) return "none";
  if (value === true) return "yes";
  if (value === false) return "no";
  return Array.isArray(value) ? value.join(", ") : String(value);
}

/** Facts with the reference's own names: fields and flags. The sentence has them in words. */
const NAMED: ReadonlySet<string> = new Set(["mask", "accumulator", "field", "set", "cleared"]);
/** Hex, an offset into a record, a symbol. */
const EXACT = /^(?:0x[0-9a-f]+|\+\d.*|(?:sub|off)_[0-9A-F]+)$/i;

/** Facts that are one press away: the words and numbers as the machine has them. */
const isExact = (key: string, value: FactValue): boolean =>
  key.endsWith("Hex") || NAMED.has(key) || [value].flat().some((one) => typeof one === "string" && EXACT.test(one));

/** What an event reckons with as the reference has it: the name of its condition, hex, offsets, and the calculation where it is one. */
export function exactRows(facts: Facts): readonly FactRow[] {
  const sum = calculation(facts);
  const rows = Object.entries(facts).flatMap(([key, value]) => {
    if (!isExact(key, value) || SAID.has(key) || [value].flat().length === 0) return [];
    return [{ name: factName(key.replace(/Hex$/, "")), value: factValue(value) }];
  });
  const reference = typeof facts.condition === "string" ? conditionReference(facts.condition) : null;
  const named = reference === null ? [] : [{ name: "condition", value: reference }];
  return [...named, ...(sum === null ? rows : [{ name: "calculation", value: sum }])];
}

function calculation(facts: Facts): string | null {
  const { op, hashHex, mask, bucket, beforeHex, byteHex, xoredHex, afterHex, to } = facts;
  if (op === "fnv-byte") return `(${beforeHex} xor ${byteHex}) = ${xoredHex}; ${xoredHex} × 0x01000193 = ${afterHex}, modulo 2³²`;
  if (op === "bucket") return `${hashHex} & ${mask} = ${bucket}`;
  if (op === "move") return `${hashHex} & ${Number(to) - 1} = ${bucket}`;
  return null;
}

/** The values that an event's decision rests on. */
export function factRows(facts: Facts): readonly FactRow[] {
  return Object.entries(facts).flatMap(([key, value]) => {
    if (SAID.has(key) || isExact(key, value)) return [];
    const shown = factValue(value);
    // An instruction that replaces another.
    const name = key === "inst" && facts.before !== undefined ? "after" : factName(key);
    return shown === "" ? [] : [{ name, value: shown }];
  });
}
