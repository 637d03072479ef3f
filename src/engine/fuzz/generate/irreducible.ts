/** Random edges between blocks, loops with several entries included. A counter bounds every retreating edge. */

import type { Emitter } from "./emitter.ts";
import type { Straight } from "./straight.ts";

/** Barriers of regions that open, close and are left at random. */
const BARRIERS = ["B0", "B1", "B2"];

/** Writes `count` blocks and the exit block's label `done`; the caller continues at `done`. `regions`: with regions that open and close anywhere. */
export function writeGraph(e: Emitter, straight: Straight, count: number, done: string, regions: boolean): void {
  const { rng } = e;
  const labels = Array.from({ length: count }, () => e.label());
  const fuel = e.fresh("int");
  e.emit(`MOV ${fuel}, ${8 + rng.below(24)}`);
  const at = (i: number): string => labels[i] ?? done;
  // Every barrier is written once before anything reads it.
  if (regions) for (const barrier of BARRIERS) for (const text of [`BSSY ${barrier}, ${done}`, `BSYNC ${barrier}`]) e.emit(text);
  for (let i = 0; i < count; i++) {
    e.start(at(i));
    e.scoped(() => {
      const forward = (): number => Math.min(count, i + 1 + rng.below(4));
      if (regions && rng.chance(0.5)) sync(e, straight, at(forward()));
      // Empty blocks are paths, too.
      if (!regions || rng.chance(0.75)) {
        straight.some(1 + rng.below(regions ? 2 : 4), false);
        straight.keep();
      }
      if (regions && rng.chance(0.3)) sync(e, straight, at(forward()));
      const roll = rng.below(10);
      if (roll < 3) {
        const p = e.target("pred", 0.2);
        straight.compare(p);
        e.branch(at(forward()), rng.chance(0.5) ? p : `!${p}`);
        if (rng.chance(0.3)) e.branch(at(forward()));
      } else if (roll < 7) {
        back(e, straight, fuel, at(rng.below(i + 1)));
        if (rng.chance(0.4)) e.branch(at(forward()));
      } else if (roll < 8) {
        e.branch(at(forward()));
      } else if (roll < 9 && i + 2 < count) {
        const index = e.fresh("int");
        const entries = Array.from({ length: 2 + rng.below(3) }, () => at(forward()));
        e.emit(`LOP.AND ${index}, ${e.read("int")}, 3`);
        e.emit(`JMX ${index}, ${e.table(entries, at(i + 1))}`);
      }
    });
  }
}

function sync(e: Emitter, straight: Straight, label: string): void {
  const { rng } = e;
  const barrier = rng.pick(BARRIERS);
  const roll = rng.below(20);
  let guard: string | null = null;
  if (rng.chance(0.1)) {
    guard = e.fresh("pred");
    straight.compare(guard);
    e.defined("pred", guard);
  }
  if (roll < 10) e.emit(`BSSY ${barrier}, ${label}`, guard);
  else if (roll < 19) e.emit(`BSYNC ${barrier}`, guard);
  else e.emit(`BREAK ${barrier}`, guard);
}

function back(e: Emitter, straight: Straight, fuel: string, target: string): void {
  const { rng } = e;
  const [p, q] = [e.fresh("pred"), e.fresh("pred")];
  straight.compare(p);
  e.emit(`IADD ${fuel}, ${fuel}, -1`);
  e.emit(`ISETP.GT.AND ${q}, ${fuel}, 0, ${rng.chance(0.5) ? p : `!${p}`}`);
  e.branch(target, q);
}
