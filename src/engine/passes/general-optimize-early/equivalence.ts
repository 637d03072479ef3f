/** The nine steps: do two branches of a chain test the same condition (general-optimize, Chain-Walking Algorithm, steps 5 to 9)? */

import type { DefSite, ReachingDefs } from "../../analysis/reaching-defs.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defCount, defsOf, effectOf, sameOperand } from "../../ir/visit.ts";
import type { PassContext } from "../pass.ts";
import type { Chain } from "./chain.ts";
import { RULES } from "./rules.ts";

/** Depth of the comparison of definitions behind operands (fourth argument of `sub_1245740`). */
export const SUB_DAG_DEPTH = 2;

/** Which step found two conditions to be the same, and by which definitions. */
export type Same =
  | { readonly step: "same-register"; readonly p: Reg; readonly defs: readonly [] }
  | { readonly step: "same-definition"; readonly defs: readonly [Inst] }
  | { readonly step: "equal-computation"; readonly defs: readonly [Inst, Inst] };

interface Place {
  readonly block: BlockId;
  readonly at: number;
}

export class Equivalence {
  private readonly ctx: Pick<PassContext, "edit" | "remark" | "level">;
  private readonly reach: ReachingDefs;

  /** `reach`: of the function before the phase's edits, which take edges away and nothing else. */
  constructor(ctx: Equivalence["ctx"], reach: ReachingDefs) {
    this.ctx = ctx;
    this.reach = reach;
  }

  /** Null when a step stands against it, which it has told. */
  compare(chain: Chain): Same | null {
    const { edit, remark, level } = this.ctx;
    const { first, second } = chain;
    const [p, q] = [first.guard.reg, second.guard.reg];
    if (regClass(p) !== regClass(q)) return remark.missed(RULES.structure, "predicate-class", { ...about(chain), p, q });
    const alike = first.guard.neg === second.guard.neg;
    if (!remark.holds(RULES.negation, "branch-negation", alike, () => about(chain))) return null;
    const atFirst = { block: first.block, at: edit.block(first.block).insts.length };
    const atSecond = { block: second.block, at: edit.block(second.block).insts.length };
    if (p === q && !this.writtenBetween(p, chain, atFirst, atSecond)) return { step: "same-register", p, defs: [] };
    if (level < 2) return remark.missed(RULES.compare, "level", about(chain));
    return this.compareDefinitions(chain, this.soleDef(p, atFirst), this.soleDef(q, atSecond));
  }

  private compareDefinitions(chain: Chain, d1: DefSite | null, d2: DefSite | null): Same | null {
    const { remark } = this.ctx;
    if (d1?.inst == null || d2?.inst == null) return remark.missed(RULES.compare, "sole-definition", about(chain));
    const [a, b] = [this.current(d1), this.current(d2)];
    if (d1 === d2) return { step: "same-definition", defs: [a] };
    const pair = new Pair(chain, [a, b]);
    const unguarded = a.guard === null && b.guard === null;
    if (!remark.holds(RULES.structure, "guards", unguarded, () => ({ ...pair.about, a, b }))) return null;
    const alike = sameShape(a, b) && effectOf(a) === "pure";
    if (!remark.holds(RULES.compare, "computation", alike, () => ({ ...pair.about, a, b }))) return null;
    return this.sameOperands(pair, a, d1, b, d2, SUB_DAG_DEPTH) ? { step: "equal-computation", defs: [a, b] } : null;
  }

  /** All sources are equal in value. */
  private sameOperands(pair: Pair, a: Inst, pa: Place, b: Inst, pb: Place, depth: number): boolean {
    for (let i = defCount(a.op, a.ops); i < a.ops.length; i++) {
      const [x, y] = [a.ops[i], b.ops[i]];
      if (x === undefined || y === undefined) return this.ctx.remark.missed(RULES.compare, "operand-count", pair.about) ?? false;
      if (!this.sameSource(pair, x, pa, y, pb, depth)) return false;
    }
    return true;
  }

  private sameSource(pair: Pair, x: Operand, pa: Place, y: Operand, pb: Place, depth: number): boolean {
    const { remark } = this.ctx;
    if (x.kind !== "reg" || y.kind !== "reg") {
      const fixed = x.kind !== "mem" && (x.kind !== "cbank" || x.base === null);
      return remark.holds(RULES.compare, "operand", fixed && sameOperand(x, y), () => pair.about);
    }
    const modifiers = x.neg === y.neg && x.abs === y.abs && x.not === y.not;
    if (!remark.holds(RULES.negation, "modifiers", modifiers, () => ({ ...pair.about, x: x.reg, y: y.reg }))) return false;
    return this.sameRegister(pair, x.reg, pa, y.reg, pb, depth);
  }

  private sameRegister(pair: Pair, x: Reg, pa: Place, y: Reg, pb: Place, depth: number): boolean {
    const { remark } = this.ctx;
    const said = () => ({ ...pair.about, x, y });
    if (isConstantReg(x) || isConstantReg(y)) return remark.holds(RULES.compare, "constants", x === y, said);
    if (x === y && this.sameValue(x, pair.chain, pa, pb)) return true;
    if (depth === 0) {
      const too = { ...said(), depth: SUB_DAG_DEPTH };
      return remark.missed(RULES.deep, x === y ? "changed-too-deep" : "differs-too-deep", too) ?? false;
    }
    const [d, e] = [this.soleDef(x, pa), this.soleDef(y, pb)];
    if (d?.inst == null || e?.inst == null) {
      return remark.holds(RULES.compare, x === y ? "operand-changed" : "operand-differs", false, said);
    }
    if (d === e) return true;
    const [a, b] = [this.current(d), this.current(e)];
    for (const def of [a, b]) {
      if (!remark.holds(RULES.deep, "alias-hazard", effectOf(def) === "pure", () => ({ ...pair.about, def }))) return false;
    }
    const alike = a.guard === null && b.guard === null && a.op !== "PHI" && sameShape(a, b);
    if (!remark.holds(RULES.deep, x === y ? "sub-dag-changed" : "sub-dag-differs", alike, said)) return false;
    return this.sameOperands(pair, a, d, b, e, depth - 1);
  }

  /**
   * The register holds one value at both places: one definition reaches both (running it again would pass the compare again, since it dominates), or
   * nothing on the path between them writes it.
   */
  private sameValue(r: Reg, chain: Chain, pa: Place, pb: Place): boolean {
    const [x, y] = [this.reach.reachingAt(pa.block, pa.at, r), this.reach.reachingAt(pb.block, pb.at, r)];
    if (x.length === 1 && y.length === 1 && x[0] === y[0]) return true;
    return !this.writtenBetween(r, chain, pa, pb);
  }

  /** True also when one of the places is not on the path. */
  private writtenBetween(r: Reg, { path }: Chain, pa: Place, pb: Place): boolean {
    let [from, to] = [pa, pb];
    let [i, j] = [path.indexOf(from.block), path.indexOf(to.block)];
    if (i < 0 || j < 0) return true;
    if (i > j || (i === j && from.at > to.at)) [from, to, i, j] = [to, from, j, i];
    for (let k = i; k <= j; k++) {
      const block = path[k];
      if (block === undefined) return true;
      const { insts } = this.ctx.edit.block(block);
      const end = k === j ? to.at : insts.length;
      for (let n = k === i ? from.at : 0; n < end; n++) {
        const inst = insts[n];
        if (inst !== undefined && defsOf(inst).includes(r)) return true;
      }
    }
    return false;
  }

  private soleDef(r: Reg, { block, at }: Place): DefSite | null {
    return this.reach.soleDefAt(block, at, r);
  }

  private current(site: DefSite): Inst {
    const now = this.ctx.edit.block(site.block).insts[site.at];
    if (now === undefined) throw new Error("internal: a definition has gone");
    return now;
  }
}

/** Two definitions that are compared, and what is said of them. */
class Pair {
  readonly chain: Chain;
  private readonly defs: readonly Inst[];

  constructor(chain: Chain, defs: readonly Inst[]) {
    this.chain = chain;
    this.defs = defs;
  }

  get about() {
    return about(this.chain, this.defs);
  }
}

/** What remarks of a chain are about: its blocks, both branches, and definitions that are compared. */
export function about({ first, second, path }: Chain, defs: readonly Inst[] = []) {
  return { first: first.block, second: second.block, blocks: path, insts: [first.branch, second.branch, ...defs] };
}

function sameShape(a: Inst, b: Inst): boolean {
  return (
    a.op === b.op &&
    a.op !== "OPAQUE" &&
    a.ops.length === b.ops.length &&
    a.mods.length === b.mods.length &&
    a.mods.every((m, i) => m === b.mods[i])
  );
}
