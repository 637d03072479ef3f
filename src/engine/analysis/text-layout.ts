/** Byte addresses of a function's code in layout order, and the jump tables that are inside it. */

import type { BlockId, InstId } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { getBlock, isUnconditional, tableName } from "../ir/visit.ts";

/** Bytes of an instruction, and of the short form: that of LEA and BRX of an expanded JMX, and of a near branch. Source: branch-and-switch, Jump Table Data Structure; Handler B. */
export const INST_BYTES = 16;
export const SHORT_BYTES = 8;

/** A table in the text. Entries are signed, relative to `address`. */
export interface PlacedTable {
  readonly name: string;
  /** Byte address of entry 0. */
  readonly address: number;
  readonly entries: readonly { readonly target: BlockId; readonly offset: number; readonly isDefault: boolean }[];
  /** False: its BRX may fall through, so the table is at the end of the text. */
  readonly inline: boolean;
}

export interface TextLayout {
  /** By block id; -1 for blocks that do not exist. */
  readonly blockAddress: Int32Array;
  /** Address of an instruction, in bytes from the start of the text. */
  readonly address: ReadonlyMap<InstId, number>;
  /** In order of their addresses. */
  readonly tables: readonly PlacedTable[];
  readonly size: number;
}

/**
 * Lays a function out: every instruction takes 16 bytes, near branches and `short` ones 8, each aligned to its size. With `tables`, a table follows the first BRX
 * that names it without any padding.
 */
export function layoutText(fn: Func, options: { readonly short?: (inst: Inst) => boolean; readonly tables?: boolean } = {}): TextLayout {
  const { short = () => false, tables = false } = options;
  const bytesOf = (inst: Inst): number => (isNear(inst) || short(inst) ? SHORT_BYTES : INST_BYTES);
  const blockAddress = new Int32Array(fn.blocks.length).fill(-1);
  const address = new Map<InstId, number>();
  const placed = new Map<string, { readonly at: number; readonly inline: boolean }>();
  const late: string[] = [];
  let at = 0;
  for (const id of fn.layout) {
    const { insts } = getBlock(fn, id);
    const first = insts[0];
    // A label is on its first instruction, after the alignment.
    blockAddress[id] = align(at, first === undefined ? INST_BYTES : bytesOf(first));
    for (const inst of insts) {
      const size = bytesOf(inst);
      at = align(at, size);
      address.set(inst.id, at);
      at += size;
      const name = tables && inst.op === "BRX" ? tableName(inst) : null;
      const table = name === null ? undefined : fn.tables.get(name);
      if (table === undefined || placed.has(table.name) || late.includes(table.name)) continue;
      if (isUnconditional(inst)) {
        placed.set(table.name, { at, inline: true });
        at += 4 * table.entries.length;
      } else {
        late.push(table.name);
      }
    }
  }
  for (const name of late) {
    if (placed.has(name)) continue;
    at = align(at, 4);
    placed.set(name, { at, inline: false });
    at += 4 * (fn.tables.get(name)?.entries.length ?? 0);
  }
  const made = [...placed].map(([name, { at: base, inline }]): PlacedTable => {
    const table = fn.tables.get(name);
    const entries = (table?.entries ?? []).map((target) => ({
      target,
      offset: (blockAddress[target] ?? 0) - base,
      isDefault: target === table?.default,
    }));
    return { name, address: base, entries, inline };
  });
  return { blockAddress, address, tables: made.sort((a, b) => a.address - b.address), size: at };
}

/** A branch that is tagged .NEAR has the short form. */
const isNear = (inst: Inst): boolean => inst.op === "BRA" && inst.mods.includes("NEAR");

const align = (at: number, to: number): number => Math.ceil(at / to) * to;
