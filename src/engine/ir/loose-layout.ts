/** A layout as a linked list, for removing blocks or moving them to the end one after the other: an array would be shifted for each of them. */

import type { BlockId } from "./ids.ts";

const NONE = -1;

export class LooseLayout {
  private readonly after: Int32Array;
  private readonly before: Int32Array;
  private first: number;
  private end: number;
  private count: number;

  /** `size`: above every block id. */
  constructor(layout: readonly BlockId[], size: number) {
    this.after = new Int32Array(size).fill(NONE);
    this.before = new Int32Array(size).fill(NONE);
    this.count = layout.length;
    this.first = layout[0] ?? NONE;
    this.end = layout[layout.length - 1] ?? NONE;
    for (let i = 1; i < layout.length; i++) {
      const [a, b] = [layout[i - 1] as BlockId, layout[i] as BlockId];
      this.after[a] = b;
      this.before[b] = a;
    }
  }

  next(id: BlockId): BlockId | null {
    return blockOrNull(this.after[id]);
  }

  previous(id: BlockId): BlockId | null {
    return blockOrNull(this.before[id]);
  }

  last(): BlockId | null {
    return blockOrNull(this.end);
  }

  remove(id: BlockId): void {
    const [before, after] = [this.before[id] ?? NONE, this.after[id] ?? NONE];
    if (before === NONE) this.first = after;
    else this.after[before] = after;
    if (after === NONE) this.end = before;
    else this.before[after] = before;
    this.count--;
  }

  append(id: BlockId): void {
    this.before[id] = this.end;
    this.after[id] = NONE;
    if (this.end === NONE) this.first = id;
    else this.after[this.end] = id;
    this.end = id;
    this.count++;
  }

  toArray(): BlockId[] {
    const layout: BlockId[] = [];
    for (let id = this.first; id !== NONE; id = this.after[id] ?? NONE) layout.push(id as BlockId);
    if (layout.length !== this.count) throw new Error("internal: the layout lost a block");
    return layout;
  }
}

const blockOrNull = (id: number | undefined): BlockId | null => (id === undefined || id === NONE ? null : (id as BlockId));
