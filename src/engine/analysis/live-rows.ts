/** Sets of registers by block for data flow: bits in chunks, and blocks with equal chunks share them. */

const SHIFT = 9;
const CHUNK_BITS = 1 << SHIFT;
const CHUNK_WORDS = CHUNK_BITS >>> 5;
/** The chunk without a bit. */
const EMPTY = 0;
/** Changes from which on the language's own sorting is faster. */
const MANY = 40;

export interface LiveUnion {
  readonly add: (block: number) => void;
  readonly has: (bit: number) => boolean;
}

/**
 * A register that is live through thousands of blocks costs each of them one shared number for every 512 registers, not a bit: what a set takes beyond that is what
 * its block changes. One set at a time is open for changes; it is written down with `store`.
 */
export class LiveRows {
  private readonly bits: number;
  private readonly chunks: number;
  /** Row b, from `b * chunks`: the numbers of its chunks. */
  private readonly rows: Int32Array;
  /** Chunk i, from `i * CHUNK_WORDS`. A chunk that a row names never changes. */
  private pool = new Uint32Array(64 * CHUNK_WORDS);
  private used = 1;
  private readonly unions = new Map<number, number>();
  /** The open set: chunks, and the bits that differ from them. */
  private readonly open: Int32Array;
  private readonly stamps: Int32Array;
  private readonly values: Uint8Array;
  private touched: Int32Array;
  private touchedCount = 0;
  private stamp = 1;

  /** `bits` are kept by block; bits from there up to `scratch` live and die inside one block. */
  constructor(blocks: number, bits: number, scratch = bits) {
    this.bits = bits;
    this.chunks = (bits + CHUNK_BITS - 1) >>> SHIFT;
    this.rows = new Int32Array(blocks * this.chunks);
    this.open = new Int32Array(this.chunks);
    this.stamps = new Int32Array(scratch);
    this.values = new Uint8Array(scratch);
    this.touched = new Int32Array(64);
  }

  /** Opens the union of the sets at some blocks' heads. */
  load(blocks: readonly number[]): void {
    const { open, rows, chunks } = this;
    this.stamp++;
    this.touchedCount = 0;
    open.fill(EMPTY);
    for (const block of blocks) {
      const row = block * chunks;
      for (let c = 0; c < chunks; c++) {
        const a = open[c] as number;
        const b = rows[row + c] as number;
        if (a === b || b === EMPTY) continue;
        open[c] = a === EMPTY ? b : this.union(a, b);
      }
    }
  }

  /** Of the open set. */
  has(bit: number): boolean {
    if (this.stamps[bit] === this.stamp) return this.values[bit] === 1;
    return bit < this.bits && this.chunkHas(this.open[bit >>> SHIFT] as number, bit);
  }

  /** In the open set. */
  put(bit: number, value: 0 | 1): void {
    if (this.stamps[bit] !== this.stamp) {
      this.stamps[bit] = this.stamp;
      if (bit < this.bits) {
        if (this.touchedCount === this.touched.length) {
          const wider = new Int32Array(2 * this.touchedCount);
          wider.set(this.touched);
          this.touched = wider;
        }
        this.touched[this.touchedCount++] = bit;
      }
    }
    this.values[bit] = value;
  }

  /** Stores the open set as the one at a block's head; `added` is called with each new bit, ascending. True when there is one. The set stays open. */
  store(block: number, added: ((bit: number) => void) | null = null): boolean {
    const { open, rows, chunks } = this;
    const row = block * chunks;
    this.sortTouched();
    const { touched, touchedCount } = this;
    let grew = false;
    for (let c = 0, t = 0; c < chunks; c++) {
      let chunk = open[c] as number;
      if (t < touchedCount && (touched[t] as number) >>> SHIFT === c) {
        const from = t;
        while (t < touchedCount && (touched[t] as number) >>> SHIFT === c) t++;
        chunk = this.changedChunk(chunk, from, t);
      }
      const before = rows[row + c] as number;
      if (chunk === before) continue;
      rows[row + c] = chunk;
      if (this.adds(before, chunk)) {
        grew = true;
        if (added !== null) this.each(c, chunk, before, added);
      }
    }
    return grew;
  }

  /** Of the set at a block's head. */
  headHas(block: number, bit: number): boolean {
    return this.chunkHas(this.rows[block * this.chunks + (bit >>> SHIFT)] as number, bit);
  }

  /** The bits at a block's head, ascending. */
  eachAtHead(block: number, visit: (bit: number) => void): void {
    for (let c = 0; c < this.chunks; c++) this.each(c, this.rows[block * this.chunks + c] as number, EMPTY, visit);
  }

  /** The bits of the open set that are kept by block, ascending. */
  eachOpen(visit: (bit: number) => void): void {
    this.sortTouched();
    const changed = this.touched.subarray(0, this.touchedCount);
    let t = 0;
    const until = (end: number): void => {
      for (; t < changed.length && (changed[t] as number) < end; t++)
        if (this.values[changed[t] as number] === 1) visit(changed[t] as number);
    };
    for (let c = 0; c < this.chunks; c++) {
      this.each(c, this.open[c] as number, EMPTY, (bit) => {
        until(bit);
        if (this.stamps[bit] !== this.stamp) visit(bit);
      });
    }
    until(this.bits);
  }

  /** Memory that the rows and their chunks take. */
  get bytes(): number {
    return this.rows.byteLength + this.pool.byteLength;
  }

  /** A new set next to the open one: the union of the sets at the heads of the blocks added. */
  gather(): LiveUnion {
    const ids = new Int32Array(this.chunks);
    return {
      add: (block) => {
        for (let c = 0; c < this.chunks; c++) {
          const a = ids[c] as number;
          const b = this.rows[block * this.chunks + c] as number;
          if (a !== b && b !== EMPTY) ids[c] = a === EMPTY ? b : this.union(a, b);
        }
      },
      has: (bit) => this.chunkHas(ids[bit >>> SHIFT] as number, bit),
    };
  }

  // --- inside ------------------------------------------------------------------------------------------------------------------

  private chunkHas(chunk: number, bit: number): boolean {
    return ((this.pool[chunk * CHUNK_WORDS + ((bit >>> 5) & (CHUNK_WORDS - 1))] as number) & (1 << (bit & 31))) !== 0;
  }

  /** A new chunk, a copy of another one. */
  private copy(chunk: number): number {
    if ((this.used + 1) * CHUNK_WORDS > this.pool.length) {
      const wider = new Uint32Array(2 * this.pool.length);
      wider.set(this.pool);
      this.pool = wider;
    }
    this.pool.copyWithin(this.used * CHUNK_WORDS, chunk * CHUNK_WORDS, (chunk + 1) * CHUNK_WORDS);
    return this.used++;
  }

  /** Few, mostly: sorted in place, without a view of them. */
  private sortTouched(): void {
    const { touched, touchedCount } = this;
    if (touchedCount > MANY) {
      touched.subarray(0, touchedCount).sort();
      return;
    }
    for (let i = 1; i < touchedCount; i++) {
      const bit = touched[i] as number;
      let at = i;
      for (; at > 0 && (touched[at - 1] as number) > bit; at--) touched[at] = touched[at - 1] as number;
      touched[at] = bit;
    }
  }

  /** The chunk with changes [from, to) of the open set; the same one when they change nothing. */
  private changedChunk(chunk: number, from: number, to: number): number {
    const { touched } = this;
    if (!this.differs(chunk, from, to)) return chunk;
    const made = this.copy(chunk);
    const { pool } = this;
    const first = made * CHUNK_WORDS;
    for (let i = from; i < to; i++) {
      const bit = touched[i] as number;
      const at = first + ((bit >>> 5) & (CHUNK_WORDS - 1));
      const mask = 1 << (bit & 31);
      pool[at] = this.values[bit] === 1 ? (pool[at] as number) | mask : (pool[at] as number) & ~mask;
    }
    return made;
  }

  private differs(chunk: number, from: number, to: number): boolean {
    for (let i = from; i < to; i++) {
      const bit = this.touched[i] as number;
      if (this.chunkHas(chunk, bit) !== (this.values[bit] === 1)) return true;
    }
    return false;
  }

  /** Chunk b has a bit that a has not. */
  private adds(a: number, b: number): boolean {
    const { pool } = this;
    for (let i = a * CHUNK_WORDS, j = b * CHUNK_WORDS, end = i + CHUNK_WORDS; i < end; i++, j++)
      if (((pool[j] as number) & ~(pool[i] as number)) !== 0) return true;
    return false;
  }

  private union(a: number, b: number): number {
    if (!this.adds(a, b)) return a;
    if (!this.adds(b, a)) return b;
    const key = Math.min(a, b) * 0x4000000 + Math.max(a, b);
    const known = this.unions.get(key);
    if (known !== undefined) return known;
    const made = this.copy(a);
    for (let i = 0; i < CHUNK_WORDS; i++)
      this.pool[made * CHUNK_WORDS + i] = (this.pool[made * CHUNK_WORDS + i] as number) | (this.pool[b * CHUNK_WORDS + i] as number);
    this.unions.set(key, made);
    return made;
  }

  /** The bits of a chunk that another one lacks. */
  private each(c: number, chunk: number, without: number, visit: (bit: number) => void): void {
    if (chunk === EMPTY) return;
    for (let i = 0; i < CHUNK_WORDS; i++) {
      let word = (this.pool[chunk * CHUNK_WORDS + i] as number) & ~(this.pool[without * CHUNK_WORDS + i] as number);
      for (; word !== 0; word &= word - 1) visit(c * CHUNK_BITS + i * 32 + (31 - Math.clz32(word & -word)));
    }
  }
}
