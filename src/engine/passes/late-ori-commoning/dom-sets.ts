/** `sub_76ABE0` and `sub_1245740`: dominance by a bit of the block's set of dominators, one word and one mask; without the sets, up the immediate dominators. */

import type { DomWalk } from "../../analysis/value-environment.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Remarks } from "../../remark/remarks.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { DomSetRow } from "./rows.ts";

/** What was tested of one pair, and the answer. */
export interface DomTest {
  readonly ok: boolean;
  /** Dominator-order numbers, from 1, as blocks have them at +144. */
  readonly above: number;
  readonly below: number;
  /** The words' index and content, and the mask; null where the immediate dominators were walked. */
  readonly word: { readonly index: number; readonly bits: number; readonly mask: number } | null;
  /** Immediate dominators passed on the slow path. */
  readonly steps: number;
}

export class DomSets {
  private readonly walk: DomWalk;
  private readonly view: ShownTable<DomSetRow>;
  private readonly hasSets: boolean;
  private readonly words: Uint32Array;
  private readonly listening: boolean;
  /** The blocks whose dominators the words contain, from the entry down. Blocks are visited in dominator preorder, so that each is added once. */
  private readonly path: BlockId[] = [];

  /** `hasSets`: bit 6 of the function's +1370. */
  constructor(walk: DomWalk, hasSets: boolean, remark: Remarks) {
    this.walk = walk;
    this.hasSets = hasSets;
    this.listening = remark.listening;
    this.words = new Uint32Array(hasSets ? ((walk.order.length + 1) >> 5) + 1 : 0);
    this.view = remark.shown.table<DomSetRow>("dom-set", "Dominators of the block at hand: dom_set, a bit a block");
  }

  test(above: BlockId, below: BlockId): DomTest {
    const [a, b] = [this.order(above), this.order(below)];
    if (!this.hasSets) return this.climb(above, below, a, b);
    this.fill(below);
    const [index, mask] = [a >> 5, (1 << (a & 31)) >>> 0];
    const bits = this.words[index] ?? 0;
    return { ok: (bits & mask) !== 0, above: a, below: b, word: { index, bits, mask }, steps: 0 };
  }

  node(test: DomTest): string {
    return test.word === null ? "" : this.view.node(test.word.index);
  }

  private order(id: BlockId): number {
    return (this.walk.place[id] ?? -1) + 1;
  }

  /** `sub_76AAE0`. */
  private climb(above: BlockId, below: BlockId, a: number, b: number): DomTest {
    let steps = 0;
    let at: number = below;
    while (at >= 0 && at !== above) {
      at = this.walk.tree.idom[at] ?? -1;
      steps++;
    }
    return { ok: at === above, above: a, below: b, word: null, steps };
  }

  private fill(block: BlockId): void {
    const { path } = this;
    if (path.at(-1) === block) return;
    const below: BlockId[] = [];
    let at: number = block;
    while (at >= 0 && !this.has(at as BlockId)) {
      below.push(at as BlockId);
      at = this.walk.tree.idom[at] ?? -1;
    }
    while (path.length > 0 && path.at(-1) !== at) this.flip(path.pop() as BlockId);
    for (let next = below.pop(); next !== undefined; next = below.pop()) {
      this.flip(next);
      path.push(next);
    }
    if (!this.listening) return;
    for (const [i, bits] of this.words.entries()) this.view.set(i, { block: this.order(block), bits });
  }

  private has(id: BlockId): boolean {
    const order = this.order(id);
    return (((this.words[order >> 5] ?? 0) >>> (order & 31)) & 1) === 1;
  }

  private flip(id: BlockId): void {
    const order = this.order(id);
    this.words[order >> 5] = (this.words[order >> 5] ?? 0) ^ (1 << (order & 31));
  }
}
