/** The rewrite: moves the inner block's instructions up, combines the two predicates, and removes the inner block. */

import type { Liveness } from "../../analysis/liveness.ts";
import { withGuard, withOps } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import { orderMods } from "../../ir/mods.ts";
import { PT, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { rule } from "../../remark/rule.ts";
import { line } from "../../remark/rules.ts";
import { complement, type Literal, literalOperand, literalText, type Pair } from "./pair.ts";
import { type NestedRegion, removeRegion } from "./regions.ts";
import type { TruthTableRow } from "./rows.ts";
import { describe } from "./safety.ts";
import type { State } from "./state.ts";
import { compareType, compose, rows } from "./truth-table.ts";

/** How the two predicates become one. */
export type Form = "plop3" | "chained-compare" | "two-predicates";

/** A pair, and how it is combined. */
interface Combination {
  readonly pair: Pair;
  readonly form: Form;
  /** Of the function at the start of the round. */
  readonly live: Liveness;
  /** The inner block's own region, which is removed with it. */
  readonly region: NestedRegion | null;
}

export const REWRITE = {
  removeRegion: line("      remove B's BSSY and its BSYNC: the two regions become one"),
  move: line("      move B's instructions into A, in front of its branch"),
  truthTable: line(
    "      truth table: TT = TT_outer | TT_inner of the edges to X; for two negated conditions TT_outer & TT_inner, negated",
    {
      kind: "note",
      step: "truth table of {outer} {form} {inner}: {outerTable} and {innerTable} give {combined}",
    },
  ),
};

export const combine = rule<State, Combination>()({
  line: "      r = PLOP3(outer, inner, PT, TT); A goes to X on r, else to B's other target Y",
  done: "{outer:block} and {inner:block} both leave to {common:block}: one condition instead of {outerExit} and {innerExit}",
  because: "{outer} and {inner} both branch to {common}, and what {inner} computes for its test may always run",
  match: ({ edit }, { pair, ...how }) => ({ ...describe(edit, pair), pair, ...how }),
  apply(state, { pair, form, live, region }) {
    const { edit, remark } = state;
    if (region !== null) {
      remark.at(REWRITE.removeRegion);
      removeRegion(edit, region);
    }
    const inner = edit.block(pair.inner);
    const compare = form === "chained-compare" ? chainableCompare(edit, live, pair) : null;
    const old = compare ?? inner.insts.findLast((inst) => defsOf(inst).includes(pair.innerExit.reg));
    remark.at(REWRITE.move);
    for (let left = terminatorsOf(inner).at; left > 0; left--) {
      edit.move(pair.inner, 0, pair.outer, terminatorsOf(edit.block(pair.outer)).at);
    }
    if (compare !== null) finish(state, pair, chainCompare(state, pair, compare));
    else finish(state, pair, form === "two-predicates" ? null : composed(state, pair, old));
  },
});

export const FINISH = {
  measured: line(
    "      policy 'measured': r = the inner compare, combined with the outer predicate; finished predicates: a branch on two",
    {
      kind: "note",
      step: "the inner compare carries {carried}: '{compare:inst}' becomes '{made:inst}'",
      policy: "measured",
    },
  ),
  removeInner: line("      remove B; PHI inputs follow: X keeps A's, Y takes B's"),
};

/** The inner compare that feeds only the branch and can carry a predicate; null if there is none. */
export function chainableCompare(edit: Editor, live: Liveness, pair: Pair): Inst | null {
  const inner = edit.block(pair.inner);
  const body = inner.insts.slice(0, terminatorsOf(inner).at);
  const q = pair.innerExit.reg;
  const at = body.findLastIndex((inst) => defsOf(inst).includes(q));
  const compare = body[at];
  if (compare === undefined || compare.guard !== null || compare.ops.length !== 3) return null;
  if (compare.op !== "ISETP" && compare.op !== "FSETP" && compare.op !== "DSETP") return null;
  if (live.isLiveOut(pair.inner, q)) return null;
  return body.slice(at + 1).some((inst) => usesOf(inst).includes(q)) ? null : compare;
}

/** A PLOP3 with the truth table of both conditions. `old`: the inner compare. */
function composed({ edit, remark, truthTable }: State, pair: Pair, old: Inst | undefined): Literal {
  const { outer, outerExit, innerExit } = pair;
  const next = edit.next(outer);
  const table = compose(outerExit, innerExit, (next === pair.inner ? edit.next(pair.inner) : next) === pair.common);
  const r = edit.freshReg("P");
  const plop3 = edit.make("PLOP3", [
    literalOperand({ reg: r, neg: false }),
    literalOperand({ reg: outerExit.reg, neg: false }),
    literalOperand({ reg: innerExit.reg, neg: false }),
    literalOperand({ reg: PT, neg: false }),
    { kind: "imm", value: table.combined },
  ]);
  if (remark.listening) {
    const outerDef = edit.block(outer).insts.findLast((inst) => defsOf(inst).includes(outerExit.reg));
    for (const row of rows(table.combined)) truthTable.set(`${row.a}${row.b}${row.c}`, row.result);
    truthTable.set("table", table.combined);
    truthTable.set("outer", mapOf(outerExit, table.outer, outerDef));
    truthTable.set("inner", mapOf(innerExit, table.inner, old));
    truthTable.set("combined", { literal: regName(r), map: fourBits(table.combined), form: table.form, negated: table.negated });
    remark.step(REWRITE.truthTable, {
      outer: literalText(outerExit),
      inner: literalText(innerExit),
      form: table.form,
      outerTable: hex(table.outer),
      innerTable: hex(table.inner),
      combined: hex(table.combined),
      block: outer,
      regs: [outerExit.reg, innerExit.reg],
      node: truthTable.node("table"),
    });
  }
  remark.at(combine);
  edit.insert(outer, terminatorsOf(edit.block(outer)).at, plop3);
  return { reg: r, neg: table.negated };
}

/** One input of the composition: its condition, the compare that makes it with the index of its type, and its 4-bit map over outer and inner. */
function mapOf(exit: Literal, table: number, compare: Inst | undefined): TruthTableRow {
  const found = compareType(compare);
  return {
    literal: literalText(exit),
    map: fourBits(table),
    type:
      compare === undefined || found === null
        ? null
        : `${[compare.op, ...compare.mods.slice(0, 1)].join(".")}, type ${found.type} ${found.means}`,
    index: found?.index ?? null,
  };
}

/** The four rows of a table that does not depend on its third input, from 11 to 00. */
const fourBits = (table: number): number => [7, 5, 3, 1].reduce((map, bit) => (map << 1) | ((table >> bit) & 1), 0);

function chainCompare({ edit, remark }: State, pair: Pair, compare: Inst): Literal {
  const r = edit.freshReg("P");
  const { neg } = pair.innerExit;
  // Exit = outer | compare. With a negated inner exit the complement is carried: !exit = !outer & compare.
  const carried = neg ? complement(pair.outerExit) : pair.outerExit;
  const [, a, b] = compare.ops;
  const made: Inst = {
    ...compare,
    mods: orderMods(compare.op, [...compare.mods, neg ? "AND" : "OR"]).mods,
    ops: [literalOperand({ reg: r, neg: false }), ...(a === undefined || b === undefined ? [] : [a, b]), literalOperand(carried)],
  };
  const at = edit.block(pair.outer).insts.findIndex((inst) => inst.id === compare.id);
  remark.step(FINISH.measured, { carried: literalText(carried), compare, made, block: pair.outer, insts: [compare] });
  edit.replace(pair.outer, at, made);
  return { reg: r, neg };
}

/** `exit` null: the branch reads both predicates directly (`@p BRA q, Y`). */
function finish({ edit, remark }: State, pair: Pair, exit: Literal | null): void {
  const { outer, inner, common, rest } = pair;
  const to = (target: BlockId) => ({ kind: "label", block: target }) as const;
  const jump = edit.make("BRA", [to(rest)]);
  remark.at(exit === null ? FINISH.measured : combine);
  const leave = (literal: Literal, target: BlockId): Inst => withGuard(pair.outerBranch, literal, [to(target)]);
  const phi = edit.phiFrom(inner);
  if (exit === null) {
    const both: Inst = {
      ...pair.outerBranch,
      guard: complement(pair.outerExit),
      ops: [literalOperand(complement(pair.innerExit)), to(rest)],
    };
    edit.setTerminators(outer, [both, withOps(jump, [to(common)])], phi);
  } else {
    edit.setTerminators(outer, [leave(exit, common), jump], phi);
  }
  remark.at(FINISH.removeInner);
  edit.removeBlock(inner);
  const next = edit.next(outer);
  if (exit === null) {
    if (next === common) edit.setTerminators(outer, edit.block(outer).insts.slice(-2, -1));
  } else if (next === rest) {
    edit.setTerminators(outer, [leave(exit, common)]);
  } else if (next === common) {
    edit.setTerminators(outer, [leave(complement(exit), rest)]);
  }
}

function hex(n: number): string {
  return `0x${n.toString(16).toUpperCase().padStart(2, "0")}`;
}
