/** Comparisons: setp with its second result and its combination, set, slct. */

import { immOp, regOp } from "../../../ir/builder.ts";
import { PT } from "../../../ir/reg.ts";
import type { Operand } from "../../../ir/types.ts";
import type { OperandAst } from "../ast.ts";
import type { OpSpelling } from "../spelling.ts";
import type { PtxType } from "../types.ts";
import type { Lowering, Row } from "./context.ts";
import { has, typeAt } from "./modifiers.ts";

const UNSIGNED_NAMES: Readonly<Record<string, string>> = { lo: "LT", ls: "LE", hi: "GT", hs: "GE" };
const RELATIONS = new Set(["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"]);

/** The complementary relation; for floats an ordered one is the complement of an unordered one. */
const INT_INVERSE: Readonly<Record<string, string>> = { EQ: "NE", NE: "EQ", LT: "GE", GE: "LT", GT: "LE", LE: "GT" };
const FLOAT_INVERSE: Readonly<Record<string, string>> = {
  EQ: "NEU",
  NEU: "EQ",
  NE: "EQU",
  EQU: "NE",
  LT: "GEU",
  GEU: "LT",
  LE: "GTU",
  GTU: "LE",
  GT: "LEU",
  LEU: "GT",
  GE: "LTU",
  LTU: "GE",
  NUM: "NAN",
  NAN: "NUM",
};

interface Comparison {
  readonly relation: string;
  readonly unsigned: boolean;
  /** AND, OR, XOR, or null. */
  readonly combine: string | null;
}

function comparisonOf(op: OpSpelling): Comparison | null {
  const relation = op.mods.find((m) => RELATIONS.has(m) || UNSIGNED_NAMES[m] !== undefined);
  if (relation === undefined) return null;
  const combine = op.mods.find((m) => m === "and" || m === "or" || m === "xor")?.toUpperCase() ?? null;
  const unsigned = UNSIGNED_NAMES[relation];
  return { relation: unsigned ?? relation.toUpperCase(), unsigned: unsigned !== undefined, combine };
}

/** Emits `d = (x relation y) [combine q]` for the type; fails for types without a compare. */
function compare(c: Lowering, op: OpSpelling, type: PtxType, d: Operand, x: Operand, y: Operand, how: Comparison, q: Operand | null) {
  const tail = q === null ? [] : [how.combine ?? "AND"];
  const ops = q === null ? [d, x, y] : [d, x, y, q];
  const ftz = has(op, "ftz") ? ["FTZ"] : [];
  switch (type.name) {
    case "f32":
    case "bf16":
      c.emit("FSETP", ops, [how.relation, ...ftz, ...tail]);
      return;
    case "f64":
      c.emit("DSETP", ops, [how.relation, ...tail]);
      return;
    case "f16":
      c.emit("HSETP2", ops, [how.relation, ...ftz, ...tail]);
      return;
    default: {
      if (type.kind === "f" || type.packed || INT_INVERSE[how.relation] === undefined) return c.fail();
      // Equality of bits needs no sign; a narrow unsigned value is not negative either way.
      const isUnsigned = how.unsigned || (type.kind !== "s" && how.relation !== "EQ" && how.relation !== "NE");
      c.emit("ISETP", ops, [how.relation, ...(isUnsigned ? ["U32"] : []), ...(type.bits === 64 ? ["64"] : []), ...tail]);
    }
  }
}

function sources(c: Lowering, type: PtxType, a: OperandAst | undefined, b: OperandAst | undefined): readonly [Operand, Operand] {
  switch (type.name) {
    case "f32":
      return [c.readFloat(a, 32), c.readFloat(b, 32)];
    case "f64":
      return [c.readFloat(a, 64), c.readFloat(b, 64)];
    case "f16":
      return [c.readHalf(a), c.readHalf(b)];
    case "bf16":
      // Exact in single.
      return [c.value("R", "F2F", [c.readHalf(a)], ["F32", "BF16"]), c.value("R", "F2F", [c.readHalf(b)], ["F32", "BF16"])];
    default:
      return [c.readExtended(a, type), c.readExtended(b, type)];
  }
}

const setp: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const how = comparisonOf(op);
  const [first, x, y, extra] = a;
  if (how === null || first === undefined) return c.fail();
  const [left, right] = sources(c, type, x, y);
  const q = how.combine === null ? null : c.readPred(extra);
  if (first.kind !== "pair") return compare(c, op, type, c.defPred(first), left, right, how, q);
  // p|q: the second result is the inverse comparison, combined the same way.
  const inverse = type.kind === "f" || type.kind === "bf" ? FLOAT_INVERSE[how.relation] : INT_INVERSE[how.relation];
  if (inverse === undefined) return c.fail();
  const [p, s] = [c.defPred(first.first), c.defPred(first.second)];
  // The combining predicate must still be there for the second one.
  const clobbers = p.kind === "reg" && q?.kind === "reg" && q.reg === p.reg && p.reg !== PT;
  const target = clobbers ? regOp(c.temp("P")) : p;
  compare(c, op, type, target, left, right, how, q);
  compare(c, op, type, s, left, right, { ...how, relation: inverse }, q);
  if (clobbers) c.emit("PMOV", [p, target]);
};

/** set: all ones or zero, for a float result 1.0 or 0. */
const set: Row = (c, op, a) => {
  const to = typeAt(c, op, 0);
  const type = typeAt(c, op, 1);
  const how = comparisonOf(op);
  if (how === null || to.packed || to.bits !== 32) return c.fail();
  const [left, right] = sources(c, type, a[1], a[2]);
  const q = how.combine === null ? null : c.readPred(a[3]);
  const p = regOp(c.temp("P"));
  compare(c, op, type, p, left, right, how, q);
  if (to.kind === "f") c.emit("FSEL", [c.def(a[0], to), { kind: "f32", bits: 0x3f800000 }, { kind: "f32", bits: 0 }, p]);
  else c.emit("SEL", [c.def(a[0], to), immOp(-1), immOp(0), p]);
};

/** slct: the first source when the third is not negative. */
const slct: Row = (c, op, a) => {
  const type = typeAt(c, op, 0);
  const by = typeAt(c, op, 1);
  const p =
    by.kind === "f"
      ? c.value("P", "FSETP", [c.readFloat(a[3], 32), { kind: "f32", bits: 0 }], ["GE", ...(has(op, "ftz") ? ["FTZ"] : [])])
      : c.value("P", "ISETP", [c.read32(a[3]), immOp(0)], ["GE"]);
  const d = c.def(a[0], type);
  if (type.name === "f32") c.emit("FSEL", [d, c.readFloat(a[1], 32), c.readFloat(a[2], 32), p]);
  else c.emit("SEL", [d, c.read(a[1], type), c.read(a[2], type), p], type.bits === 64 ? ["64"] : []);
};

export const COMPARE: Readonly<Record<string, Row>> = { setp, set, slct };
