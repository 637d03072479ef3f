/** The nine steps: do two branches of a chain test the same condition (general-optimize, Chain-Walking Algorithm, steps 5 to 9)? */

import type { ReachingDefs } from "../../analysis/reaching-defs.ts";
import type { Reg } from "../../ir/ids.ts";
import { isConstantReg, regClass } from "../../ir/reg.ts";
import type { Inst, Operand } from "../../ir/types.ts";
import { defCount, defsOf, effectOf, sameOperand } from "../../ir/visit.ts";
import { line } from "../../remark/rules.ts";
import type { PassContext } from "../pass.ts";
import type { Chain } from "./chain.ts";
import { PathValues, type Place } from "./path-values.ts";

const SAME = "{second:block} tests what {first:block} has tested";
export const STAYS = "{second:block} is not decided by {first:block}: {why}";

export const structure = line("      step 5: both branches are predicated alike; step 6: operands of one format", {
  stays: STAYS,
  missed: {
    "predicate-class": { code: "6 format", say: "{p:reg} and {q:reg} are of different classes" },
    format: { code: "6 format", say: "the last operands of '{a:inst}' and '{b:inst}' have the formats {x} and {y}" },
    guards: {
      code: "5 predication",
      say: "'{a:inst}' and '{b:inst}' have different guards, or different old values where the guard is false",
      droppable: "where a guard keeps a compare from running, its predicate contains an older answer",
    },
  },
});

export const format = line(
  "      step 6: the last operand's format, which is operand 5 without the guard's two (bit 12 of the opcode word)",
  {
    kind: "note",
    step: "{operands} operands, {effective} without a guard's; both of format {x}",
  },
);

export const renamed = line(
  "      second matcher: p and q lead through copies to one register with one value; the backend allows the rewrite // sub_753E30; slot 656",
  {
    found: `${SAME} in another register: copies lead back to {source:reg}`,
  },
);

export const sameRegister = line("      step 7: p and q are one register, not written on the path: equal", {
  found: `${SAME}: {p:reg} is not written between the two branches`,
});

export const negation = line("      step 8: negation and absolute-value flags agree, here and at each operand", {
  stays: STAYS,
  missed: {
    "branch-negation": {
      code: "8 negation",
      say: "one branch is taken when its predicate holds, the other when it does not",
      droppable: "the second branch follows the opposite answer",
    },
    modifiers: {
      code: "8 modifiers",
      say: "{x:reg} and {y:reg} carry different modifiers",
      droppable: "a value is taken for its negative",
    },
  },
});

export const compare = line(
  "      else the instructions that define p and q: same opcode and modifiers, no guard, operands of equal value",
  {
    found: `${SAME}: both predicates come from '{a:inst}'`,
    stays: STAYS,
    missed: {
      level: { say: "equal compares are searched for from level 2 on" },
      "sole-definition": { code: "4 single definition", say: "a predicate has several definitions" },
      computation: {
        code: "6 shape",
        say: "'{a:inst}' and '{b:inst}' compute different values",
        droppable: "the answer of a different compare is used",
      },
      "operand-count": { code: "6 shape", say: "they have different operands" },
      operand: { code: "7 operand", say: "an operand differs", droppable: "a compare with a different value is taken for the same" },
      constants: {
        code: "7 operand",
        say: "{x:reg} is not {y:reg}",
        droppable: "a compare with a different constant is taken for the same",
      },
      "operand-changed": {
        code: "7 operand",
        say: "{x:reg} may have changed in between",
        droppable: "what was written in between is taken for the value before",
      },
      "operand-differs": {
        code: "7 operand",
        say: "{x:reg} and {y:reg} differ",
        droppable: "a compare with a different value is taken for the same",
      },
    },
  },
);

export const deep = line("      step 9: operands that differ: their definitions are equal down to sub-DAG depth 2, without alias hazard", {
  found: `${SAME}: '{a:inst}' and '{b:inst}' compute the same`,
  stays: STAYS,
  missed: {
    "changed-too-deep": {
      code: "9 depth",
      say: "{x:reg} may have changed in between, and the comparison goes no deeper than {depth}",
    },
    "differs-too-deep": { code: "9 depth", say: "{x:reg} and {y:reg} differ, and the comparison goes no deeper than {depth}" },
    "alias-hazard": {
      code: "9 alias hazard",
      say: "'{def:inst}' may give a different value each time",
      droppable: "a value stored between two loads is ignored",
    },
    "sub-dag-changed": {
      code: "9 sub-DAG",
      say: "{x:reg} may have changed in between",
      droppable: "what was written in between is taken for the value before",
    },
    "sub-dag-differs": {
      code: "9 sub-DAG",
      say: "{x:reg} and {y:reg} differ",
      droppable: "the result of a different computation is taken for the same",
    },
  },
});

/** Depth of the comparison of operands' definitions (fourth argument of `sub_1245740`). */
export const SUB_DAG_DEPTH = 2;

/** Which step found two conditions to be the same, and by which definitions. */
export type Same =
  | { readonly step: "same-register"; readonly p: Reg; readonly defs: readonly [] }
  | { readonly step: "same-definition"; readonly defs: readonly [Inst] }
  | { readonly step: "equal-computation"; readonly defs: readonly [Inst, Inst] }
  /** The second matcher's: `copies` lead from both predicates to `source`. */
  | { readonly step: "renamed"; readonly source: Reg; readonly copies: readonly Inst[]; readonly defs: readonly [Inst] };

/** A register read at a place. */
interface Read extends Place {
  readonly reg: Reg;
}

/** Limit on the guarded definitions skipped, one after the other, for the register's earlier value. */
const OLDER_DEPTH = 2;

export class Equivalence {
  private readonly ctx: Pick<PassContext, "edit" | "remark" | "level">;
  private readonly values: PathValues;

  /** `reach`: of the function before the phase's edits, which only remove edges. */
  constructor(ctx: Equivalence["ctx"], reach: ReachingDefs) {
    this.ctx = ctx;
    this.values = new PathValues(ctx.edit, reach);
  }

  /** Null when a step prevents it, which it has reported. */
  compare(chain: Chain): Same | null {
    const { edit, remark, level } = this.ctx;
    const { first, second } = chain;
    const [p, q] = [first.guard.reg, second.guard.reg];
    if (regClass(p) !== regClass(q)) return remark.missed(structure, "predicate-class", { ...about(chain), p, q });
    const alike = first.guard.neg === second.guard.neg;
    if (!remark.holds(negation, "branch-negation", alike, () => about(chain))) return null;
    const atFirst = { block: first.block, at: edit.block(first.block).insts.length };
    const atSecond = { block: second.block, at: edit.block(second.block).insts.length };
    if (p === q && !this.values.writtenBetween(p, chain, atFirst, atSecond)) return { step: "same-register", p, defs: [] };
    if (level < 2) return remark.missed(compare, "level", about(chain));
    const renamed = this.renamed(chain, { reg: p, ...atFirst }, { reg: q, ...atSecond });
    return renamed ?? this.compareDefinitions(chain, { reg: p, ...atFirst }, { reg: q, ...atSecond }, OLDER_DEPTH);
  }

  /** `sub_753E30`: the second condition's register is a different one, and copies lead back to what the first one reads. */
  private renamed(chain: Chain, p: Read, q: Read): Same | null {
    const [x, y] = [this.values.source(p.reg, chain, p), this.values.source(q.reg, chain, q)];
    const copies = [...x.copies, ...y.copies];
    const [last] = y.copies.length > 0 ? y.copies : x.copies;
    if (last === undefined || x.reg !== y.reg || !this.values.sameValue(x.reg, chain, x.place, y.place)) return null;
    return { step: "renamed", source: x.reg, copies, defs: [last] };
  }

  private compareDefinitions(chain: Chain, p: Read, q: Read, older: number): Same | null {
    const { remark } = this.ctx;
    const [d1, d2] = [this.values.lastWriter(p.reg, chain, p), this.values.lastWriter(q.reg, chain, q)];
    if (d1 === null || d2 === null) return remark.missed(compare, "sole-definition", about(chain));
    const [a, b] = [d1.inst, d2.inst];
    if (a.id === b.id && p.reg === q.reg) return { step: "same-definition", defs: [a] };
    const pair = new Pair(chain, [a, b]);
    const said = () => ({ ...pair.about, a, b });
    if (!remark.holds(structure, "guards", this.guardsAgree(pair, { ...p, ...d1 }, a, { ...q, ...d2 }, b, older), said)) return null;
    const sameResult = a.id !== b.id && defsOf(a).indexOf(p.reg) === defsOf(b).indexOf(q.reg);
    const alike = sameResult && sameShape(a, b) && effectOf(a) === "pure";
    if (!remark.holds(compare, "computation", alike, said)) return null;
    if (!this.sameFormat(pair, a, b)) return null;
    return this.sameOperands(pair, a, d1, b, d2, SUB_DAG_DEPTH) ? { step: "equal-computation", defs: [a, b] } : null;
  }

  /**
   * `sub_7E7380`: neither definition has a guard, or both have one of the same register and sign, with one value at both; where it does not hold, the
   * registers keep their values, which must be equal, too.
   */
  private guardsAgree(pair: Pair, p: Read, a: Inst, q: Read, b: Inst, older: number): boolean {
    if (a.guard === null || b.guard === null) return a.guard === b.guard;
    if (older === 0 || a.guard.reg !== b.guard.reg || a.guard.neg !== b.guard.neg) return false;
    if (!isConstantReg(a.guard.reg) && !this.values.sameValue(a.guard.reg, pair.chain, p, q)) return false;
    // One register under one guard: if it does not hold, the second definition keeps what the first one kept.
    if (p.reg === q.reg && this.values.lastWriter(q.reg, pair.chain, q)?.inst.id === a.id) return true;
    return this.compareDefinitions(pair.chain, p, q, older - 1) !== null;
  }

  /** Step 6: the guard's two operands are not counted; format 3 is a register, 4 an immediate. */
  private sameFormat(pair: Pair, a: Inst, b: Inst): boolean {
    const { remark } = this.ctx;
    const [x, y] = [formatOf(a), formatOf(b)];
    if (x !== y) return remark.fails(structure, "format", { ...pair.about, a, b, x, y });
    const operands = a.ops.length + (a.guard === null ? 0 : 2);
    remark.step(format, () => ({ ...pair.about, operands, effective: a.ops.length, x }));
    return true;
  }

  /** All sources are equal in value. */
  private sameOperands(pair: Pair, a: Inst, pa: Place, b: Inst, pb: Place, depth: number): boolean {
    for (let i = defCount(a.op, a.ops); i < a.ops.length; i++) {
      const [x, y] = [a.ops[i], b.ops[i]];
      if (x === undefined || y === undefined) return this.ctx.remark.fails(compare, "operand-count", pair.about);
      if (!this.sameSource(pair, x, pa, y, pb, depth)) return false;
    }
    return true;
  }

  private sameSource(pair: Pair, x: Operand, pa: Place, y: Operand, pb: Place, depth: number): boolean {
    const { remark } = this.ctx;
    if (x.kind !== "reg" || y.kind !== "reg") {
      const fixed = x.kind !== "mem" && (x.kind !== "cbank" || x.base === null);
      return remark.holds(compare, "operand", fixed && sameOperand(x, y), () => pair.about);
    }
    const modifiers = x.neg === y.neg && x.abs === y.abs && x.not === y.not;
    if (!remark.holds(negation, "modifiers", modifiers, () => ({ ...pair.about, x: x.reg, y: y.reg }))) return false;
    return this.sameRegister(pair, x.reg, pa, y.reg, pb, depth);
  }

  private sameRegister(pair: Pair, x: Reg, pa: Place, y: Reg, pb: Place, depth: number): boolean {
    const { remark } = this.ctx;
    const said = () => ({ ...pair.about, x, y });
    if (isConstantReg(x) || isConstantReg(y)) return remark.holds(compare, "constants", x === y, said);
    if (x === y && this.values.sameValue(x, pair.chain, pa, pb)) return true;
    if (depth === 0) {
      const too = { ...said(), depth: SUB_DAG_DEPTH };
      return remark.fails(deep, x === y ? "changed-too-deep" : "differs-too-deep", too);
    }
    const [d, e] = [this.values.soleDef(x, pa), this.values.soleDef(y, pb)];
    if (d?.inst == null || e?.inst == null) {
      return remark.holds(compare, x === y ? "operand-changed" : "operand-differs", false, said);
    }
    if (d === e) return true;
    const [a, b] = [this.values.current(d), this.values.current(e)];
    for (const def of [a, b]) {
      if (!remark.holds(deep, "alias-hazard", effectOf(def) === "pure", () => ({ ...pair.about, def }))) return false;
    }
    const alike = a.guard === null && b.guard === null && a.op !== "PHI" && sameShape(a, b);
    if (!remark.holds(deep, x === y ? "sub-dag-changed" : "sub-dag-differs", alike, said)) return false;
    return this.sameOperands(pair, a, d, b, e, depth - 1);
  }
}

/** Two definitions that are compared, and the message about them. */
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

/** For the last source: the meaning of the operand's low three bits in the reference. */
function formatOf(inst: Inst): string {
  const last = inst.ops.at(-1);
  if (last?.kind === "reg") return "3 (register)";
  return last?.kind === "imm" || last?.kind === "f32" ? "4 (immediate)" : (last?.kind ?? "none");
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
