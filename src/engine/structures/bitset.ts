import { BitSet } from "../../base/bitset.ts";
import type { Observe } from "../remark/shown.ts";
import { Observation } from "./observe.ts";

/** A bit set that mirrors its words as cells `w0`, `w1`, …; it emits no events, since what a change means only the pass knows. */
export class ObservedBitSet extends BitSet {
  readonly obs: Observation;
  private readonly shown: Uint32Array;

  constructor(length: number, observe?: Observe) {
    super(length);
    this.obs = new Observation("bitset", observe);
    this.shown = new Uint32Array(this.obs.on ? this.words.length : 0);
    if (!this.obs.on) return;
    this.obs.cell("meta", { length });
    for (let w = 0; w < this.words.length; w++) this.obs.cell(`w${w}`, 0);
  }

  override add(i: number): boolean {
    return this.shownWord(super.add(i), i >>> 5);
  }
  override delete(i: number): boolean {
    return this.shownWord(super.delete(i), i >>> 5);
  }
  override addAll(other: BitSet): boolean {
    return this.shownAll(super.addAll(other));
  }
  override retainAll(other: BitSet): boolean {
    return this.shownAll(super.retainAll(other));
  }
  override removeAll(other: BitSet): boolean {
    return this.shownAll(super.removeAll(other));
  }
  override copyFrom(other: BitSet): boolean {
    return this.shownAll(super.copyFrom(other));
  }
  override clear(): void {
    super.clear();
    this.shownAll(true);
  }

  private shownAll(changed: boolean): boolean {
    if (changed && this.obs.on) for (let w = 0; w < this.words.length; w++) this.show(w);
    return changed;
  }

  private shownWord(changed: boolean, w: number): boolean {
    if (changed && this.obs.on) this.show(w);
    return changed;
  }

  private show(w: number): void {
    const word = this.words[w] ?? 0;
    if (this.shown[w] === word) return;
    this.shown[w] = word;
    this.obs.cell(`w${w}`, word);
  }
}
