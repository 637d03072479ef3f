/** Expressions as texts over value numbers, and their interning: equal texts get one 32-bit index. */

import type { Reg } from "../ir/ids.ts";
import { opcodeInfo } from "../ir/opcodes.ts";
import { isConstantReg, regClass } from "../ir/reg.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { isDefOperand } from "../ir/visit.ts";

/** Opcodes whose first two sources may be exchanged although the table does not call the whole opcode commutative. */
const FIRST_TWO: ReadonlySet<string> = new Set(["IMNMX", "FMNMX", "DMNMX", "IMAD", "FFMA", "DFMA", "HFMA2"]);

/** Interns texts as dense numbers, from 0; a fresh number has no text. */
export class Numbers {
  private readonly ids = new Map<string, number>();
  private readonly texts: string[] = [];
  private next = 0;

  get count(): number {
    return this.next;
  }

  fresh(): number {
    return this.next++;
  }

  intern(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    this.ids.set(text, this.next);
    this.texts[this.next] = text;
    return this.next++;
  }

  /** The expression of a value number; null: a fresh one. */
  textOf(n: number): string | null {
    return this.texts[n] ?? null;
  }

  /** Another text for a number; a text that has a number keeps it. */
  alias(text: string, n: number): void {
    if (!this.ids.has(text)) this.ids.set(text, n);
  }
}

/** The number of a register read at this point. */
export type ReadNumber = (r: Reg) => number;

/** The operand as part of an expression: `#n` is a value number. */
export function operandText(operand: Operand, read: ReadNumber): string {
  switch (operand.kind) {
    case "reg": {
      const sign = `${operand.neg ? "-" : ""}${operand.abs ? "|" : ""}${operand.not ? "~" : ""}`;
      return `${sign}${isConstantReg(operand.reg) ? regClass(operand.reg) : `#${read(operand.reg)}`}`;
    }
    case "imm":
    case "imm64":
      return `i${operand.value}`;
    case "f32":
      return `f${operand.bits >>> 0}`;
    case "f64":
      return `d${operand.hi >>> 0}:${operand.lo >>> 0}`;
    case "cbank":
      return `c${operand.bank}[${operand.base === null ? "" : read(operand.base)}+${operand.offset}]${operand.neg ? "-" : ""}${operand.abs ? "|" : ""}`;
    case "mem":
      return `m[${operand.base === null ? "" : read(operand.base)},${operand.index === null ? "" : read(operand.index)}+${operand.offset}]`;
    case "sreg":
      return `s${operand.name}`;
    case "label":
      return `l${operand.block}`;
    case "table":
      return `t${operand.name}`;
    case "vec":
    case "list":
      return `{${operand.regs.map((r) => (isConstantReg(r) ? regClass(r) : read(r))).join(",")}}`;
    case "text":
      return JSON.stringify(operand.text);
    case "sym":
      return `y${operand.name}+${operand.offset}`;
    case "phi":
      return `p${operand.pred}:${operandText(operand.value, read)}`;
  }
}

/** Whether the first two sources may be exchanged. */
export function exchangeable(inst: Inst): boolean {
  return commutes(inst) || FIRST_TWO.has(inst.op);
}

/** Whether all sources may be exchanged. */
export function commutes(inst: Inst): boolean {
  return opcodeInfo(inst.op).commutative && !(inst.op === "LOP" && inst.mods.includes("NOT"));
}

/**
 * Where the real compiler exchanges sources when it compares expressions: AND, OR, XOR and the high word of a product are not exchanged, unless one source is
 * a parameter, which phase 49 has brought to the second place.
 */
export function exchangedAsMeasured(inst: Inst): boolean {
  return inst.op !== "LOP" && !(inst.op === "IMUL" && inst.mods.includes("HI"));
}

/** The order of exchangeable operands: by value number, then what has none (constants, memory) by its text. Source: copy-propagation-and-cse, "Per-Dominated-Block CSE". */
export function compareSources(a: string, b: string): number {
  const [numberA, numberB] = [a.indexOf("#"), b.indexOf("#")];
  if (numberA < 0 || numberB < 0) return numberA === numberB ? compareTexts(a, b) : numberB - numberA;
  return Number(a.slice(numberA + 1)) - Number(b.slice(numberB + 1)) || compareTexts(a, b);
}

const compareTexts = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

/** Source operands as texts, in canonical order: sorted if the opcode commutes and `exchanged` does not forbid it. */
export function sourceTexts(inst: Inst, read: ReadNumber, exchanged: (inst: Inst) => boolean = () => true): string[] {
  const sources: string[] = [];
  const { ops } = inst;
  for (let i = 0; i < ops.length; i++) if (!isDefOperand(inst, i)) sources.push(operandText(ops[i] as Operand, read));
  const [a, b] = sources;
  if (a === undefined || b === undefined || !exchanged(inst)) return sources;
  if (sources.length > 2 && commutes(inst)) return sources.sort(compareSources);
  if (!exchangeable(inst) || compareSources(a, b) <= 0) return sources;
  sources[0] = b;
  sources[1] = a;
  return sources;
}

/**
 * The whole expression: opcode, modifiers (type and address space are in them), result class, operands, guard, and what else the value depends on
 * (memory versions, the block for lane-dependent values). `sources`: what `sourceTexts` says, for those who have it.
 */
export function expressionText(inst: Inst, read: ReadNumber, extra: string, sources: readonly string[] = sourceTexts(inst, read)): string {
  const guard = inst.guard === null || isConstantReg(inst.guard.reg) ? "" : `@${inst.guard.neg ? "!" : ""}#${read(inst.guard.reg)}`;
  const dest = inst.ops[0];
  const cls = dest?.kind === "reg" ? resultClass(dest.reg) : "";
  return `${guard}${inst.op}.${joined(inst.mods, ".")}:${cls}(${joined(sources, ",")})${extra}`;
}

/** `join`, which costs more than what it does on one or two texts. */
function joined(texts: readonly string[], by: string): string {
  switch (texts.length) {
    case 0:
      return "";
    case 1:
      return texts[0] as string;
    case 2:
      return `${texts[0]}${by}${texts[1]}`;
    default:
      return texts.join(by);
  }
}

/** Uniform and ordinary registers have the same values. */
function resultClass(r: Reg): string {
  const cls = regClass(r);
  return cls === "UR" ? "R" : cls === "UP" ? "P" : cls;
}
