/** Marks of stand-ins in the registers of an activation: one bit per lane, and one source for all lanes of a register, by its number in `stand-ins.ts`. */

import type { Reg } from "../ir/ids.ts";

/** By place. */
export interface Marks {
  readonly lanes: Int32Array;
  readonly why: Uint8Array;
}

/** The marked lanes of one value, and the source; 0: none. */
export interface Mark {
  readonly lanes: number;
  readonly why: number;
}

/** The source of what nothing has written: the first instruction that reads it becomes the source. */
export const UNWRITTEN = 255;

/** Of a run that does not follow stand-ins. */
export const NO_MARKS: Marks = { lanes: new Int32Array(0), why: new Uint8Array(0) };

/** Of registers that nothing has written. */
export const newMarks = (places: number): Marks => ({
  lanes: new Int32Array(places).fill(-1),
  why: new Uint8Array(places).fill(UNWRITTEN),
});

/** Of a known value. */
export const KNOWN: Mark = { lanes: 0, why: 0 };

export const either = (a: Mark, b: Mark): Mark =>
  a.lanes === 0 ? b : b.lanes === 0 ? a : { lanes: a.lanes | b.lanes, why: a.why === 0 ? b.why : a.why };

/** The source in one lane; 0: the lane is not marked. */
export const whyOf = ({ lanes, why }: Mark, lane: number): number => (((lanes >>> lane) & 1) === 0 ? 0 : why);

/** A place below 0 is a constant's. */
export const markAt = (marks: Marks, place: number, mask: number): Mark =>
  place < 0 ? KNOWN : { lanes: (marks.lanes[place] as number) & mask, why: marks.why[place] as number };

export function putMark(marks: Marks, place: number, mask: number, { lanes, why }: Mark): void {
  marks.lanes[place] = ((marks.lanes[place] as number) & ~mask) | (lanes & mask);
  if ((lanes & mask) !== 0) marks.why[place] = why;
}

/** The places of a function's registers, numbered as they are needed. */
export class MarkPlaces {
  private readonly places = new Map<Reg, number>();

  of(r: Reg): number {
    let place = this.places.get(r);
    if (place === undefined) {
      place = this.places.size;
      this.places.set(r, place);
    }
    return place;
  }

  get size(): number {
    return this.places.size;
  }

  regs(): readonly Reg[] {
    return [...this.places.keys()];
  }
}
