/** Sets of bits in chunks that sets share: what is live through thousands of blocks costs each of them a reference for every 512 bits, and only changes cost more. */

const SHIFT = 9;
const CHUNK_BITS = 1 << SHIFT;
const CHUNK_WORDS = CHUNK_BITS >>> 5;

type Chunk = Int32Array;

const EMPTY: Chunk = new Int32Array(CHUNK_WORDS);

/** A set that is kept. Members are 0 to `length` - 1. */
export class SharedSet {
  /** For sets alone. */
  readonly chunks: Chunk[];

  constructor(length: number) {
    this.chunks = new Array(Math.ceil(length / CHUNK_BITS)).fill(EMPTY);
  }

  has(bit: number): boolean {
    return (((this.chunks[bit >>> SHIFT] as Chunk)[wordOf(bit)] as number) & (1 << (bit & 31))) !== 0;
  }

  /** Ascending. */
  members(): number[] {
    const found: number[] = [];
    for (const [c, chunk] of this.chunks.entries()) {
      if (chunk === EMPTY) continue;
      for (let w = 0; w < CHUNK_WORDS; w++)
        for (let word = chunk[w] as number; word !== 0; word &= word - 1)
          found.push(c * CHUNK_BITS + w * 32 + 31 - Math.clz32(word & -word));
    }
    return found;
  }

  /** Becomes equal to the other set, whose chunks both have from now on; true when anything changed. */
  copyFrom(other: WorkingSet): boolean {
    let changed = false;
    for (let c = 0; c < this.chunks.length; c++) {
      const chunk = other.chunks[c] as Chunk;
      if (equal(this.chunks[c] as Chunk, chunk)) continue;
      this.chunks[c] = chunk;
      other.own[c] = 0;
      changed = true;
    }
    return changed;
  }
}

/** A set that changes. */
export class WorkingSet extends SharedSet {
  /** For sets alone: 1 for the chunks that no other set has. */
  readonly own = new Uint8Array(this.chunks.length);
  /** Chunks to use again: most visits change nothing in the end, and making a chunk is what a visit of a small block costs most. */
  private readonly spare: Chunk[] = [];

  clear(): void {
    for (let c = 0; c < this.chunks.length; c++) {
      if (this.own[c] === 1) this.spare.push(this.chunks[c] as Chunk);
      this.chunks[c] = EMPTY;
      this.own[c] = 0;
    }
  }

  add(bit: number): void {
    if (this.has(bit)) return;
    const chunk = this.changing(bit >>> SHIFT);
    chunk[wordOf(bit)] = (chunk[wordOf(bit)] as number) | (1 << (bit & 31));
  }

  delete(bit: number): void {
    if (!this.has(bit)) return;
    const chunk = this.changing(bit >>> SHIFT);
    chunk[wordOf(bit)] = (chunk[wordOf(bit)] as number) & ~(1 << (bit & 31));
  }

  addAll(other: SharedSet): void {
    for (let c = 0; c < this.chunks.length; c++) {
      const added = other.chunks[c] as Chunk;
      if (contains(this.chunks[c] as Chunk, added)) continue;
      if (contains(added, this.chunks[c] as Chunk)) {
        this.chunks[c] = added;
        this.own[c] = 0;
        continue;
      }
      const chunk = this.changing(c);
      for (let w = 0; w < CHUNK_WORDS; w++) chunk[w] = (chunk[w] as number) | (added[w] as number);
    }
  }

  private changing(c: number): Chunk {
    const chunk = this.chunks[c] as Chunk;
    if (this.own[c] === 1) return chunk;
    const copy = this.spare.pop() ?? new Int32Array(CHUNK_WORDS);
    for (let w = 0; w < CHUNK_WORDS; w++) copy[w] = chunk[w] as number;
    this.chunks[c] = copy;
    this.own[c] = 1;
    return copy;
  }
}

const wordOf = (bit: number): number => (bit >>> 5) & (CHUNK_WORDS - 1);

function equal(a: Chunk, b: Chunk): boolean {
  if (a === b) return true;
  for (let w = 0; w < CHUNK_WORDS; w++) if (a[w] !== b[w]) return false;
  return true;
}

function contains(a: Chunk, b: Chunk): boolean {
  if (a === b || b === EMPTY) return true;
  for (let w = 0; w < CHUNK_WORDS; w++) if (((b[w] as number) & ~(a[w] as number)) !== 0) return false;
  return true;
}
