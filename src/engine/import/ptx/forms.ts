/** The forms of an opcode's spelling: the table of instructions, read once, and matched by the words of each spelling that a text has. */

import { type Effect, INSTRUCTIONS, TYPE_SETS, WORD_SETS, WORDS_SINCE } from "./instructions.ts";
import type { OpWords } from "./spelling.ts";
import { type PtxType, ptxType } from "./types.ts";

/** What an operand must be. `type`: the type that a register must fit, null where there is no rule. */
export interface Need {
  readonly isResult: boolean;
  readonly type: PtxType | null;
  /** A memory reference, a label, a register that can be an address, or a value. */
  readonly kind: "value" | "mem" | "label" | "addr" | "any";
  /** `~@$[{#|_?` of the table. */
  readonly wider: boolean;
  readonly special: boolean;
  readonly address: boolean;
  readonly packed: boolean;
  readonly vector: boolean;
  readonly number: boolean;
  readonly pair: boolean;
  readonly twoResults: boolean;
  /** Of a number; 0: none. */
  readonly below: number;
  readonly multipleOf: number;
  /** The type is the table's own, not one of the spelling. */
  readonly isFixed: boolean;
  readonly dropped: boolean;
  readonly optional: boolean;
}

/** A version as `10 * major + minor`, a target as the number after `sm_`; 0: from the beginning; as an end: none. */
interface Since {
  readonly isa: number;
  readonly sm: number;
}

/** A form as the words of a spelling made it. */
export interface Form {
  readonly needs: readonly Need[];
  readonly least: number;
  readonly since: Since;
  /** From both on the form is gone. */
  readonly until: Since;
}

interface Group {
  readonly choices: readonly string[];
  readonly required: boolean;
  /** The last operand is there only with one of these words. */
  readonly brings: boolean;
}

interface Pattern {
  readonly open: boolean;
  readonly groups: readonly Group[];
  readonly types: readonly ReadonlySet<string>[];
  readonly operands: readonly string[];
  readonly isVector: boolean;
  readonly since: Since;
  readonly until: Since;
}

interface Instruction {
  readonly effect: Effect;
  readonly meaning: string;
  /** Empty: not checked. */
  readonly patterns: readonly Pattern[];
}

const NOWHERE: Since = { isa: 0, sm: 0 };
const TABLE = readTable();

/** Instructions on parts of words, all alike. */
const VIDEO = /^v(?:add|sub|absdiff|min|max|avrg|set|shl|shr|mad)[24]?$/;
const VIDEO_INSTRUCTION: Instruction = { effect: "pure", meaning: "video instruction on parts of words", patterns: [] };

/** Undefined for a root that no PTX version has. */
export function instructionOf(root: string): Instruction | undefined {
  return TABLE.get(root) ?? (VIDEO.test(root) ? VIDEO_INSTRUCTION : undefined);
}

/** The forms that the words of a spelling fit; null: its root is not checked, or there is none of this name. */
export function formsOf(op: OpWords): readonly Form[] | null {
  const patterns = TABLE.get(op.root)?.patterns ?? [];
  if (patterns.length === 0) return null;
  return patterns.flatMap((pattern) => formOf(pattern, op) ?? []);
}

/** The types that the first type of a root can be; for a message. */
export function typesOf(root: string): readonly string[] {
  const patterns = TABLE.get(root)?.patterns ?? [];
  return [...new Set(patterns.flatMap((pattern) => [...(pattern.types[0] ?? [])]))];
}

function readTable(): ReadonlyMap<string, Instruction> {
  const table = new Map<string, Instruction>();
  let patterns: Pattern[] = [];
  for (const line of INSTRUCTIONS.trim().split("\n")) {
    if (line.startsWith("  = ")) {
      patterns.push(...(table.get(line.slice(4))?.patterns ?? []));
    } else if (line.startsWith("  ")) {
      patterns.push(readPattern(line));
    } else {
      const [root = "", effect = "", ...words] = line.split(" ");
      patterns = [];
      table.set(root, { effect: effect as Effect, meaning: words.join(" "), patterns });
    }
  }
  return table;
}

function readPattern(line: string): Pattern {
  const at = line.indexOf(" :");
  const groups: Group[] = [];
  const types: ReadonlySet<string>[] = [];
  let open = false;
  for (const word of line.slice(0, at).split(" ").filter(Boolean)) {
    if (word === "?") open = true;
    else if (word.includes("=")) types.push(typeSet(word.slice(2)));
    else groups.push(readGroup(word));
  }
  const operands = line
    .slice(at + 2)
    .split(" ")
    .filter(Boolean);
  const since = takeVersion(operands, "isa", "sm");
  const until = takeVersion(operands, "until", "until");
  const isVector = operands.at(-1) === "vector" && operands.pop() !== undefined;
  return { open, groups, types, operands, isVector, since, until };
}

/** `isa N sm N`, either of them alone, or `until N N`. */
function takeVersion(operands: string[], first: "isa" | "until", second: "sm" | "until"): Since {
  const at = operands.findIndex((word) => word === first || word === second);
  if (at < 0) return NOWHERE;
  const words = operands.splice(at);
  const numberAfter = (word: string): number => Number(words[words.indexOf(word) + 1] ?? 0) * (words.includes(word) ? 1 : 0);
  if (first === "until") return { isa: Number(words[1]), sm: Number(words[2]) };
  return { isa: numberAfter("isa"), sm: numberAfter("sm") };
}

function typeSet(text: string): ReadonlySet<string> {
  return new Set(text.split(",").flatMap((name) => (TYPE_SETS[name] ?? name).split(",")));
}

function readGroup(word: string): Group {
  const last = word.at(-1) ?? "";
  const names = "?!&".includes(last) ? word.slice(0, -1) : word;
  return { choices: (WORD_SETS[names] ?? names).split("|"), required: last !== "?" && last !== "&", brings: last === "&" };
}

/** Caching hints of both levels, which any memory access may have. */
const HINT = /^(?:L1|L2|level)::/;

/** Words that the assembler takes twice. */
const REPEATED = new Set(["sat", "approx", "cc", "NaN", "sync", "relu"]);

function formOf(pattern: Pattern, op: OpWords): readonly [Form] | null {
  const { groups, types, operands } = pattern;
  const taken = groups.map(() => false);
  for (const [i, mod] of op.mods.entries()) {
    if (REPEATED.has(mod) && op.mods.indexOf(mod) < i) continue;
    const at = groups.findIndex((group, i) => !taken[i] && group.choices.includes(mod));
    if (at >= 0) taken[at] = true;
    else if (!pattern.open && !HINT.test(mod)) return null;
  }
  if (groups.some((group, i) => group.required && !taken[i])) return null;
  if (op.types.length !== types.length && !(pattern.open && types.length === 0)) return null;
  if (!types.every((set, i) => set.has(op.types[i]?.name ?? ""))) return null;
  const hinted = op.mods.includes("L2::cache_hint");
  const needs = operands.filter((text) => hinted || !text.endsWith("^")).map((text) => readNeed(text, op));
  if (op.vector > 1 && !pattern.isVector && !needs.some((need) => need.vector)) return null;
  if (pattern.isVector && op.vector === 1) return null;
  if (groups.some((group, i) => group.brings && !taken[i])) needs.pop();
  const least = needs.filter((need) => !need.optional).length;
  return [{ needs, least, since: sinceOf(pattern, op), until: pattern.until }];
}

function sinceOf({ since }: Pattern, op: OpWords): Since {
  let { isa, sm } = since;
  for (const word of [...op.mods, ...op.types.map((type) => type.name)]) {
    isa = Math.max(isa, WORDS_SINCE[word]?.isa ?? 0);
    sm = Math.max(sm, WORDS_SINCE[word]?.sm ?? 0);
  }
  return { isa, sm };
}

function readNeed(text: string, op: OpWords): Need {
  const [, role = "", name = "", flags = ""] = /^([ds]):([a-z0-9]+|[A-Z])([^a-z0-9].*|)$/.exec(text) ?? [];
  const has = (flag: string): boolean => flags.includes(flag);
  return {
    isResult: role === "d",
    type: typeOf(name, op),
    kind: name === "mem" || name === "label" || name === "addr" || name === "any" ? name : "value",
    wider: has("~"),
    special: has("@"),
    address: has("$"),
    packed: has("["),
    vector: has("{"),
    number: has("#"),
    pair: has("|"),
    twoResults: has("||"),
    below: Number(/<(\d+)/.exec(flags)?.[1] ?? 0),
    multipleOf: Number(/%(\d+)/.exec(flags)?.[1] ?? 0),
    isFixed: name.length > 1,
    dropped: has("_"),
    optional: has("?"),
  };
}

function typeOf(name: string, op: OpWords): PtxType | null {
  if (name === "T") return op.types[0] ?? null;
  if (name === "U") return op.types[1] ?? null;
  if (name === "W") return twiceAsWide(op.types[0]);
  return ptxType(name) ?? (name === "word" ? (ptxType("u32") ?? null) : null);
}

function twiceAsWide(type: PtxType | undefined): PtxType | null {
  return type === undefined ? null : (ptxType(`${type.kind}${type.bits * 2}`) ?? null);
}
