/** Values of 64 bits with their own opcodes, as sm_100 and later have them: moves, choices, sums, minima, comparisons, counters. */

import { SPECIAL_REGISTERS } from "../../../../engine/ir/special-registers.ts";
import type { SassInst } from "../ast.ts";
import { definition, isTrue, predSource } from "./operands.ts";
import type { Pieces } from "./pieces.ts";

type Row = (inst: SassInst, p: Pieces) => boolean;

const signMods = (sign: string): string[] => (sign === "U64" ? ["U32", "64"] : ["64"]);

/** `MOV.64 R2, R4`. */
export const move64: Row = ({ mods, operands: [d, a, ...more] }, p) => {
  if (mods.join() !== "64" || more.length > 0) return false;
  const value = p.pairOrNumber(a);
  p.unpack(d, value?.kind === "reg" ? value : p.temp("RD", "MOV", [value], ["64"]));
  return true;
};

/** `SEL.64 R2, R2, -0x1, P0`. */
export const select64: Row = ({ root, mods, operands: [d, a, b, q, ...more] }, p) => {
  // The uniform one was seen to take the upper half of the second source from its lower half.
  if (root !== "SEL" || mods.join() !== "64" || more.length > 0) return false;
  p.unpack(d, p.temp("RD", "SEL", [p.pairOrNumber(a), p.pairOrNumber(b), predSource(q)], ["64"]));
  return true;
};

/** `VIMNMX.U64 R2, R4, R6, PT`. */
export const minMax64: Row = ({ mods, operands: [d, a, b, q, ...more] }, p) => {
  const [sign = ""] = mods;
  if (mods.length !== 1 || (sign !== "S64" && sign !== "U64") || more.length > 0) return false;
  p.unpack(d, p.temp("RD", "IMNMX", [p.pairOrNumber(a), p.pairOrNumber(b), predSource(q)], signMods(sign)));
  return true;
};

/** `UIADD3.64 UR4, UPT, UPT, UR6, UR8, URZ`, the predicates left out. */
export const add3Wide: Row = ({ mods, operands: [d, a, b, c, ...more] }, p) => {
  if (mods.join() !== "64" || c === undefined || more.length > 0) return false;
  p.unpack(d, p.temp("RD", "IADD3", [p.pair(a, "neg"), p.pairOrNumber(b, "neg"), p.pair(c, "neg")], ["64"]));
  return true;
};

const RELATIONS = ["EQ", "NE", "LT", "LE", "GT", "GE"];

/** `ISETP.GE.U64.AND P0, PT, R2, UR6, PT`; a second result stays opaque. */
export const compare64: Row = ({ mods, operands: [d, second, a, b, q, ...more] }, p) => {
  const [relation = "", sign = "", bool = "", ...others] = mods;
  if (!RELATIONS.includes(relation) || (sign !== "S64" && sign !== "U64") || others.length > 0) return false;
  if (!["AND", "OR", "XOR"].includes(bool) || !isTrue(second) || q === undefined || more.length > 0) return false;
  const ops = [definition(d), p.pairOrNumber(a), p.pairOrNumber(b)];
  if (isTrue(q) && bool === "AND") p.emit("ISETP", ops, [relation, ...signMods(sign)]);
  else p.emit("ISETP", [...ops, predSource(q)], [relation, ...signMods(sign), bool]);
  return true;
};

/** `CS2R R2, SR_CLOCKLO`: a counter of 64 bits. */
export const counter64: Row = ({ mods, operands: [d, s, ...more] }, p) => {
  if (more.length > 0 || mods.some((m) => m !== "64") || s?.kind !== "word" || !SPECIAL_REGISTERS.has(s.text)) return false;
  p.unpack(d, p.temp("RD", "CS2R", [{ kind: "sreg", name: s.text }], ["64"]));
  return true;
};
