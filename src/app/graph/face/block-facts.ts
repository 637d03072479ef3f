/** Facts about blocks that cards and lines need again and again: computed once for each state of a block. */

import type { BlockView, TableView } from "../../../engine/api/types.ts";

const registers = new WeakMap<BlockView, ReadonlySet<string>>();

/** Whether an instruction of the block names the register. */
export function mentions(block: BlockView, reg: string): boolean {
  let known = registers.get(block);
  if (known === undefined) {
    known = new Set(block.insts.flatMap((inst) => inst.tokens.flatMap((token) => token.regs)));
    registers.set(block, known);
  }
  return known.has(reg);
}

const tables = new WeakMap<BlockView, string | null>();

/** The table that the block's last instructions jump through, or null. */
export function tableOfBlock(block: BlockView, all: readonly TableView[]): TableView | null {
  let name = tables.get(block);
  if (name === undefined) {
    name = null;
    for (const inst of block.insts) for (const token of inst.tokens) if (token.kind === "table") name = token.text;
    tables.set(block, name);
  }
  return name === null ? null : (all.find((t) => t.name === name) ?? null);
}

const reachable = new WeakMap<ReadonlyMap<number, BlockView>, { readonly entry: number; readonly set: ReadonlySet<number> }>();

/** Blocks that can be reached from the entry. */
export function reachableBlocks(blocks: ReadonlyMap<number, BlockView>, entry: number): ReadonlySet<number> {
  const known = reachable.get(blocks);
  if (known !== undefined && known.entry === entry) return known.set;
  // A set's iteration also visits what is added meanwhile.
  const set = new Set([entry]);
  for (const id of set) for (const succ of blocks.get(id)?.succs ?? []) set.add(succ);
  reachable.set(blocks, { entry, set });
  return set;
}
