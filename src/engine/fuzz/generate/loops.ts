/** Random loops. */

import type { Structured } from "./structured.ts";

/** A counted loop, with extra exits now and then; the number of trips depends on the thread or is the same for all. */
export function writeLoop(at: Structured): void {
  const { e, straight, features } = at;
  const { rng } = e;
  const [head, done] = [e.label(), e.label()];
  const sameTrips = rng.chance(0.5);
  const limit = e.make("int", (d) => (sameTrips ? `MOV ${d}, ${1 + rng.below(5)}` : `LOP.AND ${d}, ${e.read("int")}, ${rng.pick([3, 7])}`));
  const counter = e.fresh("int");
  const before = e.block;
  const asPhi = features.phis && rng.chance(0.4);
  // The PHI may merge the counter with itself: the register then has three definitions.
  const ownCounter = asPhi && rng.chance(0.4);
  const barrier = at.open(done);
  if (!asPhi || ownCounter) e.emit(`MOV ${counter}, 0`);
  e.start(head);
  const phi = asPhi ? e.emit("") : null;
  e.defined("int", counter);
  const bottomTested = rng.chance(0.5);
  const p = e.fresh("pred");
  const exits = rng.chance(0.25);
  const next = asPhi && !(ownCounter && rng.chance(0.6)) ? e.fresh("int") : counter;
  e.scoped(() => {
    if (!bottomTested) {
      e.emit(`ISETP.GE ${p}, ${counter}, ${limit}`);
      e.branch(done, p);
      e.start(e.label());
    }
    at.nested(at.uniform && sameTrips && !exits);
    straight.keep();
    if (exits) {
      e.branch(done, at.test());
      e.start(e.label());
      straight.some(1 + rng.below(2), false);
    }
    e.emit(`IADD ${next}, ${counter}, 1`);
    if (bottomTested) e.emit(`ISETP.LT ${p}, ${next}, ${limit}`);
    e.branch(head, bottomTested ? p : null);
  });
  if (phi !== null) phi.text = `    PHI ${counter}, [${before}: ${ownCounter ? counter : 0}], [${e.block}: ${next}]`;
  at.close(done, barrier);
}
