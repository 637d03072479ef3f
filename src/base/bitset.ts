/** A dense set of small integers on 32-bit words: liveness, visited marks, dominator sets. */

/** Number of set bits of a 32-bit word. */
export function popcount(word: number): number {
  let n = word - ((word >>> 1) & 0x5555_5555);
  n = (n & 0x3333_3333) + ((n >>> 2) & 0x3333_3333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f_0f0f, 0x0101_0101) >>> 24;
}

/** Members are 0 to `length` - 1. Two sets in one operation must have the same length. */
export class BitSet {
  readonly length: number;
  readonly words: Uint32Array;

  constructor(length: number) {
    this.length = length;
    this.words = new Uint32Array((length + 31) >>> 5);
  }

  /** True when it was not a member. */
  add(i: number): boolean {
    if (!(i >= 0 && i < this.length)) throw new RangeError(`bit ${i} is outside a set of length ${this.length}`);
    const before = this.words[i >>> 5] ?? 0;
    const bit = 1 << (i & 31);
    if ((before & bit) !== 0) return false;
    this.words[i >>> 5] = before | bit;
    return true;
  }

  /** True when it was a member. */
  delete(i: number): boolean {
    if (!this.has(i)) return false;
    this.words[i >>> 5] = (this.words[i >>> 5] ?? 0) & ~(1 << (i & 31));
    return true;
  }

  has(i: number): boolean {
    return i >= 0 && i < this.length && ((this.words[i >>> 5] ?? 0) & (1 << (i & 31))) !== 0;
  }

  /** Adds all members of `other`; true when anything changed. */
  addAll(other: BitSet): boolean {
    this.checkLength(other);
    const { words } = this;
    let changed = 0;
    for (let w = 0; w < words.length; w++) {
      const before = words[w] ?? 0;
      const after = before | (other.words[w] ?? 0);
      changed |= before ^ after;
      words[w] = after;
    }
    return changed !== 0;
  }

  /** Intersects with `other`; true if anything changed. */
  retainAll(other: BitSet): boolean {
    this.checkLength(other);
    const { words } = this;
    let changed = 0;
    for (let w = 0; w < words.length; w++) {
      const before = words[w] ?? 0;
      const after = before & (other.words[w] ?? 0);
      changed |= before ^ after;
      words[w] = after;
    }
    return changed !== 0;
  }

  /** Removes all members of `other`; true when anything changed. */
  removeAll(other: BitSet): boolean {
    this.checkLength(other);
    const { words } = this;
    let changed = 0;
    for (let w = 0; w < words.length; w++) {
      const before = words[w] ?? 0;
      const after = before & ~(other.words[w] ?? 0);
      changed |= before ^ after;
      words[w] = after;
    }
    return changed !== 0;
  }

  /** Becomes equal to `other`; true when anything changed. */
  copyFrom(other: BitSet): boolean {
    this.checkLength(other);
    if (this.equals(other)) return false;
    this.words.set(other.words);
    return true;
  }

  /** Adds this set's members to `target`; true when the target changed. */
  unionInto(target: BitSet): boolean {
    return target.addAll(this);
  }

  union(other: BitSet): BitSet {
    const result = this.clone();
    result.addAll(other);
    return result;
  }

  intersect(other: BitSet): BitSet {
    const result = this.clone();
    result.retainAll(other);
    return result;
  }

  subtract(other: BitSet): BitSet {
    const result = this.clone();
    result.removeAll(other);
    return result;
  }

  equals(other: BitSet): boolean {
    if (this.length !== other.length) return false;
    const { words } = this;
    for (let w = 0; w < words.length; w++) if (words[w] !== other.words[w]) return false;
    return true;
  }

  /** Number of members; counted at each call. */
  count(): number {
    let n = 0;
    for (const word of this.words) n += popcount(word);
    return n;
  }

  isEmpty(): boolean {
    for (const word of this.words) if (word !== 0) return false;
    return true;
  }

  /** Visits members, ascending. Members added meanwhile to the word being visited are not seen. */
  forEach(visit: (i: number) => void): void {
    const { words } = this;
    for (let w = 0; w < words.length; w++) {
      for (let word = words[w] ?? 0; word !== 0; word &= word - 1) visit(w * 32 + 31 - Math.clz32(word & -word));
    }
  }

  /** Members, ascending. */
  *[Symbol.iterator](): Generator<number> {
    const { words } = this;
    for (let w = 0; w < words.length; w++) {
      for (let word = words[w] ?? 0; word !== 0; word &= word - 1) yield w * 32 + 31 - Math.clz32(word & -word);
    }
  }

  /** An unobserved copy. */
  clone(): BitSet {
    const copy = new BitSet(this.length);
    copy.words.set(this.words);
    return copy;
  }

  clear(): void {
    this.words.fill(0);
  }

  private checkLength(other: BitSet): void {
    if (other.length !== this.length) throw new RangeError(`sets of lengths ${this.length} and ${other.length} cannot be combined`);
  }
}
