/** Jump tables of the function: those that no instruction names go, since what a table names has to stay. */

import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { PassContext } from "../pass.ts";
import { RULES } from "./rules.ts";
import type { State } from "./state.ts";

/** By table that some instruction names: a block with such an instruction. */
export type TableNamers = Map<string, BlockId>;

export function tableNamers(edit: Editor): TableNamers {
  const namers: TableNamers = new Map();
  if (edit.func.tables.size > 0) for (const id of edit.func.layout) for (const name of tablesIn(edit, id)) namers.set(name, id);
  return namers;
}

function* tablesIn(edit: Editor, id: BlockId): Generator<string> {
  for (const inst of edit.block(id).insts) for (const operand of inst.ops) if (operand.kind === "table") yield operand.name;
}

/** Tables that nothing names as the function comes in. */
export function removeUnusedTables({ edit, remark }: PassContext): void {
  const named = tableNamers(edit);
  for (const table of [...edit.func.tables.keys()]) {
    if (!named.has(table)) remark.found(RULES.tables, { table, about: `table ${table}` }, () => edit.removeTable(table));
  }
}

/** A table that was named when the phase began and is no more goes with the rewrite that took its last instruction. False: it stays. */
export function removeDyingTable({ edit, remark, namers }: State, table: string): boolean {
  const known = namers.get(table);
  if (known === undefined || !edit.func.tables.has(table)) return false;
  if (edit.has(known) && [...tablesIn(edit, known)].includes(table)) return false;
  // All at once: the next question is mostly answered by a block that is known.
  for (const [name, id] of tableNamers(edit)) namers.set(name, id);
  const now = namers.get(table);
  if (now !== undefined && now !== known) return false;
  remark.step(RULES.tables, { table });
  edit.removeTable(table);
  return true;
}

/** The same for all tables. */
export function removeDyingTables(state: State): void {
  for (const table of [...state.namers.keys()]) removeDyingTable(state, table);
}
