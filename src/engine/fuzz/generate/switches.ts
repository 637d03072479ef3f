/** Random switches: chains of equality compares, and jumps through tables. */

import type { Emitter } from "./emitter.ts";
import type { Structured } from "./structured.ts";

/** A chain of equality compares of one register with constants. */
export function writeChain(at: Structured): void {
  const { e, straight } = at;
  const { rng } = e;
  const count = rng.pick([2, 3, 4, 5, 6, 8, 12]);
  const selector = e.fresh("int");
  const constants = caseConstants(e, count);
  selectorNear(e, selector, constants);
  const targets = Array.from({ length: 1 + rng.below(Math.min(count, 5)) }, () => e.label());
  const [fallback, join] = [e.label(), e.label()];
  const barrier = at.open(join);
  let mark = e.mark();
  constants.forEach((constant, i) => {
    if (i === 1) mark = e.mark();
    if (i > 0) e.start(e.label());
    if (i > 0 && rng.chance(0.12)) straight.some(1, false);
    const p = e.target("pred", 0.1);
    const negated = rng.chance(0.2);
    e.emit(`ISETP.${negated ? "NE" : "EQ"}${rng.chance(0.2) ? ".U32" : ""} ${p}, ${selector}, ${constant}`);
    e.defined("pred", p);
    const target = i < targets.length ? (targets[i] as string) : rng.pick(targets);
    if (!negated) {
      e.branch(target, p);
    } else if (rng.chance(0.5)) {
      e.branch(target, `!${p}`);
    } else {
      const next = e.label();
      e.branch(next, p);
      e.branch(target);
      e.start(next);
    }
  });
  e.branch(fallback);
  e.forget(mark);
  const used = targets.filter((t) => e.lines.some((line) => line.text.endsWith(`BRA ${t}`)));
  for (const target of used) {
    e.start(target);
    at.arm(0.8, 2);
    e.branch(join);
  }
  e.start(fallback);
  e.scoped(() => straight.some(rng.below(3), false));
  at.close(join, barrier);
}

function caseConstants(e: Emitter, count: number): number[] {
  const { rng } = e;
  switch (rng.below(5)) {
    case 0:
    case 1: {
      const base = rng.pick([0, 0, 1, -2, 100, 0x7ffffffc, -5]);
      return shuffled(
        Array.from({ length: count }, (_, i) => base + i),
        rng.chance(0.4) ? rng : null,
      );
    }
    case 2:
      return Array.from({ length: count }, () => rng.range(-3, 3 * count));
    case 3:
      return Array.from({ length: count }, () => rng.u32() | 0);
    default: {
      const extremes = [-0x80000000, 0x7fffffff, 0, -1, 1, 0x40000000, 5, 6];
      return Array.from({ length: count }, () => rng.pick(extremes));
    }
  }
}

/** Puts a value that often hits one of the constants into the register. */
function selectorNear(e: Emitter, selector: string, constants: readonly number[]): void {
  const { rng } = e;
  const low = Math.min(...constants);
  if (rng.chance(0.6)) {
    const raw = e.fresh("int");
    e.emit(`LOP.AND ${raw}, ${e.read("int")}, ${rng.pick([7, 15, 15, 31])}`);
    e.emit(`IADD ${selector}, ${raw}, ${(low - 1) | 0}`);
  } else {
    e.emit(`SEL ${selector}, ${e.read("int")}, ${rng.pick(constants)}, ${e.condition()}`);
  }
  e.defined("int", selector);
}

/** A jump through a table, in range or not. */
export function writeJumpTable(at: Structured): void {
  const { e, straight } = at;
  const { rng } = e;
  const targets = Array.from({ length: 1 + rng.below(4) }, () => e.label());
  const [fallback, join] = [e.label(), e.label()];
  const entries = [...targets, ...Array.from({ length: rng.below(5) }, () => rng.pick([...targets, fallback]))];
  const name = e.table(entries, fallback);
  const index = e.fresh("int");
  e.emit(`LOP.AND ${index}, ${e.read("int")}, ${rng.pick([3, 7])}`);
  e.emit(`JMX ${index}, ${name}`);
  for (const target of targets) {
    e.start(target);
    at.arm(0.7, 2);
    e.branch(join);
  }
  e.start(fallback);
  e.scoped(() => straight.some(1, false));
  e.start(join);
}

function shuffled(items: number[], rng: { below(n: number): number } | null): number[] {
  if (rng === null) return items;
  for (let i = items.length - 1; i > 0; i--) {
    const j = rng.below(i + 1);
    [items[i], items[j]] = [items[j] as number, items[i] as number];
  }
  return items;
}
