/** The rewrite: moves the inner block's instructions up, combines the two predicates, and lets the inner block go. */

import type { Liveness } from "../../analysis/liveness.ts";
import { withGuard, withOps } from "../../ir/copies.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import { orderMods } from "../../ir/mods.ts";
import { PT, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, terminatorsOf, usesOf } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import { complement, type Literal, literalOperand, literalText, type Pair } from "./pair.ts";
import type { TruthTableRow } from "./rows.ts";
import { RULES } from "./rules.ts";
import { compareType, compose, rows } from "./truth-table.ts";

/** How the two predicates become one. */
export type Form = "plop3" | "chained-compare" | "two-predicates";

export interface CombineInput {
  readonly edit: Editor;
  readonly remark: Remarks;
  /** Of the function at the start of the round. */
  readonly live: Liveness;
  readonly truthTable: ShownTable<TruthTableRow>;
}

/** The inner compare, read by nothing but the branch, that feeds it and can carry a predicate; null when there is none. */
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

/** Combines the pair; afterwards the outer block ends with one condition and the inner block is gone. */
export function combine(input: CombineInput, pair: Pair, form: Form): void {
  const { edit, remark, live } = input;
  const inner = edit.block(pair.inner);
  const compare = form === "chained-compare" ? chainableCompare(edit, live, pair) : null;
  const old = compare ?? inner.insts.findLast((inst) => defsOf(inst).includes(pair.innerExit.reg));
  remark.at(RULES.move);
  for (let left = terminatorsOf(inner).at; left > 0; left--) {
    edit.move(pair.inner, 0, pair.outer, terminatorsOf(edit.block(pair.outer)).at);
  }
  if (compare !== null) finish(input, pair, chainCompare(input, pair, compare));
  else finish(input, pair, form === "two-predicates" ? null : composed(input, pair, old));
}

/** A PLOP3 with the truth table of both conditions. `old`: the inner compare. */
function composed({ edit, remark, truthTable }: CombineInput, pair: Pair, old: Inst | undefined): Literal {
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
    remark.step(RULES.truthTable, {
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
  remark.at(RULES.combine);
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

function chainCompare({ edit, remark }: CombineInput, pair: Pair, compare: Inst): Literal {
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
  remark.step(RULES.measured, { carried: literalText(carried), compare, made, block: pair.outer, insts: [compare] });
  edit.replace(pair.outer, at, made);
  return { reg: r, neg };
}

/** `exit` null: the branch takes both predicates as they are (`@p BRA q, Y`). */
function finish({ edit, remark }: CombineInput, pair: Pair, exit: Literal | null): void {
  const { outer, inner, common, rest } = pair;
  const to = (target: BlockId) => ({ kind: "label", block: target }) as const;
  const jump = edit.make("BRA", [to(rest)]);
  remark.at(exit === null ? RULES.measured : RULES.combine);
  const way = (literal: Literal, target: BlockId): Inst => withGuard(pair.outerBranch, literal, [to(target)]);
  const phi = edit.phiFrom(inner);
  if (exit === null) {
    const both: Inst = {
      ...pair.outerBranch,
      guard: complement(pair.outerExit),
      ops: [literalOperand(complement(pair.innerExit)), to(rest)],
    };
    edit.setTerminators(outer, [both, withOps(jump, [to(common)])], phi);
  } else {
    edit.setTerminators(outer, [way(exit, common), jump], phi);
  }
  remark.at(RULES.removeInner);
  edit.removeBlock(inner);
  const next = edit.next(outer);
  if (exit === null) {
    if (next === common) edit.setTerminators(outer, edit.block(outer).insts.slice(-2, -1));
  } else if (next === rest) {
    edit.setTerminators(outer, [way(exit, common)]);
  } else if (next === common) {
    edit.setTerminators(outer, [way(complement(exit), rest)]);
  }
}

function hex(n: number): string {
  return `0x${n.toString(16).toUpperCase().padStart(2, "0")}`;
}
