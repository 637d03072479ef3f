/** Growable typed columns and a string interner: the parts of a tape of a million events. */

/** A typed array that grows by doubling. Reading beyond the end gives 0. */
class Column<A extends Int32Array | Uint32Array | Uint16Array | Uint8Array | Float64Array> {
  private items: A;
  private used = 0;
  private readonly grow: (length: number) => A;

  constructor(make: (length: number) => A, initial = 64) {
    this.grow = make;
    this.items = make(initial);
  }

  get length(): number {
    return this.used;
  }

  push(value: number): number {
    if (this.used === this.items.length) {
      const larger = this.grow(this.used * 2);
      larger.set(this.items);
      this.items = larger;
    }
    this.items[this.used] = value;
    return this.used++;
  }

  get(index: number): number {
    return this.items[index] ?? 0;
  }

  set(index: number, value: number): void {
    this.items[index] = value;
  }

  /** A copy of exactly the used part: safe to transfer. */
  toArray(): A {
    return this.items.slice(0, this.used) as A;
  }

  /** Gives back what doubling reserved. */
  trim(): void {
    this.items = this.toArray();
  }

  get bytes(): number {
    return this.items.byteLength;
  }
}

export type { Column };
export const int32Column = (): Column<Int32Array> => new Column((n) => new Int32Array(n));
export const uint16Column = (): Column<Uint16Array> => new Column((n) => new Uint16Array(n));
export const uint8Column = (): Column<Uint8Array> => new Column((n) => new Uint8Array(n));
export const float64Column = (): Column<Float64Array> => new Column((n) => new Float64Array(n));

/** Numbers strings from 0 in the order in which they are first seen. */
export class Interner {
  private readonly ids = new Map<string, number>();
  private readonly texts: string[] = [];

  id(text: string): number {
    const known = this.ids.get(text);
    if (known !== undefined) return known;
    const id = this.texts.length;
    this.ids.set(text, id);
    this.texts.push(text);
    return id;
  }

  /** The id of a string seen before; -1 for any other. */
  find(text: string): number {
    return this.ids.get(text) ?? -1;
  }

  text(id: number): string {
    return this.texts[id] ?? "";
  }

  get size(): number {
    return this.texts.length;
  }
}
