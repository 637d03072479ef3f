/** The nine steps: do two branches of a chain test the same condition (general-optimize, Chain-Walking Algorithm, steps 5 to 9)? */

import type { DefSite, ReachingDefs } from "../../analysis/reaching-defs.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId, Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass, regName } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defCount, defsOf, effectOf, sameOperand } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import type { Chain } from "./chain.ts";
import { LINE } from "./pseudocode.ts";

/** Depth of the comparison of definitions behind operands (fourth argument of `sub_1245740`). */
export const SUB_DAG_DEPTH = 2;

export interface Verdict {
  readonly equal: boolean;
  /** Short name of the step that decided. */
  readonly condition: string;
  readonly line: number;
  readonly why: string;
  /** The instructions compared, when the predicates are two values. */
  readonly defs: readonly Inst[];
}

interface Place {
  readonly block: BlockId;
  readonly at: number;
}

export class Equivalence {
  private readonly edit: Editor;
  private readonly reach: ReachingDefs;
  private readonly level: number;

  /** `reach`: of the function before the phase's edits, which take edges away and nothing else. */
  constructor(edit: Editor, reach: ReachingDefs, level: number) {
    this.edit = edit;
    this.reach = reach;
    this.level = level;
  }

  sameCondition(chain: Chain): Verdict {
    const { first, second } = chain;
    const [p, q] = [first.guard.reg, second.guard.reg];
    const names = `${regName(p)} and ${regName(q)}`;
    if (regClass(p) !== regClass(q)) return no("6 format", LINE.structure, `${names} are of different classes`);
    if (first.guard.neg !== second.guard.neg) {
      return no("8 negation", LINE.negation, "one branch is taken when its predicate holds, the other when it does not");
    }
    const atFirst = this.endOf(first.block);
    const atSecond = this.endOf(second.block);
    if (p === q && !this.writtenBetween(p, chain, atFirst, atSecond)) {
      return yes("7 same register", LINE.sameRegister, `${regName(p)} is not written between the two branches`);
    }
    if (this.level < 2) return no("level", LINE.compare, "equal compares are looked for from level 2 on");
    return this.compareDefinitions(chain, this.soleDef(p, atFirst), this.soleDef(q, atSecond));
  }

  private compareDefinitions(chain: Chain, d1: DefSite | null, d2: DefSite | null): Verdict {
    if (d1?.inst == null || d2?.inst == null) {
      return no("4 single definition", LINE.compare, "a predicate has several definitions, or one under a guard");
    }
    const [a, b] = [this.current(d1), this.current(d2)];
    if (d1 === d2) return yes("7 same definition", LINE.compare, `both predicates come from '${this.text(a)}'`, [a]);
    const defs = [a, b];
    if ((a.guard === null) !== (b.guard === null) || a.guard !== null) {
      return no("5 predication", LINE.structure, `'${this.text(a)}' and '${this.text(b)}' have guards`, defs);
    }
    if (!sameShape(a, b)) return no("6 shape", LINE.compare, `'${this.text(a)}' and '${this.text(b)}' compute different things`, defs);
    const difference = this.operandsDiffer(chain, a, d1, b, d2, SUB_DAG_DEPTH);
    if (difference !== null) return { ...difference, defs };
    return yes("9 equal computation", LINE.deep, `'${this.text(a)}' and '${this.text(b)}' compute the same`, defs);
  }

  /** Null when all sources are equal in value. */
  private operandsDiffer(chain: Chain, a: Inst, pa: Place, b: Inst, pb: Place, depth: number): Verdict | null {
    for (let i = defCount(a.op, a.ops); i < a.ops.length; i++) {
      const [x, y] = [a.ops[i], b.ops[i]];
      if (x === undefined || y === undefined) return no("6 shape", LINE.compare, "they have different operands");
      const found = this.operandDiffers(chain, x, pa, y, pb, depth);
      if (found !== null) return found;
    }
    return null;
  }

  private operandDiffers(chain: Chain, x: Operand, pa: Place, y: Operand, pb: Place, depth: number): Verdict | null {
    if (x.kind !== "reg" || y.kind !== "reg") {
      const base = x.kind === "cbank" ? x.base : null;
      if (!sameOperand(x, y) || x.kind === "mem" || base !== null) return no("7 operand", LINE.compare, "an operand differs");
      return null;
    }
    if (x.neg !== y.neg || x.abs !== y.abs || x.not !== y.not) {
      return no("8 modifiers", LINE.negation, `${regName(x.reg)} and ${regName(y.reg)} carry different modifiers`);
    }
    return this.registerDiffers(chain, x.reg, pa, y.reg, pb, depth);
  }

  private registerDiffers(chain: Chain, r: Reg, pa: Place, s: Reg, pb: Place, depth: number): Verdict | null {
    if (isConstantReg(r) || isConstantReg(s)) return r === s ? null : no("7 operand", LINE.compare, `${regName(r)} is not ${regName(s)}`);
    if (r === s && this.sameValue(r, chain, pa, pb)) return null;
    const what = r === s ? `${regName(r)} may have changed in between` : `${regName(r)} and ${regName(s)} differ`;
    if (depth === 0) return no("9 depth", LINE.deep, `${what}, and the comparison goes no deeper than ${SUB_DAG_DEPTH}`);
    const [d, e] = [this.soleDef(r, pa), this.soleDef(s, pb)];
    if (d?.inst == null || e?.inst == null) return no("7 operand", LINE.compare, what);
    if (d === e) return null;
    const [a, b] = [this.current(d), this.current(e)];
    for (const inst of [a, b]) {
      if (effectOf(inst) !== "pure") return no("9 alias hazard", LINE.deep, `'${this.text(inst)}' may give another value each time`);
    }
    if (a.guard !== null || b.guard !== null || a.op === "PHI" || !sameShape(a, b)) return no("9 sub-DAG", LINE.deep, what);
    return this.operandsDiffer(chain, a, d, b, e, depth - 1);
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
      const { insts } = this.edit.block(block);
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
    const now = this.edit.block(site.block).insts[site.at];
    if (now === undefined) throw new Error("internal: a definition has gone");
    return now;
  }

  private endOf(block: BlockId): Place {
    return { block, at: this.edit.block(block).insts.length };
  }

  private text(inst: Inst): string {
    return printInst(this.edit.func, inst);
  }
}

function sameShape(a: Inst, b: Inst): boolean {
  return (
    a.op === b.op &&
    a.op !== "OPAQUE" &&
    effectOf(a) === "pure" &&
    a.ops.length === b.ops.length &&
    a.mods.length === b.mods.length &&
    a.mods.every((m, i) => m === b.mods[i])
  );
}

const yes = (condition: string, line: number, why: string, defs: readonly Inst[] = []): Verdict => ({
  equal: true,
  condition,
  line,
  why,
  defs,
});
const no = (condition: string, line: number, why: string, defs: readonly Inst[] = []): Verdict => ({
  equal: false,
  condition,
  line,
  why,
  defs,
});
