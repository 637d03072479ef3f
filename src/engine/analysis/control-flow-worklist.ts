/** The function worklist (+504 data, +512 entries, +520 count): blocks by RPO number from 1, grown as markers are met. */

import type { BlockId } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { getBlock } from "../ir/visit.ts";
import { NO_STRUCTURE, type Recorder, type StructureId } from "../trace/recorder.ts";

/**
 * Mirrored as a `worklist` named `worklist`: `meta` `{count, capacity}`, entry i as cell `w<i>` with a block's label.
 * The notes put a block at the running count, which is its number there; here the number comes from the depth-first search, and the entry with it.
 */
export class Worklist {
  count = 0;
  private data = new Int32Array(8).fill(-1);
  private readonly fn: Func;
  private readonly rec: Recorder;
  private readonly structure: StructureId;

  constructor(fn: Func, rec: Recorder) {
    this.fn = fn;
    this.rec = rec;
    this.structure = rec.on ? rec.structure("worklist", "worklist", "Function worklist (+504)") : NO_STRUCTURE;
  }

  /** Empties the list; what it holds stays in memory until it is written over, as the count alone says what is valid. */
  reset(line: number): void {
    const had = this.count;
    this.count = 0;
    if (!this.rec.on) return;
    this.meta();
    this.rec.event("note", line, "the worklist's count goes from {before} to 0", { before: had }, { nodes: ["worklist/meta"] });
  }

  /** Puts a block at its number and counts it. */
  put(block: BlockId, number: number): void {
    // Room for two more entries than there are, as the grow call asks.
    this.grow(Math.max(this.count + 2, number + 1));
    this.data[number] = block;
    this.count++;
    if (!this.rec.on) return;
    this.rec.cell(this.structure, `w${number}`, getBlock(this.fn, block).label);
    this.meta();
  }

  /** Entries 0 to `count`. */
  entries(): Int32Array {
    return this.data.slice(0, this.count + 1);
  }

  get capacity(): number {
    return this.data.length;
  }

  private grow(needed: number): void {
    if (needed <= this.data.length) return;
    const larger = new Int32Array(Math.max(needed, this.data.length * 2)).fill(-1);
    larger.set(this.data);
    this.data = larger;
  }

  private meta(): void {
    this.rec.cell(this.structure, "meta", { count: this.count, capacity: this.data.length });
  }
}
