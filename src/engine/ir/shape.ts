/** What an operand may be, given its instruction's opcode and modifiers: the shape table applied. Shared by the parser and the verifier. */

import type { Reg } from "./ids.ts";
import { type Opcode, opcodeInfo, type Slot, slotsOf } from "./opcodes.ts";
import { is64, isConstantReg, isPredicateReg, PT, RDZ, regClass, UPT } from "./reg.ts";
import type { Operand } from "./types.ts";

const NO_SLOT: Slot = { role: "other", cls: "none", optional: false };
const layouts = new Map<Opcode, (readonly Slot[] | null)[]>();

/**
 * The slot of each operand when the instruction has `count` of them: optional slots are filled from the left. Null: no such form.
 * A PHI has one definition and any number of inputs.
 */
export function slotsFor(op: Opcode, count: number): readonly Slot[] | null {
  let known = layouts.get(op);
  if (known === undefined) {
    known = [];
    layouts.set(op, known);
  }
  let found = known[count];
  if (found === undefined) {
    found = computeSlots(op, count);
    // A PHI may have as many inputs as its block has predecessors: only the usual counts are cached.
    if (count <= 16) known[count] = found;
  }
  return found;
}

function computeSlots(op: Opcode, count: number): readonly Slot[] | null {
  const slots = slotsOf(op);
  if (op === "PHI") {
    if (count < 1) return null;
    return Array.from({ length: count }, (_, i) => slots[Math.min(i, 1)] ?? NO_SLOT);
  }
  const required = slots.filter((slot) => !slot.optional).length;
  let extra = count - required;
  if (extra < 0) return null;
  const filled = slots.filter((slot) => !slot.optional || extra-- > 0);
  return filled.length === count ? filled : null;
}

/** What forbids a number of operands that the opcode has a form for, under these modifiers; null: nothing. */
export function formProblem(op: Opcode, mods: readonly string[], count: number): string | null {
  // Only the complement has one source; the others would be combined with a value that is not an operand.
  if (op === "LOP" && count === 2 && !mods.includes("NOT")) return `${[op, ...mods].join(".")} has one source and needs two`;
  return null;
}

/** How many operands an opcode takes: `[fewest, most]`; PHI: one to any number. */
export function operandCounts(op: Opcode): readonly [min: number, max: number] {
  if (op === "PHI") return [1, Number.POSITIVE_INFINITY];
  const slots = slotsOf(op);
  return [slots.filter((slot) => !slot.optional).length, slots.length];
}

/** Width of an operand in bits: 32, 64 or 128; 0 if the slot does not define it. */
export type Width = 0 | 32 | 64 | 128;

/**
 * Width of operand `index`. `X` slots are 64 bit with the modifier `64`; with `WIDE` only the result and the addend are. `V` slots follow the access size,
 * conversions their type modifiers, and MOV, PHI and CS2R their destination.
 */
export function widthOf(op: Opcode, mods: readonly string[], slot: Slot, index: number, dest: Operand | undefined): Width {
  switch (slot.cls) {
    case "R":
      return 32;
    case "RD":
      return 64;
    case "X":
      if (mods.includes("WIDE")) return index === 0 || index === 3 ? 64 : 32;
      return mods.includes("64") ? 64 : 32;
    case "V":
      if ((op === "TEX" || op === "TLD") && slot.role === "use") return 0;
      if (mods.includes("128")) return 128;
      return mods.includes("64") || mods.includes("F64") ? 64 : 32;
    case "A":
    case "phi": {
      const type = isConversion(op) ? mods[index] : undefined;
      if (type !== undefined) return type.endsWith("64") ? 64 : 32;
      if (mods.includes("64")) return 64;
      if (mods.includes("32")) return 32;
      return dest?.kind === "reg" && is64(dest.reg) ? 64 : 32;
    }
    default:
      return 0;
  }
}

/** I2I, F2I, I2F, F2F: the first two modifiers are the types of the result and the source. */
export function isConversion(op: Opcode): boolean {
  return op === "I2I" || op === "F2I" || op === "I2F" || op === "F2F";
}

/**
 * What a literal in a source slot means: `f32`, `f64` (only that kind of literal), `f16x2` (an integer: the two halves' bits) or `bits` (an integer,
 * or a float of the slot's width).
 */
export type LiteralKind = "f32" | "f64" | "f16x2" | "bits";

export function literalKind(op: Opcode, mods: readonly string[], slot: Slot): LiteralKind {
  if (slot.role !== "use") return "bits";
  switch (op) {
    case "F2I":
    case "F2F":
      return mods[1] === "F64" ? "f64" : mods[1] === "F32" ? "f32" : "f16x2";
    case "FRND":
      return mods.includes("64") ? "f64" : "f32";
    case "FSETP":
      return slot.cls === "R" ? "f32" : "bits";
    case "DSETP":
      return slot.cls === "RD" ? "f64" : "bits";
    case "HSETP2":
      return slot.cls === "R" ? "f16x2" : "bits";
    case "ATOM":
    case "ATOMS":
    case "RED":
      return mods.includes("F32") ? "f32" : mods.includes("F64") ? "f64" : "bits";
    case "I2F":
      return "bits";
    default: {
      if (opcodeInfo(op).family !== "float") return "bits";
      const { type } = opcodeInfo(op);
      return slot.cls !== "P" && (type === "f32" || type === "f64" || type === "f16x2") ? type : "bits";
    }
  }
}

/** The constant register of the width that a slot needs: in text, RZ is written for both widths. */
export function zeroOf(width: Width, r: Reg): Reg {
  return width === 64 && isConstantReg(r) && regClass(r) === "R" ? RDZ : r;
}

/**
 * What is wrong with operand `index` of an instruction, as 'expected …, found …'; null when it fits its slot. Names (labels, tables, symbols) are
 * not resolved here.
 */
export function operandProblem(
  op: Opcode,
  mods: readonly string[],
  slot: Slot,
  index: number,
  operand: Operand,
  dest: Operand | undefined,
): string | null {
  const width = widthOf(op, mods, slot, index, dest);
  if (slot.role === "def") return definitionProblem(op, slot, width, operand);
  switch (slot.cls) {
    case "m":
      return operand.kind === "mem" ? addressProblem(operand) : expected("a memory operand like [RD2+0x10]", operand);
    case "c":
      if (operand.kind === "mem") return addressProblem(operand);
      return operand.kind === "cbank" && !operand.neg && !operand.abs
        ? bankProblem(operand)
        : expected("a constant like c[0x0][0x160]", operand);
    case "L":
      return operand.kind === "label" ? null : expected("a label", operand);
    case "T":
      return operand.kind === "table" ? null : expected("the name of a jump table", operand);
    case "sym":
      if (operand.kind === "reg" && plain(operand) && is64(operand.reg)) return null;
      return operand.kind === "sym" && operand.offset === 0
        ? null
        : expected("a function's name, or a 64-bit register that holds its address", operand);
    case "S":
      return operand.kind === "sreg" ? null : expected("a special register like SR_TID.X", operand);
    case "list":
      return operand.kind === "list" ? null : expected("a register group like {R1, P0}", operand);
    case "text":
      return operand.kind === "text" ? null : expected("quoted text", operand);
    case "I":
      return operand.kind === "imm" && Number.isSafeInteger(operand.value) ? null : expected("an integer", operand);
    case "B":
      return operand.kind === "reg" && regClass(operand.reg) === "B" && plain(operand)
        ? null
        : expected("a barrier register like B0", operand);
    case "P":
      return predicateProblem(operand);
    case "PV":
      return predicateVectorProblem(operand);
    case "phi":
      return phiProblem(operand, width, dest);
    case "V":
      return dataProblem(op, mods, slot, operand, width);
    default:
      // The base of a jump table, as the expansion of JMX writes it.
      if (op === "LEA" && index === 2 && operand.kind === "table") return null;
      return valueProblem(op, mods, slot, operand, width);
  }
}

function definitionProblem(op: Opcode, slot: Slot, width: Width, operand: Operand): string | null {
  switch (slot.cls) {
    case "PV":
      return predicateVectorProblem(operand);
    case "V":
      return operand.kind === "vec"
        ? vectorProblem(operand.regs, op === "TEX" || op === "TLD" ? 0 : width)
        : registerProblem(operand, width);
    case "P":
      return operand.kind === "reg" && isPredicateReg(operand.reg) && plain(operand)
        ? null
        : expected("a predicate register to define", operand);
    case "B":
      return operand.kind === "reg" && regClass(operand.reg) === "B" && plain(operand)
        ? null
        : expected("a barrier register like B0", operand);
    case "Y":
      return operand.kind === "reg" && isPredicateReg(operand.reg) && plain(operand) ? null : registerProblem(operand, 32);
    case "A":
      // The destination decides: any class but a barrier; a PHI may also choose between predicates.
      if (isConversion(op)) return registerProblem(operand, width);
      if (operand.kind === "reg" && plain(operand)) {
        const cls = regClass(operand.reg);
        if (cls === "R" || cls === "RD" || cls === "UR") return widthProblem(operand.reg, width);
        if (op === "PHI" && cls !== "B") return null;
      }
      return expected("a register to define", operand);
    default:
      return registerProblem(operand, width);
  }
}

/** A plain register of the width. */
function registerProblem(operand: Operand, width: Width): string | null {
  if (operand.kind !== "reg" || !plain(operand)) return expected(`a ${width}-bit register to define`, operand);
  return width === 128 ? expected("a vector of 128 bits", operand) : widthProblem(operand.reg, width);
}

function widthProblem(r: Reg, width: Width): string | null {
  switch (regClass(r)) {
    case "R":
    case "UR":
      return width === 32 || width === 0 ? null : "expected a 64-bit register (RD), found a 32-bit one";
    case "RD":
      return width === 64 || width === 0 ? null : "expected a 32-bit register (R), found a 64-bit one";
    case "P":
    case "UP":
      return "expected a general register, found a predicate";
    case "B":
      return "expected a general register, found a convergence barrier";
  }
}

function predicateProblem(operand: Operand): string | null {
  return operand.kind === "reg" && isPredicateReg(operand.reg) && !operand.abs && !operand.not ? null : expected("a predicate", operand);
}

function predicateVectorProblem(operand: Operand): string | null {
  return operand.kind === "vec" && operand.regs.length > 0 && operand.regs.every(isPredicateReg)
    ? null
    : expected("predicates like {P0, P1}", operand);
}

function vectorProblem(regs: readonly Reg[], width: Width): string | null {
  let bits = 0;
  for (const r of regs) {
    const cls = regClass(r);
    if (cls !== "R" && cls !== "RD" && cls !== "UR") return "expected a vector of general registers";
    bits += cls === "RD" ? 64 : 32;
  }
  if (regs.length === 0) return "expected at least one register in the vector";
  return width === 0 || bits === width ? null : `expected ${width} bits of data, found ${bits}`;
}

function phiProblem(operand: Operand, width: Width, dest: Operand | undefined): string | null {
  if (operand.kind !== "phi") return expected("an input like [BB1: R1]", operand);
  const { value } = operand;
  if (dest?.kind === "reg" && isPredicateReg(dest.reg)) return predicateProblem(value);
  if (value.kind === "reg") return plain(value) ? widthProblem(value.reg, width) : "expected a register without modifiers";
  return literalProblem(value, width, "bits") ?? (value.kind === "cbank" ? bankProblem(value) : null);
}

/** Memory data: a register, a vector or a literal of the access size. */
function dataProblem(op: Opcode, mods: readonly string[], slot: Slot, operand: Operand, width: Width): string | null {
  if (operand.kind === "vec") return vectorProblem(operand.regs, width);
  if (width === 128) return expected("a vector of 128 bits", operand);
  return valueProblem(op, mods, slot, operand, width);
}

function valueProblem(op: Opcode, mods: readonly string[], slot: Slot, operand: Operand, width: Width): string | null {
  const kind = literalKind(op, mods, slot);
  switch (operand.kind) {
    case "reg": {
      const problem = widthProblem(operand.reg, width);
      return problem ?? modifierProblem(operand, sourceModifiers(op, kind));
    }
    case "cbank":
      return bankProblem(operand) ?? modifierProblem({ ...operand, not: false }, sourceModifiers(op, kind));
    case "sym":
      return Number.isSafeInteger(operand.offset) && kind === "bits" ? null : expected("a value", operand);
    default:
      return literalProblem(operand, width, kind);
  }
}

function literalProblem(operand: Operand, width: Width, kind: LiteralKind): string | null {
  switch (operand.kind) {
    case "imm":
      if (kind === "f32" || kind === "f64") return `expected a float like 1.5, found an integer`;
      return Number.isSafeInteger(operand.value) ? null : "expected an integer within 53 bits";
    case "imm64":
      if (kind !== "bits") return "expected a float, found an integer";
      return width === 64 ? null : "expected a 32-bit value, found a 64-bit one";
    case "f32":
      if (kind !== "f32" && kind !== "bits") return expected(kind === "f64" ? "a double" : "the bits of two halves", operand);
      return width === 32 || width === 0 ? null : "expected a 64-bit value, found a single";
    case "f64":
      if (kind !== "f64" && kind !== "bits") return expected(kind === "f32" ? "a single" : "the bits of two halves", operand);
      return width === 64 ? null : "expected a 32-bit value, found a double";
    case "cbank":
    case "sym":
    case "reg":
      return null;
    default:
      return expected("a value", operand);
  }
}

function addressProblem(operand: Operand & { kind: "mem" }): string | null {
  const bad = (r: Reg | null): boolean => r !== null && (isPredicateReg(r) || regClass(r) === "B");
  if (bad(operand.base) || bad(operand.index)) return "expected a general register in the address";
  if (operand.index !== null && operand.base === null) return "expected a base register before the index";
  return Number.isSafeInteger(operand.offset) ? null : "expected an integer offset";
}

function bankProblem(operand: Operand & { kind: "cbank" }): string | null {
  const { base, bank, offset } = operand;
  if (base !== null && (isPredicateReg(base) || regClass(base) === "B")) return "expected a general register in the constant's address";
  return Number.isSafeInteger(bank) && bank >= 0 && Number.isSafeInteger(offset) ? null : "expected an integer bank and offset";
}

interface SourceModifiers {
  readonly neg: boolean;
  readonly abs: boolean;
  readonly not: boolean;
}

const NONE: SourceModifiers = { neg: false, abs: false, not: false };
const FLOAT: SourceModifiers = { neg: true, abs: true, not: false };
const INTEGER: SourceModifiers = { neg: true, abs: false, not: true };

/** Floating-point operations take `-x` and `|x|`, integer ones `-x` and `~x`, all others the bare register. */
function sourceModifiers(op: Opcode, kind: LiteralKind): SourceModifiers {
  if (kind !== "bits" && opcodeInfo(op).family !== "memory") return FLOAT;
  if (opcodeInfo(op).family === "integer" || op === "ISETP" || op === "I2F") return INTEGER;
  return NONE;
}

function modifierProblem(operand: SourceModifiers, allowed: SourceModifiers): string | null {
  if (operand.neg && !allowed.neg) return "this operand cannot have '-'";
  if (operand.abs && !allowed.abs) return "this operand cannot have '|x|'";
  if (operand.not && !allowed.not) return "this operand cannot have '~'";
  return operand.neg && operand.not ? "'-' and '~' exclude each other" : null;
}

function plain(operand: SourceModifiers): boolean {
  return !operand.neg && !operand.abs && !operand.not;
}

function expected(what: string, found: Operand): string {
  return `expected ${what}, found ${describe(found)}`;
}

function describe(operand: Operand): string {
  switch (operand.kind) {
    case "reg":
      if (!plain(operand)) return "a register with a modifier";
      if (operand.reg === PT || operand.reg === UPT || isPredicateReg(operand.reg)) return "a predicate";
      return regClass(operand.reg) === "B" ? "a convergence barrier" : "a register";
    case "imm":
    case "imm64":
      return "an integer";
    case "f32":
      return "a single";
    case "f64":
      return "a double";
    case "cbank":
      return "a constant bank operand";
    case "mem":
      return "a memory operand";
    case "sreg":
      return "a special register";
    case "label":
      return "a label";
    case "table":
      return "a table";
    case "vec":
    case "list":
      return "a register group";
    case "text":
      return "text";
    case "sym":
      return "a name";
    case "phi":
      return "a PHI input";
  }
}
