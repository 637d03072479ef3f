/** Where the blocks of a PTX body begin: leaders by control flow, with labels resolved, before anything is lowered. */

import type { Reporter } from "../diagnostics.ts";
import type { PlannedBlock } from "../func-builder.ts";
import { NamePool } from "../names.ts";
import type { FunctionAst, InstStmt, LabelStmt, OperandAst, TargetList } from "./ast.ts";
import type { PtxCode } from "./codes.ts";
import type { Scope } from "./scopes.ts";

export interface BlockPlan {
  readonly blocks: readonly PlannedBlock[];
  /** By statement: index of the block that begins there, -1 when none does. */
  readonly starts: Int32Array;
  readonly blockOf: ReadonlyMap<LabelStmt, number>;
  /** Some branch leads back to the first block. */
  readonly entryIsTarget: boolean;
}

/** Labels of debug information: never targets, hidden. */
const DEBUG_LABEL = /^\$?L?_*(?:func_(?:begin|end|exec_begin)|tmp|pc|LDW|info_|section_)|^\$?LDW|^\$L__(?:func|tmp|info|section|pc)/;

/**
 * Leaders are the entry, every label that a branch leads to, and what follows a bra, brx, ret, exit or a call that does not return. A label at the very end
 * begins an empty block, which the builder closes with EXIT or RET; so does the fall-through of a conditional branch at the end. Linear.
 */
export function planBlocks(fn: FunctionAst, isFinalCall: (stmt: InstStmt) => boolean, sink: Reporter<PtxCode>): BlockPlan {
  const stmts = fn.body ?? [];
  const targeted = findTargets(fn, sink);
  const starts = new Int32Array(stmts.length).fill(-1);
  const blockOf = new Map<LabelStmt, number>();
  const plans: { label: LabelStmt | null; line: number }[] = [];
  let labels: LabelStmt[] = [];
  let open = true;
  let fallsOff = true;
  const begin = (line: number): void => {
    const label = labels.find((l) => targeted.has(l)) ?? labels.find((l) => !DEBUG_LABEL.test(l.name)) ?? null;
    for (const l of labels) blockOf.set(l, plans.length);
    plans.push({ label, line: label?.line ?? line });
    labels = [];
    open = false;
  };
  for (let i = 0; i < stmts.length; i++) {
    const stmt = stmts[i];
    if (stmt === undefined) continue;
    if (stmt.kind === "label") {
      labels.push(stmt);
      open ||= targeted.has(stmt);
      continue;
    }
    if (open) {
      starts[i] = plans.length;
      begin(stmt.line);
    } else {
      labels = [];
    }
    fallsOff = true;
    if (endsBlock(stmt) || isFinalCall(stmt)) {
      open = true;
      fallsOff = stmt.guard !== null;
    }
  }
  // A targeted label with nothing after it, a conditional branch at the end, or no instruction at all.
  if (open && (fallsOff || labels.some((l) => targeted.has(l)))) begin(stmts[stmts.length - 1]?.line ?? fn.line);
  const entryIsTarget = [...targeted].some((label) => blockOf.get(label) === 0);
  return { blocks: nameBlocks(plans), starts, blockOf, entryIsTarget };
}

export function endsBlock(stmt: InstStmt): boolean {
  switch (stmt.op.root) {
    case "bra":
    case "brx":
    case "ret":
    case "exit":
      return true;
    default:
      return false;
  }
}

/** The label that a `bra` names. */
export function branchLabel(stmt: InstStmt): string | null {
  const last = stmt.operands[stmt.operands.length - 1];
  return last?.kind === "name" ? last.name : null;
}

/** The list a `brx.idx` jumps through, with the scope its labels are looked up in. */
export function branchList(stmt: InstStmt): { readonly list: TargetList; readonly scope: Scope } | null {
  const name = branchLabel(stmt);
  return name === null ? null : stmt.scope.findTargets(name);
}

function findTargets(fn: FunctionAst, sink: Reporter<PtxCode>): Set<LabelStmt> {
  const targeted = new Set<LabelStmt>();
  const lists = new Set<TargetList>();
  const add = (name: string, scope: Scope, at: { line: number; column: number }): void => {
    const label = scope.findLabel(name);
    if (label !== null) targeted.add(label);
    else sink.report("PTX010", { ...at, length: 0 }, `there is no label '${name}' in '${fn.name}'; the thread ends here instead`);
  };
  for (const stmt of fn.body ?? []) {
    if (stmt.kind !== "inst") continue;
    if (stmt.op.root === "bra") {
      const name = branchLabel(stmt);
      if (name === null)
        sink.report(
          "PTX010",
          { line: stmt.line, column: stmt.column, length: 3 },
          "this branch names no label; the thread ends here instead",
        );
      else add(name, stmt.scope, stmt);
    } else if (stmt.op.root === "brx") {
      const found = branchList(stmt);
      if (found === null || found.list.labels.length === 0) {
        const name = branchLabel(stmt) ?? "?";
        sink.report(
          "PTX019",
          { line: stmt.line, column: stmt.column, length: 3 },
          `there is no list of targets '${name}'; the thread ends here instead`,
        );
      } else if (!lists.has(found.list)) {
        lists.add(found.list);
        for (const name of found.list.labels) add(name, found.scope, found.list);
      }
    }
  }
  return targeted;
}

function nameBlocks(plans: readonly { label: LabelStmt | null; line: number }[]): PlannedBlock[] {
  const pool = new NamePool();
  // Labels that were written come first, so that a made name never takes theirs.
  const names = plans.map((plan) => (plan.label === null ? null : pool.claim(plan.label.name)));
  return plans.map((plan, i) => ({ label: names[i] ?? pool.claim(`BB${i}`), line: plan.line }));
}

/** Names (registers, labels) an operand mentions, for scans over a body. */
export function operandNames(operand: OperandAst, visit: (name: string) => void): void {
  switch (operand.kind) {
    case "name":
      visit(operand.name);
      return;
    case "neg":
    case "not":
      operandNames(operand.of, visit);
      return;
    case "pair":
      operandNames(operand.first, visit);
      operandNames(operand.second, visit);
      return;
    case "vec":
    case "list":
      for (const item of operand.items) operandNames(item, visit);
      return;
    case "mem":
      if (operand.base !== null) visit(operand.base);
      for (const item of operand.coords) operandNames(item, visit);
      return;
    case "int":
    case "f32":
    case "f64":
    case "real":
    case "sink":
      return;
  }
}
