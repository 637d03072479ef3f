/** Jump tables of the function: those that no instruction names are removed, since what a table names has to stay. */

import type { Editor } from "../../ir/edit.ts";
import type { BlockId } from "../../ir/ids.ts";
import { rule } from "../../remark/rule.ts";
import type { PassContext } from "../pass.ts";
import type { State } from "./state.ts";

/** By table that some instruction names: a block with such an instruction. */
export type TableNamers = Map<string, BlockId>;

export const tables = rule<PassContext, string>()({
  line: "remove jump tables that nothing names any more",
  kind: "note",
  step: "no instruction names the table {table} any more, so it is removed",
  done: { kind: "note", say: "no instruction names the table {table} any more, so it is removed" },
  match: (_, table) => ({ table, about: `table ${table}` }),
  apply: ({ edit }, { table }) => edit.removeTable(table),
});

export function tableNamers(edit: Editor): TableNamers {
  const namers: TableNamers = new Map();
  if (edit.func.tables.size > 0) for (const id of edit.func.layout) for (const name of tablesIn(edit, id)) namers.set(name, id);
  return namers;
}

function* tablesIn(edit: Editor, id: BlockId): Generator<string> {
  for (const inst of edit.block(id).insts) for (const operand of inst.ops) if (operand.kind === "table") yield operand.name;
}

/** Tables that nothing names in the input. */
export function removeUnusedTables(ctx: PassContext): void {
  const named = tableNamers(ctx.edit);
  for (const table of [...ctx.edit.func.tables.keys()]) if (!named.has(table)) tables.look(ctx, table)?.request()?.commit();
}

/** A table that was named when the phase began and is no more is removed with the rewrite that took its last instruction. False: it stays. */
export function removeDyingTable({ edit, remark, namers }: State, table: string): boolean {
  const known = namers.get(table);
  if (known === undefined || !edit.func.tables.has(table)) return false;
  if (edit.has(known) && [...tablesIn(edit, known)].includes(table)) return false;
  // Computed all at once: the next query is usually answered by a known block.
  for (const [name, id] of tableNamers(edit)) namers.set(name, id);
  const now = namers.get(table);
  if (now !== undefined && now !== known) return false;
  remark.step(tables, { table });
  edit.removeTable(table);
  return true;
}

/** The same for all tables. */
export function removeDyingTables(state: State): void {
  for (const table of [...state.namers.keys()]) removeDyingTable(state, table);
}
