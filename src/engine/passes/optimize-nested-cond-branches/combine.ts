/** The rewrite: moves the inner block's instructions up, combines the two predicates, and lets the inner block go. */

import type { Liveness } from "../../analysis/liveness.ts";
import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import { orderMods } from "../../ir/mods.ts";
import { PT, regName } from "../../ir/reg.ts";
import type { Inst } from "../../ir/types.ts";
import { defsOf, terminatorsOf, usesOf } from "../../ir/visit.ts";
import { printInst } from "../../text/printer.ts";
import type { CellValue, Recorder, StructureId } from "../../trace/recorder.ts";
import { complement, type Literal, literalOperand, literalText, type Pair } from "./pair.ts";
import { LINE } from "./pseudocode.ts";
import { compareIndex, compose, rows } from "./truth-table.ts";

/** How the two predicates become one. */
export type Form = "plop3" | "chained-compare" | "two-predicates";

export interface CombineInput {
  readonly edit: Editor;
  readonly rec: Recorder;
  /** Of the function at the start of the round. */
  readonly live: Liveness;
  readonly truthTable: StructureId;
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
export function combine({ edit, rec, live, truthTable }: CombineInput, pair: Pair, form: Form): void {
  const inner = edit.block(pair.inner);
  const compare = form === "chained-compare" ? chainableCompare(edit, live, pair) : null;
  const old = compare ?? inner.insts.findLast((inst) => defsOf(inst).includes(pair.innerExit.reg));
  if (rec.on) rec.at(LINE.move);
  for (let left = terminatorsOf(inner).at; left > 0; left--) {
    edit.move(pair.inner, 0, pair.outer, terminatorsOf(edit.block(pair.outer)).at);
  }
  const end = terminatorsOf(edit.block(pair.outer)).at;
  let exit: Literal | null = null;
  if (compare !== null) {
    exit = chainCompare(edit, rec, pair, compare);
  } else if (form !== "two-predicates") {
    const table = compose(pair.outerExit, pair.innerExit);
    const r = edit.freshReg("P");
    const plop3 = edit.make("PLOP3", [
      literalOperand({ reg: r, neg: false }),
      literalOperand({ reg: pair.outerExit.reg, neg: false }),
      literalOperand({ reg: pair.innerExit.reg, neg: false }),
      literalOperand({ reg: PT, neg: false }),
      { kind: "imm", value: table.combined },
    ]);
    if (rec.on) {
      const outerDef = edit.block(pair.outer).insts.findLast((inst) => defsOf(inst).includes(pair.outerExit.reg));
      for (const row of rows(table.combined)) rec.cell(truthTable, `${row.a}${row.b}${row.c}`, row.result);
      rec.cell(truthTable, "table", table.combined);
      rec.cell(truthTable, "outer", mapOf(pair.outerExit, table.outer, outerDef));
      rec.cell(truthTable, "inner", mapOf(pair.innerExit, table.inner, old));
      rec.cell(truthTable, "combined", { literal: regName(r), map: fourBits(table.combined), form: table.form, negated: table.negated });
      rec.event(
        "note",
        LINE.truthTable,
        "truth table of {outer} {form} {inner}: {outerTable} and {innerTable} give {combined}",
        {
          outer: literalText(pair.outerExit),
          inner: literalText(pair.innerExit),
          form: table.form,
          outerTable: hex(table.outer),
          innerTable: hex(table.inner),
          combined: hex(table.combined),
          outerIndex: compareIndex(outerDef),
          innerIndex: compareIndex(old),
        },
        { blocks: [pair.outer], regs: [pair.outerExit.reg, pair.innerExit.reg], nodes: ["truth-table/table"] },
      );
      rec.at(LINE.combine);
    }
    edit.insert(pair.outer, end, plop3);
    exit = { reg: r, neg: table.negated };
  }
  finish(edit, rec, pair, exit);
}

/** One input of the composition: its condition, the compare that makes it with the index of its type, and its 4-bit map over outer and inner. */
function mapOf(exit: Literal, table: number, compare: Inst | undefined): CellValue {
  const index = compareIndex(compare);
  return {
    literal: literalText(exit),
    map: fourBits(table),
    type: compare === undefined || index === null ? null : `${compare.op}.${compare.mods[0] ?? ""}`,
    index,
  };
}

/** The four rows of a table that does not depend on its third input, from 11 to 00. */
const fourBits = (table: number): number => [7, 5, 3, 1].reduce((map, bit) => (map << 1) | ((table >> bit) & 1), 0);

function chainCompare(edit: Editor, rec: Recorder, pair: Pair, compare: Inst): Literal {
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
  if (rec.on) {
    rec.event(
      "note",
      LINE.measured,
      "the inner compare carries {carried}: '{compare}' becomes '{made}'",
      { carried: literalText(carried), compare: printInst(edit.func, compare), made: printInst(edit.func, made), result: regName(r) },
      { blocks: [pair.outer], insts: [compare.id] },
    );
  }
  edit.replace(pair.outer, at, made);
  return { reg: r, neg };
}

/** `exit` null: the branch takes both predicates as they are (`@p BRA q, Y`). */
function finish(edit: Editor, rec: Recorder, pair: Pair, exit: Literal | null): void {
  const { outer, inner, common, rest } = pair;
  const to = (target: BlockId) => ({ kind: "label", block: target }) as const;
  const jump = edit.make("BRA", [to(rest)]);
  if (rec.on) rec.at(exit === null ? LINE.measured : LINE.combine);
  const way = (literal: Literal, target: BlockId): Inst => ({ ...pair.outerBranch, guard: literal, ops: [to(target)] });
  const phi = edit.phiFrom(inner);
  if (exit === null) {
    const both: Inst = {
      ...pair.outerBranch,
      guard: complement(pair.outerExit),
      ops: [literalOperand(complement(pair.innerExit)), to(rest)],
    };
    edit.setTerminators(outer, [both, { ...jump, ops: [to(common)] }], phi);
  } else {
    edit.setTerminators(outer, [way(exit, common), jump], phi);
  }
  if (rec.on) rec.at(LINE.removeInner);
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
