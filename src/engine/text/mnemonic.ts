/** A written mnemonic (`ISETP.GE.U32`) as opcode and modifiers, with the spellings of SASS listings that this language has other words for. */

import { closest } from "../../base/closest.ts";
import { type OrderedMods, orderMods } from "../ir/mods.ts";
import { isOpcode, modGroupsOf, OPCODES, type Opcode } from "../ir/opcodes.ts";
import type { OriCode } from "./codes.ts";

export interface MnemonicProblem {
  readonly code: OriCode;
  readonly message: string;
  readonly suggestion: string | null;
}

/** `mods` are in canonical order. */
export type Mnemonic = { readonly op: Opcode; readonly mods: readonly string[] } | MnemonicProblem;

export function isMnemonicProblem(m: Mnemonic): m is MnemonicProblem {
  return "code" in m;
}

const ALIASES: Readonly<Record<string, Opcode>> = { ATOMG: "ATOM", TRAP: "KILL", UMOV: "MOV" };

/** Modifiers of listings that carry nothing this language models, by opcode. */
const IGNORED: Readonly<Partial<Record<Opcode, readonly string[]>>> = {
  LOP3: ["LUT"],
  PLOP3: ["LUT"],
  LDG: ["E", "SYS", "GPU", "CTA"],
  STG: ["E", "SYS", "GPU", "CTA"],
  LD: ["E", "SYS", "GPU", "CTA"],
  ST: ["E", "SYS", "GPU", "CTA"],
  ATOM: ["E", "SYS", "GPU", "CTA", "STRONG"],
  RED: ["E", "SYS", "GPU", "CTA", "STRONG"],
  LDS: ["U"],
  CALL: ["REL", "ABS", "NOINC"],
  RET: ["REL", "ABS", "NODEC"],
  BSSY: ["RECONVERGENT", "RELIABLE"],
  BSYNC: ["RECONVERGENT", "RELIABLE"],
  BAR: ["DEFER_BLOCKING"],
};

/** Reads mnemonics; each spelling is worked out once. */
export class Mnemonics {
  private readonly known = new Map<string, Mnemonic>();

  read(text: string): Mnemonic {
    let found = this.known.get(text);
    if (found === undefined) {
      found = resolve(text);
      this.known.set(text, found);
    }
    return found;
  }
}

function resolve(text: string): Mnemonic {
  const [name = "", ...given] = text.split(".");
  const op = ALIASES[name] ?? name;
  if (!isOpcode(op)) {
    const guess = closest(name, Object.keys(OPCODES));
    return { code: "ORI010", message: `Unknown opcode '${clip(name)}'.`, suggestion: guess === null ? null : [guess, ...given].join(".") };
  }
  const ordered = orderMods(op, withDefaults(op, given));
  const rest = ordered.unknown.filter((mod) => !isIgnored(op, mod));
  const [unknown] = rest;
  if (unknown !== undefined) return unknownModifier(op, given, unknown, ordered);
  const [missing] = ordered.missing;
  if (missing !== undefined) {
    const list = missing.choices.join(", ");
    return {
      code: "ORI012",
      message: `${op} needs one of the modifiers ${list}.`,
      suggestion: [op, missing.choices[0], ...given].join("."),
    };
  }
  return { op, mods: ordered.mods };
}

function isIgnored(op: Opcode, mod: string): boolean {
  if (op === "MOV" && mod === "32") return true;
  // Signs do not matter where the table has none.
  if ((mod === "U32" || mod === "S32") && OPCODES[op].family === "integer")
    return !modGroupsOf(op).some((group) => group.choices.includes(mod));
  return IGNORED[op]?.includes(mod) ?? false;
}

/** Listings leave out the usual types of F2I and I2F: S32 and F32. */
function withDefaults(op: Opcode, given: readonly string[]): readonly string[] {
  if (op !== "F2I" && op !== "I2F") return given;
  const groups = modGroupsOf(op).filter((group) => group.required);
  const added = groups
    .filter((group) => !given.some((mod) => group.choices.includes(mod)))
    .map((group) => (group.choices.includes("F32") ? "F32" : "S32"));
  return [...added, ...given];
}

function unknownModifier(op: Opcode, given: readonly string[], mod: string, ordered: OrderedMods): MnemonicProblem {
  const choices = modGroupsOf(op).flatMap((group) => group.choices);
  const clash = choices.includes(mod);
  const guess = clash
    ? null
    : closest(
        mod,
        choices.filter((choice) => !ordered.mods.includes(choice)),
      );
  const message = clash
    ? `'.${clip(mod)}' occurs twice or excludes another modifier of ${op}.`
    : choices.length === 0
      ? `${op} has no modifiers; found '.${clip(mod)}'.`
      : `${op} has no modifier '.${clip(mod)}'; it has ${choices.map((choice) => `.${choice}`).join(" ")}.`;
  const suggestion = guess === null ? null : [op, ...given.map((m) => (m === mod ? guess : m))].join(".");
  return { code: "ORI011", message, suggestion };
}

/** A word as shown in a message. */
export function clip(word: string): string {
  return word.length <= 40 ? word : `${word.slice(0, 37)}...`;
}
