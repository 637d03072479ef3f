/** Random regions of lanes that diverge and reconverge: nested, sharing joins, left early, closed twice or by the one around them. */

import type { Emitter } from "./emitter.ts";
import type { LaneKit } from "./lane-shapes.ts";
import { WAYS } from "./lane-ways.ts";
import type { Straight } from "./straight.ts";
import type { Structured } from "./structured.ts";

interface OpenRegion {
  readonly barrier: string;
  readonly join: string;
  /** Barriers of regions inside that end in the same block. */
  readonly inner: string[];
}

/** Few enough that regions reopen each other's barriers. */
const BARRIERS = 4;

export class LaneWriter {
  private readonly e: Emitter;
  private readonly straight: Straight;
  private readonly host: Structured;
  private readonly open: OpenRegion[] = [];
  private readonly known = new Set<string>();
  private readonly kit: LaneKit;

  constructor(host: Structured) {
    const { e, straight } = host;
    this.e = e;
    this.straight = straight;
    this.host = host;
    this.kit = {
      e,
      warp: straight.warp,
      host,
      look: () => this.look(),
      barrier: () => this.barrier(),
      barriers: (count) => this.barriers(count),
      innermost: () => this.open.at(-1)?.barrier ?? null,
    };
  }

  /** Writes an instruction that depends on the active lanes, most of the time. */
  private look(): void {
    const { rng } = this.e;
    if (rng.chance(0.75)) this.straight.warp.vote();
    if (rng.chance(0.3)) this.straight.some(1, false);
    this.straight.keep();
  }

  private barrier(): string {
    const name = `B${this.e.rng.below(BARRIERS)}`;
    this.known.add(name);
    return name;
  }

  /** Distinct barriers: most of the time unused ones, else ones that may be open. */
  private barriers(count: number): readonly string[] {
    const { rng } = this.e;
    const [from, names] = rng.chance(0.7) ? [BARRIERS, Math.max(count, BARRIERS)] : [0, BARRIERS];
    const first = rng.below(names);
    return Array.from({ length: count }, (_, i) => `B${from + ((first + i) % names)}`);
  }

  region(): void {
    const { e } = this;
    const { rng } = e;
    const barrier = this.barrier();
    const outer = this.open.at(-1);
    // The enclosing region ends in the same block: its code continues with this one open.
    const shares = outer !== undefined && rng.chance(0.25);
    const join = shares ? outer.join : e.label();
    const around = this.straight.warp.varying;
    // If all lanes agree on the conditions, a phase may remove the region.
    if (rng.chance(0.5)) this.straight.warp.varying = rng.pick([0, 0.1, 0.9]);
    e.emit(`BSSY ${barrier}, ${join}`);
    const own = { barrier, join, inner: [] };
    if (!shares) this.open.push(own);
    e.scoped(() => {
      for (let i = 1 + rng.below(3); i > 0; i--) {
        if (rng.chance(0.3)) this.leave();
        if (rng.chance(0.5)) this.host.nested();
        else this.ways();
      }
      if (rng.chance(0.5)) this.look();
    });
    this.straight.warp.varying = around;
    if (shares) {
      outer.inner.push(barrier);
      return;
    }
    this.open.pop();
    e.start(join);
    this.end(own, outer !== undefined);
    if (rng.chance(0.4)) this.look();
  }

  private end({ barrier, inner }: OpenRegion, enclosed: boolean): void {
    const { e } = this;
    const { rng } = e;
    const before = rng.chance(0.6);
    const close = (b: string): void => {
      if (rng.chance(0.85)) e.emit(`BSYNC ${b}`);
    };
    if (before) for (const b of inner.toReversed()) close(b);
    if (rng.chance(0.2)) this.straight.warp.vote();
    const roll = rng.below(20);
    if (roll === 0) e.emit(`BSYNC ${barrier}`, this.host.test());
    else if (roll > 2 || !enclosed) e.emit(`BSYNC ${barrier}`);
    if (roll > 17) e.emit(`BSYNC ${barrier}`);
    if (!before) for (const b of inner) close(b);
  }

  /** Some lanes leave: they branch to the end of an open region, break out of one, exit, or wait at its barrier. */
  private leave(): void {
    const { e } = this;
    const { rng } = e;
    const region = rng.pick(this.open);
    const roll = rng.below(10);
    if (roll < 6 && region !== undefined) {
      e.branch(region.join, this.host.test());
      e.start(e.label());
    } else if (roll < 8 && region !== undefined) {
      e.emit(`BREAK ${region.barrier}`, rng.chance(0.7) ? this.host.test() : null);
    } else if (roll < 9 && this.host.features.exits) {
      e.emit("EXIT", this.host.test());
      e.start(e.label());
    } else if (this.known.size > 0 && region !== undefined) {
      e.emit(`BSYNC ${region.barrier}`, rng.chance(0.5) ? this.host.test() : null);
    }
  }

  /** Two or more paths to one block. */
  ways(): void {
    const { e } = this.kit;
    const target = e.label();
    e.rng.pick(WAYS)(this.kit, target);
  }
}
