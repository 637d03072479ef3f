/** Arithmetic in random programs: mnemonics and operands, repeated as often as each is to be drawn. */

import type { Prng } from "../../../base/prng.ts";
import type { Bank, Emitter } from "./emitter.ts";
import { often } from "./often.ts";

export const CMP = ["EQ", "NE", "LT", "LE", "GT", "GE"] as const;
const INTERESTING = [0, 1, 2, 3, 4, 5, 7, 8, 15, 16, 31, 32, 33, 255, 0x7fffffff, 0x80000000, 0xffffffff, 0xfffffffe, 0xff00ff00];

export function constant(rng: Prng): number {
  return rng.chance(0.7) ? rng.pick(INTERESTING) : rng.u32();
}

type Form = (e: Emitter) => readonly [bank: Bank, mnemonic: string, operands: string];

/** A register, now and then a constant. */
export const int = (e: Emitter): string => (e.rng.chance(0.25) ? String(constant(e.rng)) : e.read("int"));

/** The same, or a register with a sign. */
function signed(e: Emitter): string {
  if (e.rng.chance(0.25)) return String(constant(e.rng));
  const r = e.read("int");
  return e.rng.chance(0.08) ? e.rng.pick([`-${r}`, `~${r}`]) : r;
}

const a = (e: Emitter): string => e.read("int");
const sign = (e: Emitter): string => e.rng.pick(["", ".U32", ".S32"]);
const distance = (e: Emitter): string => (e.rng.chance(0.7) ? String(e.rng.below(40)) : a(e));
const bitwise = (e: Emitter): string => `LOP.${e.rng.pick(["AND", "OR", "XOR"])}`;

export const INTEGER = often<Form>([
  [4, (e) => ["int", "IADD", `${signed(e)}, ${int(e)}`]],
  [1, (e) => ["int", "IADD3", `${signed(e)}, ${signed(e)}, ${int(e)}`]],
  [2, (e) => ["int", "ISUB", `${a(e)}, ${int(e)}`]],
  [1, (e) => ["int", "INEG", a(e)]],
  [1, (e) => ["int", `IMUL${e.rng.pick(["", ".HI", ".HI.U32"])}`, `${a(e)}, ${int(e)}`]],
  [1, (e) => ["int", "IMAD", `${a(e)}, ${int(e)}, ${a(e)}`]],
  [1, (e) => ["int", `IMNMX${sign(e)}`, `${a(e)}, ${int(e)}, ${e.condition()}`]],
  [1, (e) => ["int", "IABS", a(e)]],
  [1, (e) => ["int", "SHL", `${a(e)}, ${distance(e)}`]],
  [1, (e) => ["int", `SHR${sign(e)}`, `${a(e)}, ${distance(e)}`]],
  [1, (e) => ["int", `SHF.${e.rng.pick(["L", "R"])}${e.rng.pick(["", ".W"])}${e.rng.pick(["", ".HI"])}`, `${a(e)}, ${int(e)}, ${a(e)}`]],
  [1, (e) => ["int", "LEA", `${a(e)}, ${int(e)}, ${e.rng.below(8)}`]],
  [2, (e) => ["int", "LOP3", `${a(e)}, ${int(e)}, ${a(e)}, ${e.rng.below(256)}`]],
  [3, (e) => ["int", bitwise(e), `${a(e)}, ${int(e)}`]],
  [1, (e) => ["int", "SEL", `${a(e)}, ${int(e)}, ${e.condition()}`]],
  [1, (e) => ["int", e.rng.pick(["POPC", "BREV", "FLO.U32", "LOP.NOT"]), a(e)]],
  [1, (e) => ["int", e.rng.pick(["PRMT", "BFE.U32"]), `${a(e)}, ${int(e)}, ${a(e)}`]],
]);

const float = (e: Emitter): string => e.read("float");
/** A register, now and then a constant. */
const term = (e: Emitter): string => (e.rng.chance(0.2) ? e.rng.pick(["1.0", "-2.5", "0.0", "0.1"]) : float(e));
const negated = (e: Emitter): string => (e.rng.chance(0.15) ? `-${float(e)}` : float(e));

export const FLOAT = often<Form>([
  [2, (e) => ["float", `FADD${e.rng.pick(["", "", ".FTZ", ".RZ"])}`, `${negated(e)}, ${term(e)}`]],
  [2, (e) => ["float", `FMUL${e.rng.pick(["", "", ".SAT"])}`, `${negated(e)}, ${term(e)}`]],
  [1, (e) => ["float", "FFMA", `${float(e)}, ${term(e)}, ${float(e)}`]],
  [1, (e) => ["float", "FMNMX", `${float(e)}, ${term(e)}, ${e.condition()}`]],
  [1, (e) => ["float", "I2F.F32.S32", a(e)]],
  [1, (e) => ["int", "F2I.S32.F32.TRUNC", float(e)]],
]);

const long = (e: Emitter): string => e.read("long");

export const LONG = often<Form>([
  [1, (e) => ["long", "IMAD.WIDE", `${a(e)}, ${int(e)}, ${long(e)}`]],
  [1, (e) => ["long", "IADD.64", `${long(e)}, ${e.rng.chance(0.5) ? long(e) : String(constant(e.rng))}`]],
  [1, (e) => ["long", `${bitwise(e)}.64`, `${long(e)}, ${long(e)}`]],
  [1, (e) => ["int", "I2I.U32.U64", long(e)]],
]);
