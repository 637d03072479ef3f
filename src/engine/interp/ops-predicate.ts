/** Predicate instructions: compares, predicate logic, predicates from and to register bits. */

import type { Opcode } from "../ir/opcodes.ts";
import { isConstantReg } from "../ir/reg.ts";
import type { Inst } from "../ir/types.ts";
import { maskOfR2P } from "../ir/visit.ts";
import { type Build, type Builder, hasMod, modOf, Unsupported } from "./builder.ts";
import { f16FromBits, flushF32 } from "./float-bits.ts";
import { lop3 } from "./integer.ts";
import { lanes, lanesOf, setPredicate } from "./lanes.ts";
import { type Exec, LANES } from "./machine.ts";
import { genericSpace } from "./memory.ts";
import { constantOperand, doubleAt, finish, isWide, lanesWhere, lanesWith, lessThan, singleAt, type Test } from "./shapes.ts";

export const PREDICATE_OPS = {
  ISETP: (b, inst) => {
    const wide = isWide(inst, inst.ops[1]) || isWide(inst, inst.ops[2]);
    const x = b.src(inst.ops[1], wide);
    const y = b.src(inst.ops[2], wide);
    const kind = modOf(inst, ["EQ", "NE", "LT", "LE", "GT", "GE"]);
    if (kind === null) throw new Unsupported("ISETP needs a comparison");
    // One test for equality and one for the order: the others are the same of swapped operands, negated, or both.
    const test = kind === "EQ" || kind === "NE" ? equal(wide) : lessThan(hasMod(inst, "U32"), wide);
    const negated = kind === "NE" || kind === "LE" || kind === "GE";
    return kind === "GT" || kind === "LE" ? compare(b, inst, y, x, test, negated) : compare(b, inst, x, y, test, negated);
  },
  FSETP: (b, inst) => {
    const ftz = hasMod(inst, "FTZ") ? flushF32 : (v: number): number => v;
    const test = floatTest(inst);
    return compare(b, inst, b.src32(inst.ops[1], "f32"), b.src32(inst.ops[2], "f32"), (r, x, y) =>
      test(ftz(singleAt(r, x)), ftz(singleAt(r, y))),
    );
  },
  DSETP: (b, inst) => {
    const test = floatTest(inst);
    return compare(b, inst, b.src64(inst.ops[1], "f64"), b.src64(inst.ops[2], "f64"), (r, x, y) => test(doubleAt(r, x), doubleAt(r, y)));
  },
  HSETP2: (b, inst) => {
    const test = floatTest(inst);
    return compare(b, inst, b.src32(inst.ops[1], "f16x2"), b.src32(inst.ops[2], "f16x2"), (r, x, y) =>
      test(f16FromBits((r[x] as number) & 0xffff), f16FromBits((r[y] as number) & 0xffff)),
    );
  },
  QSPC: (b, inst) => {
    const d = b.dstP(inst.ops[0]);
    const wide = isWide(inst, inst.ops[1]);
    const x = b.src(inst.ops[1], wide);
    const space = modOf(inst, ["GLOBAL", "SHARED", "LOCAL"]);
    return finish(b, (s, mask) => {
      let inside = 0;
      for (const l of lanesOf(mask)) {
        const beyond = wide && s.r[x + LANES + l] !== 0;
        if (space === (beyond ? "GLOBAL" : genericSpace(s.r[x + l] as number))) inside |= 1 << l;
      }
      setPredicate(s.p, d, mask, inside);
    });
  },
  PLOP3: (b, inst) => {
    const d = b.dstP(inst.ops[0]);
    const [x, y, z] = [b.srcP(inst.ops[1]), b.srcP(inst.ops[2]), b.srcP(inst.ops[3])];
    const table = lop3(constantOperand(inst.ops[4]));
    return finish(b, (s, mask) => {
      setPredicate(s.p, d, mask, table(lanesWith(s, x), lanesWith(s, y), lanesWith(s, z)));
    });
  },
  PMOV: (b, inst) => {
    const d = b.dstP(inst.ops[0]);
    const x = b.srcP(inst.ops[1]);
    return finish(b, (s, mask) => setPredicate(s.p, d, mask, lanesWith(s, x)));
  },
  R2P: (b, inst) => {
    const ps = predVector(b, inst, 0, true);
    const x = b.src32(inst.ops[1]);
    if (inst.ops[2] !== undefined) constantOperand(inst.ops[2]);
    const select = maskOfR2P(inst);
    return finish(b, (s, mask) => {
      const { r, p } = s;
      for (let i = 0; i < ps.length; i++) {
        if (((select >>> i) & 1) === 0) continue;
        let bits = 0;
        for (const l of lanesOf(mask)) {
          bits |= (((r[x + l] as number) >>> i) & 1) << l;
        }
        setPredicate(p, ps[i] as number, mask, bits);
      }
    });
  },
  P2R: (b, inst) => {
    const d = b.dst32(inst.ops[0]);
    const ps = predVector(b, inst, 1, false);
    const base = inst.ops[2] === undefined ? b.constant(0) : b.src32(inst.ops[2]);
    const keep = ps.length >= 32 ? 0 : -1 << ps.length;
    const main = lanes((l, r, { p }) => {
      let value = (r[base + l] as number) & keep;
      for (let i = 0; i < ps.length; i++) value |= (((p[ps[i] as number] as number) >>> l) & 1) << i;
      r[d + l] = value;
    });
    return finish(b, main);
  },
} satisfies Partial<Record<Opcode, Build>>;

function predVector(b: Builder, inst: Inst, at: number, defines: boolean): number[] {
  const operand = inst.ops[at];
  if (operand?.kind !== "vec" || operand.regs.length > 32) throw new Unsupported("a vector of up to 32 predicates was expected");
  return operand.regs.map((r) => (isConstantReg(r) && defines ? 1 : b.predIndex(r)));
}

/** p = test(x, y) [bool q], lane by lane; the test may be negated. */
function compare(b: Builder, inst: Inst, x: number, y: number, test: Test, negated = false): Exec {
  const d = b.dstP(inst.ops[0]);
  const q = b.srcP(inst.ops[3]);
  const bool = modOf(inst, ["AND", "OR", "XOR"]) ?? "AND";
  return finish(b, (s, mask) => {
    const bits = lanesWhere(test, s.r, mask, x, y) ^ (negated ? -1 : 0);
    const other = lanesWith(s, q);
    const value = bool === "AND" ? bits & other : bool === "OR" ? bits | other : bits ^ other;
    setPredicate(s.p, d, mask, value);
  });
}

function equal(wide: boolean): Test {
  return wide ? (r, x, y) => r[x] === r[y] && r[x + LANES] === r[y + LANES] : (r, x, y) => r[x] === r[y];
}

const FLOAT_TESTS = ["EQ", "NE", "LT", "LE", "GT", "GE", "EQU", "NEU", "LTU", "LEU", "GTU", "GEU", "NUM", "NAN"] as const;

/** Ordered compares are false for a NaN, those with U true. */
function floatTest(inst: Inst): (x: number, y: number) => boolean {
  switch (modOf(inst, FLOAT_TESTS)) {
    case "EQ":
      return (x, y) => x === y;
    case "NE":
      return (x, y) => x < y || x > y;
    case "LT":
      return (x, y) => x < y;
    case "LE":
      return (x, y) => x <= y;
    case "GT":
      return (x, y) => x > y;
    case "GE":
      return (x, y) => x >= y;
    case "EQU":
      return (x, y) => !(x < y || x > y);
    case "NEU":
      return (x, y) => x !== y;
    case "LTU":
      return (x, y) => !(x >= y);
    case "LEU":
      return (x, y) => !(x > y);
    case "GTU":
      return (x, y) => !(x <= y);
    case "GEU":
      return (x, y) => !(x < y);
    case "NUM":
      return (x, y) => !Number.isNaN(x) && !Number.isNaN(y);
    case "NAN":
      return (x, y) => Number.isNaN(x) || Number.isNaN(y);
    case null:
      throw new Unsupported("a comparison is missing");
  }
}
