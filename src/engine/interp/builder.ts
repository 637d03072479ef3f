/** What instruction families use to compile one instruction: register rows, constants, operand modifiers. */

import type { Reg } from "../ir/ids.ts";
import { isConstantReg, regClass } from "../ir/reg.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { lanes, lanesOf } from "./lanes.ts";
import { type Exec, LANES } from "./machine.ts";
import { BANK_BYTES, BANK_COUNT, TABLE_BASE, TABLE_STRIDE } from "./memory.ts";

/** How an operand's `-`, `|x|` and `~` are meant. */
export type Reading = "int" | "f32" | "f16x2" | "f64";

/** A predicate as (index, mask to xor with). */
export interface PredRef {
  readonly p: number;
  readonly x: number;
}

/** Constant-bank words that a run fills in: known only when the banks are. */
export interface BankWord {
  readonly row: number;
  readonly bank: number;
  readonly offset: number;
  readonly wide: boolean;
  readonly mods: { readonly neg: boolean; readonly abs: boolean; readonly reading: Reading };
}

/** Says that an instruction cannot be run; becomes a trap when it is reached. */
export class Unsupported extends Error {}

/** Compiles one instruction. */
export type Build = (b: Builder, inst: Inst) => Exec;

/** Rows 0 and 1 read as zero (RZ), rows 2 and 3 swallow writes; predicate 0 is true, predicate 1 swallows writes. */
const ZERO = 0;
const SINK = 2 * LANES;

export class Builder {
  private rows = 4 * LANES;
  private preds = 2;
  private readonly regRows = new Map<Reg, number>();
  private readonly predIndexes = new Map<Reg, number>();
  private readonly constants = new Map<string, number>();
  /** Row → word to splat. */
  readonly splats: { readonly row: number; readonly value: number }[] = [];
  readonly bankWords: BankWord[] = [];
  /** Some instruction reads global memory as it was at launch. */
  readsLaunched = false;
  /** Some instruction is an OPAQUE load, whose value depends on what the thread has stored. */
  readsStored = false;
  private readonly tables: ReadonlyMap<string, number>;
  private readonly symbol: (name: string) => number | null;
  /** Steps that must run before the instruction being built: operand modifiers and indexed constants. */
  pre: Exec[] = [];

  constructor(tables: ReadonlyMap<string, number>, symbol: (name: string) => number | null) {
    this.tables = tables;
    this.symbol = symbol;
  }

  get rowWords(): number {
    return this.rows;
  }

  get predCount(): number {
    return this.preds;
  }

  /** First word of a register's row (of its low words' row). */
  row(r: Reg): number {
    if (isConstantReg(r)) return ZERO;
    let row = this.regRows.get(r);
    if (row === undefined) {
      row = this.temp(regClass(r) === "RD");
      this.regRows.set(r, row);
    }
    return row;
  }

  temp(wide: boolean): number {
    const row = this.rows;
    this.rows += wide ? 2 * LANES : LANES;
    return row;
  }

  predIndex(r: Reg): number {
    if (isConstantReg(r)) return 0;
    let index = this.predIndexes.get(r);
    if (index === undefined) {
      index = this.preds++;
      this.predIndexes.set(r, index);
    }
    return index;
  }

  tempPred(): number {
    return this.preds++;
  }

  constant(lo: number, hi: number | null = null): number {
    const key = `${lo >>> 0}/${hi === null ? "" : hi >>> 0}`;
    let row = this.constants.get(key);
    if (row === undefined) {
      row = this.temp(hi !== null);
      this.splats.push({ row, value: lo >>> 0 });
      if (hi !== null) this.splats.push({ row: row + LANES, value: hi >>> 0 });
      this.constants.set(key, row);
    }
    return row;
  }

  // --- definitions -----------------------------------------------------------------------------------------------------

  regOf(operand: Operand | undefined): Reg {
    if (operand?.kind !== "reg") throw new Unsupported("a register was expected");
    return operand.reg;
  }

  dst32(operand: Operand | undefined): number {
    const r = this.regOf(operand);
    return isConstantReg(r) ? SINK : this.row(r);
  }

  /** A 64-bit destination. A 32-bit register in its place takes the low half, by way of a scratch row. */
  dst64(operand: Operand | undefined): { readonly row: number; readonly post: Exec | null } {
    const r = this.regOf(operand);
    if (isConstantReg(r)) return { row: SINK, post: null };
    if (regClass(r) === "RD") return { row: this.row(r), post: null };
    const scratch = this.temp(true);
    return { row: scratch, post: copyRows(this.row(r), scratch) };
  }

  dst(operand: Operand | undefined, wide: boolean): { readonly row: number; readonly post: Exec | null } {
    return wide ? this.dst64(operand) : { row: this.dst32(operand), post: null };
  }

  dstP(operand: Operand | undefined): number {
    const r = this.regOf(operand);
    return isConstantReg(r) ? 1 : this.predIndex(r);
  }

  dstReg(r: Reg): number {
    return isConstantReg(r) ? SINK : this.row(r);
  }

  // --- sources ---------------------------------------------------------------------------------------------------------

  /** Row of a 32-bit source. */
  src32(operand: Operand | undefined, reading: Reading = "int"): number {
    if (operand === undefined) throw new Unsupported("an operand is missing");
    switch (operand.kind) {
      case "reg": {
        if (isPredicateLike(operand.reg)) throw new Unsupported("found a predicate where a value was expected");
        return this.modify32(this.row(operand.reg), operand, reading);
      }
      case "cbank": {
        const { bank, base, offset, neg, abs } = operand;
        if (base === null) {
          checkBank(bank, offset, 4);
          const row = this.temp(false);
          this.bankWords.push({ row, bank, offset, wide: false, mods: { neg, abs, reading } });
          return row;
        }
        return this.modify32(this.indexedBank(bank, this.row(base), offset, false), { neg, abs, not: false }, reading);
      }
      case "imm64":
      case "imm":
      case "f32":
      case "f64":
      case "table":
      case "sym":
        return this.constant(this.immediate(operand, reading === "f64" ? "f32" : reading).lo);
      default:
        throw new Unsupported(`an operand of kind ${operand.kind} has no value`);
    }
  }

  /** Row pair of a 64-bit source. A 32-bit register is zero-extended. */
  src64(operand: Operand | undefined, reading: "int" | "f64" = "int"): number {
    if (operand === undefined) throw new Unsupported("an operand is missing");
    switch (operand.kind) {
      case "reg": {
        const r = operand.reg;
        if (isPredicateLike(r)) throw new Unsupported("found a predicate where a value was expected");
        if (isConstantReg(r) || regClass(r) === "RD") return this.modify64(this.row(r), operand, reading);
        const pair = this.temp(true);
        this.pre.push(copyRows(pair, this.row(r)));
        return this.modify64(pair, operand, reading);
      }
      case "cbank": {
        const { bank, base, offset, neg, abs } = operand;
        if (base === null) {
          checkBank(bank, offset, 8);
          const row = this.temp(true);
          this.bankWords.push({ row, bank, offset, wide: true, mods: { neg, abs, reading } });
          return row;
        }
        return this.modify64(this.indexedBank(bank, this.row(base), offset, true), { neg, abs, not: false }, reading);
      }
      case "imm64":
      case "imm":
      case "f32":
      case "f64":
      case "table":
      case "sym": {
        const { lo, hi } = this.immediate(operand, reading);
        return this.constant(lo, hi);
      }
      default:
        throw new Unsupported(`an operand of kind ${operand.kind} has no value`);
    }
  }

  src(operand: Operand | undefined, wide: boolean, reading: "int" | "f32" = "int"): number {
    return wide ? this.src64(operand) : this.src32(operand, reading);
  }

  /** A predicate source; absent: true. */
  srcP(operand: Operand | undefined): PredRef {
    if (operand === undefined) return { p: 0, x: 0 };
    if (operand.kind !== "reg" || !isPredicateLike(operand.reg)) throw new Unsupported("a predicate was expected");
    return { p: this.predIndex(operand.reg), x: operand.neg !== operand.not ? -1 : 0 };
  }

  /** The two words of an immediate. */
  private immediate(operand: Operand, reading: Reading): { readonly lo: number; readonly hi: number } {
    switch (operand.kind) {
      case "imm":
        return { lo: operand.value >>> 0, hi: Math.floor(operand.value / 0x1_0000_0000) >>> 0 };
      case "imm64":
        return { lo: Number(operand.value & 0xffff_ffffn), hi: Number((operand.value >> 32n) & 0xffff_ffffn) };
      case "f32":
        return reading === "f64" ? doubleWords(singleValue(operand.bits)) : { lo: operand.bits >>> 0, hi: 0 };
      case "f64":
        if (reading === "f32") return { lo: singleBits(operand.hi, operand.lo), hi: 0 };
        return { lo: operand.lo >>> 0, hi: operand.hi >>> 0 };
      case "table":
        return { lo: this.tableAddress(operand.name), hi: 0 };
      case "sym": {
        const address = this.symbol(operand.name);
        if (address === null) throw new Unsupported(`the symbol ${operand.name} is not declared`);
        return { lo: (address + operand.offset) >>> 0, hi: address + operand.offset < 0 ? 0xffff_ffff : 0 };
      }
      default:
        throw new Unsupported(`an operand of kind ${operand.kind} has no value`);
    }
  }

  tableAddress(name: string): number {
    const index = this.tables.get(name);
    if (index === undefined) throw new Unsupported(`there is no table ${name}`);
    return TABLE_BASE + index * TABLE_STRIDE;
  }

  symbolAddress(name: string): number {
    const address = this.symbol(name);
    if (address === null) throw new Unsupported(`the symbol ${name} is not declared`);
    return address;
  }

  private modify32(row: number, mods: { neg: boolean; abs: boolean; not: boolean }, reading: Reading): number {
    const { neg, abs, not } = mods;
    if (!neg && !abs && !not) return row;
    const temp = this.temp(false);
    const sign = reading === "f32" ? 0x8000_0000 : 0x8000_8000;
    const keep = abs ? ~sign : -1;
    const flip = neg ? sign : 0;
    const ofInteger = (a: number): number => {
      let v = not ? ~a : a | 0;
      if (abs && v < 0) v = -v;
      return neg ? -v : v;
    };
    const change = reading === "f32" || reading === "f16x2" ? (a: number): number => (a & keep) ^ flip : ofInteger;
    // V8 inlines `change`, which is one of two, but none of the many functions of `words`: by that it takes up to 1.4 times as long.
    this.pre.push(({ r }, mask) => {
      for (const l of lanesOf(mask)) r[temp + l] = change(r[row + l] as number);
    });
    return temp;
  }

  private modify64(row: number, mods: { neg: boolean; abs: boolean; not: boolean }, reading: "int" | "f64"): number {
    const { neg, abs, not } = mods;
    if (!neg && !abs && !not) return row;
    const temp = this.temp(true);
    this.pre.push(
      lanes((l, r) => {
        const [lo, hi] = modifyWords(r[row + l] as number, r[row + LANES + l] as number, mods, reading);
        r[temp + l] = lo;
        r[temp + LANES + l] = hi;
      }),
    );
    return temp;
  }

  /** `c[bank][R + offset]` into a scratch row. */
  private indexedBank(bank: number, base: number, offset: number, wide: boolean): number {
    const temp = this.temp(wide);
    const size = wide ? 8 : 4;
    this.pre.push((s, mask, machine) => {
      const r = s.r;
      const source = machine.bank(bank);
      for (const l of lanesOf(mask)) {
        const address = ((r[base + l] as number) + offset) >>> 0;
        if (source === null || address + size > source.bytes.length) {
          machine.trap(`read outside of constant bank ${bank}`, l, address);
          return;
        }
        if (address % size !== 0) {
          machine.trap("misaligned read of a constant bank", l, address);
          return;
        }
        r[temp + l] = source.view.getUint32(address, true);
        if (wide) r[temp + LANES + l] = source.view.getUint32(address + 4, true);
      }
    });
    return temp;
  }
}

/** Applies `~`, `|x|` and `-` to a word pair. */
export function modifyWords(
  lo: number,
  hi: number,
  mods: { readonly neg: boolean; readonly abs: boolean; readonly not?: boolean },
  reading: Reading,
): readonly [lo: number, hi: number] {
  let l = lo;
  let h = hi;
  if (reading === "f64") {
    if (mods.abs) h &= 0x7fff_ffff;
    if (mods.neg) h ^= 0x8000_0000;
    return [l, h >>> 0];
  }
  if (mods.not === true) {
    l = ~l >>> 0;
    h = ~h >>> 0;
  }
  const negate = mods.abs && (h | 0) < 0 ? !mods.neg : mods.neg;
  if (negate) {
    l = -l >>> 0;
    h = (~h + (l === 0 ? 1 : 0)) >>> 0;
  }
  return [l, h];
}

/** Runs `steps` before `main` and `post` after it. */
export function compose(steps: readonly Exec[], main: Exec, post: Exec | null = null): Exec {
  if (steps.length === 0 && post === null) return main;
  const first = steps[0];
  if (steps.length === 1 && first !== undefined && post === null) {
    return (s, mask, m) => {
      first(s, mask, m);
      if (m.fault === null) main(s, mask, m);
    };
  }
  return (s, mask, m) => {
    for (const step of steps) {
      step(s, mask, m);
      if (m.fault !== null) return;
    }
    main(s, mask, m);
    if (post !== null) post(s, mask, m);
  };
}

/** The row `d`, or the pair of rows, becomes a copy of `x`. */
export function copyRows(d: number, x: number, wide = false): Exec {
  const size = wide ? 2 * LANES : LANES;
  return ({ r }, mask) => {
    if (mask === -1) {
      r.copyWithin(d, x, x + size);
      return;
    }
    for (const l of lanesOf(mask)) {
      r[d + l] = r[x + l] as number;
      if (wide) r[d + LANES + l] = r[x + LANES + l] as number;
    }
  };
}

function checkBank(bank: number, offset: number, size: number): void {
  if (bank < 0 || bank >= BANK_COUNT || offset < 0 || offset + size > BANK_BYTES) {
    throw new Unsupported(`c[${bank}][${offset}] is outside the constant banks`);
  }
  if (offset % size !== 0) throw new Unsupported(`c[${bank}][${offset}] is misaligned`);
}

function isPredicateLike(r: Reg): boolean {
  const code = r & 7;
  return code === 2 || code === 4;
}

const scratch = new DataView(new ArrayBuffer(8));

function singleValue(bits: number): number {
  scratch.setUint32(0, bits);
  return scratch.getFloat32(0);
}

function doubleWords(value: number): { readonly lo: number; readonly hi: number } {
  scratch.setFloat64(0, value);
  return { hi: scratch.getUint32(0), lo: scratch.getUint32(4) };
}

function singleBits(hi: number, lo: number): number {
  scratch.setUint32(0, hi);
  scratch.setUint32(4, lo);
  scratch.setFloat32(0, scratch.getFloat64(0));
  return scratch.getUint32(0);
}

/** The instruction's modifier among `choices`; null when it has none of them. */
export function modOf<T extends string>(inst: Inst, choices: readonly T[]): T | null {
  for (const mod of inst.mods) if ((choices as readonly string[]).includes(mod)) return mod as T;
  return null;
}

export function hasMod(inst: Inst, mod: string): boolean {
  return inst.mods.includes(mod);
}
