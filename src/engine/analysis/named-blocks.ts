/** What names a block in addition to the edges that lead to it. Such a block stays in the layout as long as it is named. */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { getBlock, tableName, terminatorsOf } from "../ir/visit.ts";

/** `region-end`: a BSSY names it. `table-entry`: a table does that no predecessor jumps through, so that its entries do not follow the edges. */
export type NamedBy = "region-end" | "table-entry";

/** Describes the function as it was when made: invalid once blocks are renamed, except through `moved`. */
export class NamedBlocks {
  /** An editor, or anything else that has the function. */
  private readonly edit: { readonly func: Func };
  private readonly ends = new Set<BlockId>();
  private readonly tables = new Map<BlockId, Set<string>>();

  constructor(edit: { readonly func: Func }) {
    this.edit = edit;
    for (const id of edit.func.layout) {
      for (const inst of getBlock(edit.func, id).insts) {
        const label = inst.op === "BSSY" ? inst.ops[inst.ops.length - 1] : undefined;
        if (label?.kind === "label") this.ends.add(label.block);
      }
    }
    for (const { name, entries, default: other } of edit.func.tables.values()) {
      for (const id of entries) this.name(id, name);
      if (other !== null) this.name(other, name);
    }
  }

  /** Why the block cannot be removed; null: only edges lead to it. */
  reason(id: BlockId): NamedBy | null {
    if (this.endsRegion(id)) return "region-end";
    return this.tableOf(id) === null ? null : "table-entry";
  }

  endsRegion(id: BlockId): boolean {
    return this.ends.has(id);
  }

  /** A table that names the block and that none of its predecessors jumps through; null: there is none. */
  tableOf(id: BlockId): string | null {
    const names = this.tables.get(id);
    if (names === undefined) return null;
    for (const name of names) if (this.edit.func.tables.has(name) && !this.isJumpedThrough(id, name)) return name;
    return null;
  }

  /** Tables that named one block now name a different one. */
  moved(from: BlockId, to: BlockId): void {
    for (const name of this.tables.get(from) ?? []) this.name(to, name);
    this.tables.delete(from);
  }

  private isJumpedThrough(id: BlockId, table: string): boolean {
    const { func } = this.edit;
    return getBlock(func, id).preds.some((pred) => terminatorsOf(getBlock(func, pred)).insts.some((inst) => tableName(inst) === table));
  }

  private name(id: BlockId, table: string): void {
    const names = this.tables.get(id);
    if (names === undefined) this.tables.set(id, new Set([table]));
    else names.add(table);
  }
}
