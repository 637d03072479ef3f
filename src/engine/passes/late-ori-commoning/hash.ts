/** The hash of an instruction (`sub_748440` over its parts): opcode, operand numbers, address space. */

import { FNV_OFFSET_BASIS, FNV_PRIME } from "../../../base/hash.ts";
import { commutes, exchangeable, operandText, type ReadNumber } from "../../analysis/expression-text.ts";
import { bankWithSign } from "../../ir/copies.ts";
import { OPCODES, type Opcode } from "../../ir/opcodes.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { isDefOperand, spaceOf } from "../../ir/visit.ts";

/** One part of the hash. */
export interface HashPart {
  readonly part: string;
  readonly word: number;
  /** The hash after it. */
  readonly hash: number;
}

/** How parts are combined is not described: FNV-1a's step on whole words, whose high bits are folded into the low ones first. Signed: no number is boxed. */
const mix = (h: number, word: number): number => Math.imul(h ^ word ^ (word >>> 15), FNV_PRIME);

const OPCODE_NUMBERS: ReadonlyMap<Opcode, number> = new Map((Object.keys(OPCODES) as Opcode[]).map((op, i) => [op, i + 1]));
const SPACES = [null, "global", "shared", "local", "generic", "const"] as const;

const opcodeWord = (inst: Inst): number => OPCODE_NUMBERS.get(inst.op) ?? 0;
const spaceWord = (inst: Inst): number => SPACES.indexOf(spaceOf(inst));

/** Modifiers (the type is among them), signs, guard and memory state are left to EQUIV. */
export function hashOf(inst: Inst, read: ReadNumber): number {
  let h = mix(FNV_OFFSET_BASIS, opcodeWord(inst));
  if (exchangeable(inst)) for (const word of operandWords(inst, read)) h = mix(h, word);
  else {
    const { ops } = inst;
    for (let i = 0; i < ops.length; i++) if (!isDefOperand(inst, i)) h = mix(h, operandWord(ops[i] as Operand, read));
  }
  return mix(h, spaceWord(inst));
}

/** The same, part by part, for people. */
export function hashParts(inst: Inst, read: ReadNumber): readonly HashPart[] {
  const texts = new Map<number, string>();
  for (const [i, operand] of inst.ops.entries()) {
    if (!isDefOperand(inst, i)) texts.set(operandWord(operand, read), operandText(unsigned(operand), read));
  }
  let hash = FNV_OFFSET_BASIS;
  const words = [
    { part: `opcode ${inst.op}`, word: opcodeWord(inst) },
    ...operandWords(inst, read).map((word) => ({ part: `operand ${texts.get(word) ?? ""}`, word })),
    { part: `space ${spaceOf(inst) ?? "none"}`, word: spaceWord(inst) },
  ];
  return words.map(({ part, word }) => {
    hash = mix(hash, word);
    return { part, word: word >>> 0, hash };
  });
}

/** Of the sources, sorted where they may be exchanged: all of them, or the first two. */
function operandWords(inst: Inst, read: ReadNumber): readonly number[] {
  const words: number[] = [];
  const { ops } = inst;
  for (let i = 0; i < ops.length; i++) if (!isDefOperand(inst, i)) words.push(operandWord(ops[i] as Operand, read));
  const [a, b] = words;
  if (a === undefined || b === undefined || !exchangeable(inst)) return words;
  if (words.length > 2 && commutes(inst)) return words.sort((x, y) => x - y);
  if (a <= b) return words;
  words[0] = b;
  words[1] = a;
  return words;
}

function operandWord(operand: Operand, read: ReadNumber): number {
  switch (operand.kind) {
    case "reg":
      return isConstantReg(operand.reg) ? operand.reg : read(operand.reg);
    case "imm":
      return ~operand.value;
    case "f32":
      return operand.bits;
    case "mem": {
      const base = operand.base === null ? -1 : read(operand.base);
      return mix(mix(base, operand.index === null ? -1 : read(operand.index)), operand.offset);
    }
    default:
      return textWord(operandText(unsigned(operand), read));
  }
}

function textWord(text: string): number {
  let h = FNV_OFFSET_BASIS;
  for (let i = 0; i < text.length; i++) h = mix(h, text.charCodeAt(i));
  return h;
}

function unsigned(operand: Operand): Operand {
  if (operand.kind === "reg") return { kind: "reg", reg: operand.reg, neg: false, abs: false, not: false };
  return operand.kind === "cbank" ? bankWithSign(operand, false, false) : operand;
}
