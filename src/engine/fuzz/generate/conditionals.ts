/** Random conditionals: one condition with one or two arms, several conditions in one, threads that end under a condition. */

import { constant } from "./arithmetic.ts";
import type { Emitter } from "./emitter.ts";
import type { Structured } from "./structured.ts";

/** if (…) { … } else { … }, or without the else. */
export function writeArms(at: Structured, both: boolean): void {
  const { e, straight, features } = at;
  const { rng } = e;
  const [then, other, join] = [e.label(), e.label(), e.label()];
  const small = rng.chance(0.5);
  const arm = (): void => {
    if (features.apart && rng.chance(0.25)) return;
    if (small) straight.some(1 + rng.below(3), false);
    else at.nested();
    straight.keep();
  };
  const p = at.test();
  const barrier = at.open(join);
  e.branch(both ? other : join, p);
  const ends: string[] = both ? [] : [e.block];
  e.start(then);
  e.scoped(arm);
  ends.push(e.block);
  if (both) {
    e.branch(join);
    e.start(other);
    e.scoped(arm);
    ends.push(e.block);
  }
  at.close(join, barrier, () => {
    if (features.phis && new Set(ends).size === ends.length) writePhis(e, ends);
  });
}

/** PHIs that choose among values that exist on all edges, or constants. */
function writePhis(e: Emitter, preds: readonly string[]): void {
  const { rng } = e;
  const made: { bank: "int" | "pred"; reg: string }[] = [];
  const n = rng.chance(0.5) ? rng.below(3) : 0;
  for (let i = 0; i < n; i++) {
    const bank = rng.chance(0.85) ? ("int" as const) : ("pred" as const);
    const reg = e.fresh(bank);
    const input = (): string => (bank === "int" && rng.chance(0.3) ? String(constant(rng)) : e.read(bank));
    e.emit(`PHI ${reg}, ${preds.map((p) => `[${p}: ${input()}]`).join(", ")}`);
    made.push({ bank, reg });
  }
  for (const { bank, reg } of made) e.defined(bank, reg);
}

/** Two to four conditions in one: all to the same else (AND), or all to the same body (OR), or a mixture. */
export function writeShortCircuit(at: Structured): void {
  const { e, straight } = at;
  const { rng } = e;
  const [body, other, join] = [e.label(), e.label(), e.label()];
  const conditions = 2 + rng.below(3);
  const style = rng.pick(["and", "or", "mixed"] as const);
  const hasElse = rng.chance(0.6);
  const leave = hasElse ? other : join;
  const barrier = at.open(join);
  let mark = e.mark();
  for (let i = 0; i < conditions; i++) {
    // Registers that later conditions define are undefined on the edges that leave before them.
    if (i === 1) mark = e.mark();
    if (i > 0) {
      e.start(e.label());
      if (rng.chance(0.35)) straight.some(1 + rng.below(2), false);
    }
    const p = at.test();
    const last = i === conditions - 1;
    const toBody = style === "or" || (style === "mixed" && rng.chance(0.5));
    if (!toBody) {
      e.branch(leave, p);
      if (last && rng.chance(0.3)) e.branch(body);
    } else {
      e.branch(body, p);
      if (last) e.branch(leave);
    }
  }
  e.forget(mark);
  e.start(body);
  at.arm(0.6, 3);
  if (hasElse) {
    e.branch(join);
    e.start(other);
    e.scoped(() => {
      straight.some(1 + rng.below(3), false);
      straight.keep();
    });
  }
  at.close(join, barrier);
}

/** Some threads end here, by a copy of the program's end or by one instruction. */
export function writeExit(at: Structured): void {
  const { e, features } = at;
  if (!features.exits) {
    at.straight.one(false);
    return;
  }
  const p = at.test();
  at.scattered = true;
  if (e.rng.chance(0.5)) {
    const [leave, stay] = [e.label(), e.label()];
    e.branch(stay, p);
    e.start(leave);
    at.finish();
    e.start(stay);
  } else {
    e.emit(features.beyond && e.rng.chance(0.5) ? "KILL" : "EXIT", p);
    e.start(e.label());
  }
}
