/**
 * Random code for passes that move and merge instructions: loads in loops that store to the same place, expressions under one guard and
 * under another, and warp instructions before and after lanes reconverge and in loops that lanes leave one after the other.
 */

import type { Structured } from "./structured.ts";

export function writeEffects(at: Structured): void {
  at.e.rng.pick([reloads, guardedTwice, meeting, leaving])(at);
}

/**
 * A counted loop around `body`, which receives a sum to add to. `sameTrips`: all threads make the same two to four trips; otherwise the
 * number depends on the thread.
 */
function counted({ e }: Structured, sameTrips: boolean, body: (sum: string) => void): void {
  const { rng } = e;
  const [head, done] = [e.label(), e.label()];
  const [limit, counter, p] = [e.fresh("int"), e.fresh("int"), e.fresh("pred")];
  const sum = rng.pick(e.pool.int);
  if (sameTrips) e.emit(`MOV ${limit}, ${2 + rng.below(3)}`);
  else e.emit(`LOP.AND ${limit}, ${e.read("int")}, 3`);
  e.emit(`MOV ${counter}, 0`);
  e.defined("int", limit);
  e.start(head);
  e.scoped(() => {
    body(sum);
    e.emit(`IADD ${counter}, ${counter}, 1`);
    e.emit(`ISETP.LT ${p}, ${counter}, ${limit}`);
    e.branch(head, p);
  });
  e.start(done);
  e.defined("int", counter);
}

/** Each iteration loads what the previous one stored. */
function reloads(at: Structured): void {
  const { e, straight } = at;
  const { rng } = e;
  const own = straight.ownPlace();
  counted(at, rng.chance(0.6), (sum) => {
    const value = e.make("int", (d) => `${own.load} ${d}, ${own.place}`);
    if (rng.chance(0.4)) straight.some(1, false);
    e.emit(`IMAD ${sum}, ${sum}, 3, ${value}`);
    e.emit(`${own.store} ${own.place}, ${sum}`, rng.chance(0.2) ? e.condition() : null);
  });
}

/**
 * One expression twice: under a guard, then under none, the same or another one. Only registers that have a value already are written under
 * a guard.
 */
function guardedTwice({ e, straight }: Structured): void {
  const { rng } = e;
  const [first, second, sum] = [e.pool.int[0], e.pool.int[1], e.pool.int[2]];
  if (first === undefined || second === undefined || sum === undefined) return;
  const op = rng.pick(["IADD", "IMUL", "LOP.XOR", "ISUB"]);
  const given = [e.read("int"), e.read("int")].filter((reg) => reg !== first && reg !== second);
  const [a = sum, b = a] = given;
  const guard = e.condition();
  e.emit(`${op} ${first}, ${a}, ${b}`, guard);
  if (rng.chance(0.3)) straight.predicate();
  const again = rng.pick([null, null, guard, e.condition()]);
  e.emit(`${op} ${second}, ${a}, ${b}`, again);
  e.emit(`IMAD ${sum}, ${sum}, 5, ${second}`);
}

/** Lanes reach one block in groups, run a warp instruction, reconverge, and run one again. */
function meeting(at: Structured): void {
  const { e, straight } = at;
  const { rng } = e;
  const [barrier, join, sum] = [e.barrier(), e.label(), rng.pick(e.pool.int)];
  const [ask, other] = [straight.warp.question(), rng.chance(0.3) ? straight.warp.question() : null];
  const p = rng.chance(0.5) ? at.test() : straight.warp.laneTest();
  e.emit(`BSSY ${barrier}, ${join}`);
  e.branch(join, p);
  e.start(e.label());
  e.scoped(() => straight.some(rng.below(3), false));
  e.start(join);
  const before = ask();
  if (rng.chance(0.3)) straight.predicate();
  e.emit(`BSYNC ${barrier}`);
  const after = (other ?? ask)();
  e.emit(`IMAD ${sum}, ${sum}, 3, ${before}`);
  e.emit(`IMAD ${sum}, ${sum}, 5, ${after}`);
}

/** Each iteration reads which lanes are still active. */
function leaving(at: Structured): void {
  const { e, straight } = at;
  const ask = straight.warp.question();
  counted(at, e.rng.chance(0.2), (sum) => {
    const answer = ask();
    e.emit(`IMAD ${sum}, ${sum}, 3, ${answer}`);
    if (e.rng.chance(0.3)) straight.some(1, false);
  });
}
