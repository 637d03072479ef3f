/** Data flow to a fixed point: blocks are visited in an order, and again, round by round, after something that they depend on has changed. */

export class Worklist<B extends number> {
  private readonly order: readonly B[];
  private readonly waiting: Uint8Array;

  /** Every block of `order` waits at first. `size`: more than any block's number. */
  constructor(order: readonly B[], size: number) {
    this.order = order;
    this.waiting = new Uint8Array(size);
    this.addAll(order);
  }

  /** Visits it again: in this round if it comes later in the order, else in the next. */
  add(block: B): void {
    this.waiting[block] = 1;
  }

  addAll(blocks: readonly B[]): void {
    for (let i = 0; i < blocks.length; i++) this.add(blocks[i] as B);
  }

  /**
   * `visit` computes what is known about a block from its neighbours (the meet) and through its instructions (the transfer), adds the blocks that depend on it
   * if that changed, and returns whether it did. Returns the number of rounds, the last included, in which nothing changes.
   */
  solve(visit: (block: B, round: number) => boolean, begin: ((round: number) => void) | null = null): number {
    const { order, waiting } = this;
    let round = 0;
    for (let changed = order.length > 0; changed; ) {
      changed = false;
      round++;
      begin?.(round);
      for (let i = 0; i < order.length; i++) {
        const block = order[i] as B;
        if (waiting[block] !== 1) continue;
        waiting[block] = 0;
        if (visit(block, round)) changed = true;
      }
    }
    return round;
  }
}
