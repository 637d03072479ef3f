/** Control: branches, jump tables, returns, traps. */

import { labelOp } from "../../../ir/builder.ts";
import { type BlockId, blockId } from "../../../ir/ids.ts";
import type { JumpTable } from "../../../ir/types.ts";
import type { InstStmt, TargetList } from "../ast.ts";
import { type BlockPlan, branchLabel, branchList } from "../cfg.ts";
import type { Lowering } from "./context.ts";

/** Tables of a body by the list they come from: two jumps through one list share it. */
export type Tables = Map<TargetList, string>;

/** Lowers a bra, brx, ret, exit or trap; false for any other root. A branch to nowhere ends the thread (it was reported already). */
export function lowerControl(c: Lowering, plan: BlockPlan, tables: Tables, stmt: InstStmt): boolean {
  switch (stmt.op.root) {
    case "bra": {
      const name = branchLabel(stmt);
      const target = name === null ? null : targetOf(plan, stmt, name);
      if (target === null) c.emit("KILL", []);
      else c.emit("BRA", [labelOp(target)], stmt.op.mods.includes("uni") ? ["U"] : []);
      return true;
    }
    case "brx":
      jump(c, plan, tables, stmt);
      return true;
    case "ret":
      c.emit(c.fn.kind === "entry" ? "EXIT" : "RET", []);
      return true;
    case "exit":
      c.emit("EXIT", []);
      return true;
    case "trap":
    case "brkpt":
      c.emit("BPT", [], ["TRAP"]);
      return true;
    default:
      return false;
  }
}

function targetOf(plan: BlockPlan, stmt: InstStmt, name: string): BlockId | null {
  const label = stmt.scope.findLabel(name);
  const block = label === null ? undefined : plan.blockOf.get(label);
  return block === undefined ? null : blockId(block);
}

/** brx.idx: the table has one entry for each listed label, in order, repeats and all; the index is not checked, so there is no default. */
function jump(c: Lowering, plan: BlockPlan, tables: Tables, stmt: InstStmt) {
  const found = branchList(stmt);
  const entries: BlockId[] = [];
  if (found !== null) {
    for (const name of found.list.labels) {
      const label = found.scope.findLabel(name);
      const block = label === null ? undefined : plan.blockOf.get(label);
      if (block !== undefined) entries.push(blockId(block));
    }
  }
  const index = c.read32(stmt.operands[0]);
  if (found === null || entries.length !== found.list.labels.length || entries.length === 0 || c.failed) {
    c.failed = false;
    c.emit("KILL", []);
    return;
  }
  let name = tables.get(found.list);
  if (name === undefined) {
    name = `JT${tables.size}`;
    tables.set(found.list, name);
    const table: JumpTable = { name, base: 0, default: null, entries, line: found.list.line };
    c.out.addTable(table);
  }
  // The selector slot takes a register.
  const selector = index.kind === "reg" ? index : c.value("R", "MOV", [index]);
  c.emit("BRX", [selector, { kind: "table", name }]);
}
