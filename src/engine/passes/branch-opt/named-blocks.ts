/** Blocks that instructions name without being edges to them: ends of BSSY regions, and targets of tables that LEA takes the address of. */

import type { BlockId } from "../../ir/ids.ts";
import type { Block, Func } from "../../ir/types.ts";
import { isTerminator } from "../../ir/visit.ts";

/** Collects every table that the block names, edges or not, in `tables`. */
export function namedBlocks(fn: Func, block: Block, tables: Set<string>): BlockId[] {
  const found: BlockId[] = [];
  for (const inst of block.insts) {
    for (const operand of inst.ops) {
      if (operand.kind === "label" && !isTerminator(inst)) found.push(operand.block);
      if (operand.kind !== "table") continue;
      tables.add(operand.name);
      const table = fn.tables.get(operand.name);
      if (isTerminator(inst) || table === undefined) continue;
      found.push(...table.entries);
      if (table.default !== null) found.push(table.default);
    }
  }
  return found;
}
