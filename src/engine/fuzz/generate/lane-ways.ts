/** More shapes of divergence: at a jump table that some lanes skip, at the end of a region, and at a condition that is tested twice. */

import type { LaneKit } from "./lane-shapes.ts";

/** Lanes reach an empty block by the table and by falling through: together, unless a phase redirects one of the two edges to the block's target. */
export function writeGuardedTable(kit: LaneKit, target: string): void {
  const { e, straight, host, look } = kit;
  const { rng } = e;
  const own = rng.chance(0.6) ? (kit.barriers(1)[0] ?? null) : null;
  const [empty, second] = [e.label(), e.label()];
  const end = own === null ? target : e.label();
  if (own !== null) e.emit(`BSSY ${own}, ${end}`);
  const goals = [empty, rng.chance(0.5) ? second : empty, ...(own === null ? [] : [target])];
  const entries = [empty, ...Array.from({ length: 1 + rng.below(3) }, () => rng.pick(goals))];
  const index = rng.chance(0.6) ? "RZ" : rng.chance(0.5) ? straight.uniformWord() : straight.laneWord();
  e.emit(`JMX ${index}, ${e.table(entries, rng.pick(goals))}`, host.test());
  e.start(empty);
  e.start(second);
  if (own !== null) e.start(target);
  if (own !== null || rng.chance(0.5)) straight.vote();
  e.start(end);
  if (own !== null) e.emit(`BSYNC ${own}`);
  look();
}

/** Lanes that a guard keeps from a BSYNC go on without those that wait there. */
export function writeGuardedSync(kit: LaneKit, target: string): void {
  const { e, straight, host, look } = kit;
  const { rng } = e;
  const [barrier = ""] = kit.barriers(1);
  e.emit(`BSSY ${barrier}, ${target}`);
  if (rng.chance(0.5)) host.tail(1);
  e.start(target);
  e.emit(`BSYNC ${barrier}`, host.test());
  straight.vote();
  if (rng.chance(0.3)) e.emit(`BSYNC ${barrier}`);
  look();
}

/** A uniform condition is tested again where its value is known: the edge that no lane takes there keeps earlier divergence open. */
export function writeTestedTwice(kit: LaneKit, target: string): void {
  const { e, straight, host, look } = kit;
  const { rng } = e;
  const around = straight.varying;
  straight.varying = 0;
  const same = host.test();
  straight.varying = around;
  const [asked, first, second] = [e.label(), e.label(), e.label()];
  e.branch(asked, host.test());
  e.start(e.label());
  for (const goal of [first, second]) {
    if (rng.chance(0.8)) host.tail(1);
    e.branch(goal, same);
    e.start(e.label());
  }
  e.start(asked);
  e.scoped(() => straight.vote());
  e.branch(target);
  e.start(first);
  host.tail(1);
  e.branch(rng.chance(0.8) ? asked : target);
  e.start(second);
  host.tail(1);
  e.start(target);
  look();
}
