/** Writes block and function records for the control-flow analysis: immediately while a recorder watches, else only the differences, at the end. */

import type { Editor } from "../../../ir/edit.ts";
import type { BlockId } from "../../../ir/ids.ts";
import type { BlockField } from "../../../ir/types.ts";

const FIELDS = ["rpo", "latchExit", "flags", "flags2", "scratch120", "scratch232"] as const satisfies readonly BlockField[];
type FieldIndex = 0 | 1 | 2 | 3 | 4 | 5;
const INDEX: Readonly<Record<BlockField, FieldIndex>> = { rpo: 0, latchExit: 1, flags: 2, flags2: 3, scratch120: 4, scratch232: 5 };

/**
 * The analysis clears and sets the same fields again on every run. Unwatched, a run that ends where it began leaves no edit, so
 * that results cached for the function stay valid. Watched, every write is a step. Both end in the same state.
 */
export class Records {
  private readonly edit: Editor;
  private readonly direct: boolean;
  /** Row b: the six fields of block b; empty when writes go straight to the editor. */
  private readonly values: Uint32Array;
  private func: number;
  /** Blocks whose records are already right (incremental mode): writes to them are dropped. */
  readonly kept: Uint8Array;

  constructor(edit: Editor, direct: boolean) {
    const { blocks, layout, flags } = edit.func;
    this.edit = edit;
    this.direct = direct;
    this.func = flags;
    this.kept = new Uint8Array(blocks.length);
    this.values = new Uint32Array(direct ? 0 : blocks.length * FIELDS.length);
    if (direct) return;
    for (const id of layout) for (let f = 0; f < FIELDS.length; f++) this.values[id * FIELDS.length + f] = this.read(id, f as FieldIndex);
  }

  get(block: BlockId, field: BlockField): number {
    return this.direct ? this.read(block, INDEX[field]) : (this.values[block * FIELDS.length + INDEX[field]] ?? 0);
  }

  set(block: BlockId, field: BlockField, value: number): void {
    if (this.kept[block] === 1) return;
    const word = value >>> 0;
    if (this.direct) this.edit.setField(block, field, word);
    else this.values[block * FIELDS.length + INDEX[field]] = word;
  }

  setBits(block: BlockId, field: "flags" | "flags2", bits: number): void {
    this.set(block, field, this.get(block, field) | bits);
  }

  clearBits(block: BlockId, field: "flags" | "flags2", bits: number): void {
    this.set(block, field, this.get(block, field) & ~bits);
  }

  hasBits(block: BlockId, field: "flags" | "flags2", bits: number): boolean {
    return (this.get(block, field) & bits) !== 0;
  }

  get funcFlags(): number {
    return this.func;
  }

  set funcFlags(value: number) {
    this.func = value >>> 0;
    if (this.direct) this.edit.setFuncFlags(this.func);
  }

  /** Writes what differs. */
  flush(): void {
    if (this.direct) return;
    for (const id of this.edit.func.layout) {
      for (let f = 0; f < FIELDS.length; f++) {
        const value = this.values[id * FIELDS.length + f] ?? 0;
        if (value !== this.read(id, f as FieldIndex)) this.edit.setField(id, FIELDS[f] as BlockField, value);
      }
    }
    this.edit.setFuncFlags(this.func);
  }

  private read(block: BlockId, field: FieldIndex): number {
    const record = this.edit.func.blocks[block];
    return record === undefined ? 0 : record[FIELDS[field]] >>> 0;
  }
}
