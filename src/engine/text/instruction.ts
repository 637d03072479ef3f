/** Reads one instruction: guard, mnemonic, operands; brings lenient spellings into the canonical form and checks it against the shape table. */

import { closest } from "../../base/closest.ts";
import type { BlockId } from "../ir/ids.ts";
import { orderMods } from "../ir/mods.ts";
import { type Opcode, opcodeInfo, type Slot, slotsOf } from "../ir/opcodes.ts";
import { is64, isConstantReg, isPredicateReg, regClass } from "../ir/reg.ts";
import { formProblem, literalKind, operandCounts, operandProblem, slotsFor, type Width, widthOf, zeroOf } from "../ir/shape.ts";
import { SPECIAL_REGISTERS } from "../ir/special-registers.ts";
import type { Guard, Operand } from "../ir/types.ts";
import { type Lexer, TK } from "./lexer.ts";
import { f32Operand, f64Operand, halvesOperand } from "./literals.ts";
import { clip, isMnemonicProblem, Mnemonics } from "./mnemonic.ts";
import { isTruePredicate, type OperandReader, type RawOperand, type Report, type SymbolOffset, UNRESOLVED } from "./operands.ts";

const AT = 64;
const BANG = 33;
const COMMA = 44;
const SEMICOLON = 59;

/** A label or table name used by an operand of the instruction, to be resolved when the body is complete. */
export interface NameUse {
  readonly kind: "label" | "table";
  readonly name: string;
  /** Index of the operand. */
  readonly operand: number;
  readonly start: number;
}

export interface RawInst {
  readonly op: Opcode;
  readonly mods: readonly string[];
  readonly guard: Guard | null;
  readonly ops: Operand[];
  readonly names: readonly NameUse[];
}

/** `report` is an error, `warn` a warning; both may be called once per statement or more. */
export interface Reporters {
  readonly report: Report;
  readonly warn: Report;
}

const NO_NAMES: readonly NameUse[] = [];

export class InstructionReader {
  private readonly lexer: Lexer;
  private readonly operands: OperandReader;
  private readonly to: Reporters;
  private readonly symbol: SymbolOffset;
  private readonly mnemonics = new Mnemonics();
  // The operands of the instruction being read, and the place of each.
  private raw: RawOperand[] = [];
  private starts: number[] = [];
  private ends: number[] = [];

  constructor(lexer: Lexer, operands: OperandReader, to: Reporters, symbol: SymbolOffset) {
    this.lexer = lexer;
    this.operands = operands;
    this.to = to;
    this.symbol = symbol;
  }

  /** Reads up to the end of the statement; null after a report (the rest of the line is for the caller to skip). */
  read(): RawInst | null {
    const { lexer } = this;
    let guard: Guard | null = null;
    if (lexer.kind === AT) {
      guard = this.guard();
      if (guard === null) return null;
    }
    if (lexer.kind !== TK.IDENT) return this.operands.unexpected("an instruction");
    const { start, end } = lexer;
    const mnemonic = this.mnemonics.read(lexer.slice());
    if (isMnemonicProblem(mnemonic)) {
      this.to.report(mnemonic.code, start, end, mnemonic.message, mnemonic.suggestion);
      return null;
    }
    lexer.advance();
    if (!this.readOperands()) return null;
    return this.build(mnemonic.op, mnemonic.mods, guard, start, end);
  }

  private guard(): Guard | null {
    const { lexer } = this;
    const { start } = lexer;
    let { end } = lexer;
    lexer.advance();
    const neg = lexer.kind === BANG;
    if (neg) lexer.advance();
    if (lexer.kind === TK.IDENT) {
      ({ end } = lexer);
      const r = this.operands.register();
      if (r === null) return null;
      if (isPredicateReg(r)) return { reg: r, neg };
    }
    this.to.report("ORI016", start, end, "Expected a predicate after '@', as in @P0 or @!P0.");
    return null;
  }

  private readOperands(): boolean {
    const { lexer } = this;
    this.raw = [];
    this.starts = [];
    this.ends = [];
    if (atEnd(lexer.kind)) return true;
    for (;;) {
      this.starts.push(lexer.start);
      const operand = this.operands.read();
      if (operand === null) return false;
      this.raw.push(operand);
      // Where the next token begins is close enough: the text between is blank.
      this.ends.push(lexer.start);
      if (atEnd(lexer.kind)) return true;
      if (lexer.kind !== COMMA) {
        this.to.report("ORI017", lexer.start, lexer.end, `Expected ',' or the end of the line, found '${clip(lexer.slice())}'.`);
        return false;
      }
      lexer.advance();
    }
  }

  private build(op: Opcode, written: readonly string[], guard: Guard | null, start: number, end: number): RawInst | null {
    let mods = this.lenientForms(op, written);
    if (mods === null) return null;
    const slots = slotsFor(op, this.raw.length);
    if (slots === null) {
      const [min, max] = operandCounts(op);
      const count = min === max ? `${min}` : max === Number.POSITIVE_INFINITY ? `at least ${min}` : `${min} to ${max}`;
      this.to.report(
        "ORI013",
        start,
        end,
        `${op} needs ${count} operand${count === "1" ? "" : "s"} (${shapeText(op)}), ${this.raw.length} given.`,
      );
      return null;
    }
    mods = this.widthModifier(op, mods, slots);
    const form = formProblem(op, mods, this.raw.length);
    if (form !== null) {
      this.to.report("ORI013", start, end, `${form}.`);
      return null;
    }
    const ops: Operand[] = [];
    let names: NameUse[] | null = null;
    for (let i = 0; i < slots.length; i++) {
      const slot = slots[i];
      const raw = this.raw[i];
      if (slot === undefined || raw === undefined) return null;
      const operand = this.convert(op, mods, slot, i, raw, ops[0]);
      if (operand === null) return null;
      const problem = operandProblem(op, mods, slot, i, operand, i === 0 ? operand : ops[0]);
      if (problem !== null) {
        this.to.report(
          "ORI014",
          this.starts[i] ?? start,
          this.endOf(i),
          `${upperFirst(problem)}.`,
          this.guessOperand(widthOf(op, mods, slot, i, ops[0]), i, raw),
        );
        return null;
      }
      if (operand.kind === "label" || operand.kind === "table" || operand.kind === "phi") {
        names ??= [];
        names.push(this.nameUse(operand, raw, i));
      }
      ops.push(operand);
    }
    return { op, mods, guard, ops, names: names ?? NO_NAMES };
  }

  private nameUse(operand: Operand, raw: RawOperand, index: number): NameUse {
    if (raw.kind === "raw-phi") return { kind: "label", name: raw.label, operand: index, start: raw.labelStart };
    return {
      kind: operand.kind === "table" ? "table" : "label",
      name: this.written(index),
      operand: index,
      start: this.starts[index] ?? 0,
    };
  }

  private written(index: number): string {
    return this.lexer.text.slice(this.starts[index], this.ends[index]).trim().split(/[\s/]/, 1)[0] ?? "";
  }

  private endOf(index: number): number {
    const start = this.starts[index] ?? 0;
    return start + Math.max(1, this.lexer.text.slice(start, this.ends[index]).trimEnd().length);
  }

  /** Listings write a second predicate result, always-true predicates and empty groups that this language leaves out. Null after a report. */
  private lenientForms(op: Opcode, mods: readonly string[]): readonly string[] | null {
    const { raw } = this;
    if (op === "CALL") {
      while (raw.length > 0 && raw.length < 3) this.push({ kind: "list", regs: [] });
      return mods;
    }
    if (op === "LEA" && raw.length === 3) {
      this.push({ kind: "imm", value: 0 });
      return mods;
    }
    if (op !== "ISETP" && op !== "FSETP" && op !== "DSETP" && op !== "HSETP2") return mods;
    const second = raw[1];
    if (raw.length >= 4 && second?.kind === "reg" && isPredicateReg(second.reg)) {
      if (!isTruePredicate(second)) {
        this.to.report("ORI014", this.starts[1] ?? 0, this.endOf(1), `${op} has one result; the second one of a listing must be PT.`, "PT");
        return null;
      }
      this.drop(1);
      if (raw.length === 4 && isTruePredicate(raw[3]) && mods.includes("AND")) this.drop(3);
    }
    const hasBool = mods.some(isBool);
    if (raw.length === 4 && !hasBool) return [...mods, "AND"];
    return raw.length === 3 && hasBool ? mods.filter((mod) => !isBool(mod)) : mods;
  }

  private push(operand: Operand): void {
    this.raw.push(operand);
    this.starts.push(this.lexer.start);
    this.ends.push(this.lexer.start);
  }

  private drop(index: number): void {
    for (const list of [this.raw, this.starts, this.ends]) list.splice(index, 1);
  }

  /** Adds the modifier `64` (or `128`) that the registers imply. */
  private widthModifier(op: Opcode, mods: readonly string[], slots: readonly Slot[]): readonly string[] {
    if (mods.includes("64") || mods.includes("128") || mods.includes("WIDE")) return mods;
    let wide = false;
    let data = 0;
    for (let i = 0; i < slots.length; i++) {
      const cls = slots[i]?.cls;
      const raw = this.raw[i];
      if (cls === "X" && raw?.kind === "reg" && is64(raw.reg)) wide = true;
      if (cls === "V" && raw !== undefined) data = Math.max(data, dataBits(raw));
    }
    if (wide) return withWidth(op, mods, "64");
    // Sub-word sizes and typed atomics state their width.
    if ((data !== 64 && data !== 128) || mods.some((mod) => SIZED.has(mod)) || op === "TEX" || op === "TLD") return mods;
    return withWidth(op, mods, String(data));
  }

  /** The operand as its slot understands it; null after a report. */
  private convert(
    op: Opcode,
    mods: readonly string[],
    slot: Slot,
    index: number,
    raw: RawOperand,
    dest: Operand | undefined,
  ): Operand | null {
    switch (slot.cls) {
      case "L":
        return this.isName(raw, index) ? { kind: "label", block: UNRESOLVED } : this.asOperand(raw);
      case "T":
        return this.isName(raw, index) ? { kind: "table", name: this.written(index) } : this.asOperand(raw);
      case "sym":
        // A 64-bit register contains the function's address.
        if (raw.kind === "reg" && is64(raw.reg)) return raw;
        return this.isName(raw, index) ? { kind: "sym", name: this.written(index), offset: 0 } : this.asOperand(raw);
      case "S":
        return raw.kind === "sym" && raw.offset === 0 ? this.special(raw.name, index) : this.asOperand(raw);
      case "PV":
        if (raw.kind === "reg" && isPredicateReg(raw.reg) && !raw.neg) return { kind: "vec", regs: [raw.reg] };
        return raw.kind === "list" ? { kind: "vec", regs: raw.regs } : this.asOperand(raw);
      case "phi":
        if (raw.kind !== "raw-phi") return this.asOperand(raw);
        return this.phiInput(op, mods, slot, index, raw.value, dest);
      case "list":
      case "text":
      case "m":
      case "c":
      case "I":
      case "B":
      case "P":
        return this.asOperand(raw);
      default:
        return this.value(op, mods, slot, index, raw, dest);
    }
  }

  private phiInput(
    op: Opcode,
    mods: readonly string[],
    slot: Slot,
    index: number,
    raw: RawOperand,
    dest: Operand | undefined,
  ): Operand | null {
    const value = this.value(op, mods, slot, index, raw, dest);
    return value === null ? null : { kind: "phi", pred: UNRESOLVED as BlockId, value };
  }

  private value(
    op: Opcode,
    mods: readonly string[],
    slot: Slot,
    index: number,
    raw: RawOperand,
    dest: Operand | undefined,
  ): Operand | null {
    const width = widthOf(op, mods, slot, index, index === 0 && raw.kind === "reg" ? raw : dest);
    switch (raw.kind) {
      case "reg": {
        if (!isConstantReg(raw.reg) || width !== 64) return raw;
        const zero = zeroOf(width, raw.reg);
        return zero === raw.reg ? raw : { ...raw, reg: zero };
      }
      case "list":
        return slot.cls === "V" ? { kind: "vec", regs: raw.regs } : raw;
      case "decimal":
        return this.decimal(op, mods, slot, index, raw.value, width);
      case "imm": {
        const kind = literalKind(op, mods, slot);
        if (kind === "f32" || kind === "f64") return this.integerAsFloat(kind, index, raw.value);
        if (width === 32 && (raw.value < -0x80000000 || raw.value > 0xffffffff)) {
          this.to.warn("ORI028", this.starts[index] ?? 0, this.endOf(index), "The value does not fit 32 bits; it is taken modulo 2^32.");
        }
        return raw;
      }
      case "sym":
        if (this.symbol(raw.name) !== null || slot.role === "def") return raw;
        if (op === "LEA" && index === 2 && raw.offset === 0) return { kind: "table", name: this.written(index) };
        this.unknownName(raw.name, index);
        return null;
      default:
        return this.asOperand(raw);
    }
  }

  private decimal(op: Opcode, mods: readonly string[], slot: Slot, index: number, value: number, width: Width): Operand {
    const kind = literalKind(op, mods, slot);
    if (kind === "f16x2") return halvesOperand(value);
    const { family } = opcodeInfo(op);
    if (kind === "bits" && (family === "integer" || op === "ISETP") && op !== "MOV" && op !== "SEL") {
      this.to.warn("ORI029", this.starts[index] ?? 0, this.endOf(index), `${op} works on integers; the float's bits are used.`);
    }
    return kind === "f64" || (kind === "bits" && width === 64) ? f64Operand(value) : f32Operand(value);
  }

  /** In a float's place a decimal integer is a value, a hexadecimal one the bits. */
  private integerAsFloat(kind: "f32" | "f64", index: number, value: number): Operand | null {
    if (!/[xX]/.test(this.written(index))) return kind === "f32" ? f32Operand(value) : f64Operand(value);
    if (kind === "f32" && value >= 0 && value <= 0xffffffff) return { kind: "f32", bits: value };
    this.to.report("ORI003", this.starts[index] ?? 0, this.endOf(index), "Write a float's bits as 0f3F800000 or 0d3FF0000000000000.");
    return null;
  }

  private asOperand(raw: RawOperand): Operand {
    // A decimal or a PHI input where neither is allowed: it gets a kind that the slot refuses, so that there is a message.
    if (raw.kind === "decimal") return f32Operand(raw.value);
    if (raw.kind === "raw-phi") return { kind: "phi", pred: UNRESOLVED, value: { kind: "imm", value: 0 } };
    return raw;
  }

  /** A bare word: registers' names are legal labels, too. */
  private isName(raw: RawOperand, index: number): boolean {
    if (raw.kind === "sym") return raw.offset === 0;
    return raw.kind === "reg" && /^[A-Za-z_$.]/.test(this.written(index));
  }

  private special(name: string, index: number): Operand | null {
    if (!name.startsWith("SR_")) {
      const guess = closest(name.startsWith("%") ? name.slice(1) : `SR_${name}`, SPECIAL_REGISTERS);
      this.to.report(
        "ORI014",
        this.starts[index] ?? 0,
        this.endOf(index),
        `Expected a special register like SR_TID.X, found '${clip(name)}'.`,
        guess,
      );
      return null;
    }
    if (!SPECIAL_REGISTERS.has(name)) {
      this.to.warn(
        "ORI019",
        this.starts[index] ?? 0,
        this.endOf(index),
        `Unknown special register '${clip(name)}'.`,
        closest(name, SPECIAL_REGISTERS),
      );
    }
    return { kind: "sreg", name };
  }

  private unknownName(name: string, index: number): void {
    const upper = name.toUpperCase();
    const wide = /^R([0-9]+)\.64$/.exec(name);
    const looksLikeRegister = /^(?:R|RD|UR|P|UP|B)[0-9]+$/.test(upper);
    const guess = wide !== null ? `RD${wide[1]}` : looksLikeRegister && upper !== name ? upper : closest(name, ["RZ", "URZ", "PT", "UPT"]);
    const code = looksLikeRegister || wide !== null ? "ORI018" : "ORI026";
    this.to.report(code, this.starts[index] ?? 0, this.endOf(index), `'${clip(name)}' is neither a register nor a symbol.`, guess);
  }

  private guessOperand(width: Width, index: number, raw: RawOperand): string | null {
    if (raw.kind === "sym") {
      const upper = raw.name.toUpperCase();
      const wide = /^R([0-9]+)\.64$/.exec(raw.name);
      if (wide !== null) return `RD${wide[1]}`;
      return upper !== raw.name && /^(?:R|RD|UR|P|UP|B)[0-9]+$|^(?:RZ|PT)$/.test(upper) ? upper : null;
    }
    if (raw.kind === "reg" && width === 64 && regClass(raw.reg) === "R") return `RD${this.written(index).slice(1)}`;
    return null;
  }
}

const SIZED = new Set(["U8", "S8", "U16", "S16", "32", "U32", "S32", "F32", "F64"]);

/** Filled by the spellings that occur: at most a few hundred. */
const widened = new Map<string, readonly string[]>();

function withWidth(op: Opcode, mods: readonly string[], width: string): readonly string[] {
  const key = `${op}.${mods.join(".")}.${width}`;
  let found = widened.get(key);
  if (found === undefined) {
    const ordered = orderMods(op, [...mods, width]);
    found = ordered.unknown.length === 0 ? ordered.mods : mods;
    widened.set(key, found);
  }
  return found;
}

function dataBits(raw: RawOperand): number {
  if (raw.kind === "reg") return is64(raw.reg) ? 64 : 32;
  if (raw.kind !== "list") return 0;
  let bits = 0;
  for (const r of raw.regs) bits += is64(r) ? 64 : 32;
  return bits;
}

function isBool(mod: string): boolean {
  return mod === "AND" || mod === "OR" || mod === "XOR";
}

function atEnd(kind: number): boolean {
  return kind === TK.NEWLINE || kind === SEMICOLON || kind === TK.EOF;
}

function upperFirst(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

const CLASS_NAMES: Readonly<Record<string, string>> = {
  R: "R",
  RD: "RD",
  X: "R|RD",
  A: "R|RD",
  Y: "R|P",
  P: "P",
  PV: "{P..}",
  V: "data",
  I: "integer",
  B: "B",
  S: "SR_..",
  m: "[address]",
  c: "c[..][..]",
  L: "label",
  T: "table",
  sym: "name",
  list: "{..}",
  text: '"text"',
  phi: "[label: value]..",
};

/** The operands of an opcode for a message: `P, R|RD, R|RD [, P]`. */
function shapeText(op: Opcode): string {
  return slotsOf(op)
    .map((slot, i) => {
      const name = CLASS_NAMES[slot.cls] ?? slot.cls;
      const comma = i === 0 ? "" : ", ";
      return slot.optional ? `[${comma}${name}]` : `${comma}${name}`;
    })
    .join("");
}
