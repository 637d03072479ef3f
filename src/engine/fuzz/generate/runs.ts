/** Runs of instructions that phases look for: chains of copies, repeated expressions, the common end of several arms. */

import { constant } from "./arithmetic.ts";
import type { Emitter } from "./emitter.ts";
import type { Structured } from "./structured.ts";

/** Chains of copies, some of them overwritten half-way. */
export function writeCopies({ e, straight, features }: Structured): void {
  const { rng } = e;
  const n = 3 + rng.below(6);
  let last = e.read("int");
  for (let i = 0; i < n; i++) {
    const roll = rng.below(10);
    if (roll < 6) last = e.set("int", (d) => `MOV ${d}, ${rng.chance(0.15) ? String(constant(rng)) : last}`, 0.4);
    else if (roll < 7 && features.longs) e.set("long", (d) => `MOV ${d}, ${e.read("long")}`, 0.4);
    else if (roll < 8) e.set("pred", (d) => `PMOV ${d}, ${e.condition()}`, 0.4);
    else if (roll < 9 && features.guards) e.emit(`MOV ${rng.pick(e.pool.int)}, ${last}`, e.condition());
    else straight.integer();
  }
}

/** The same expressions over and over: commuted, over copies, with a redefinition in between. */
export function writeRepeated({ e, straight, convergent }: Structured): void {
  const { rng } = e;
  const n = 2 + rng.below(4);
  const [a, b] = [e.read("int"), e.read("int")];
  const op = rng.pick(["IADD", "IMUL", "LOP.AND", "LOP.XOR", "ISUB", "IADD3", "SHL", "LDG"] as const);
  for (let i = 0; i < n; i++) {
    if (rng.chance(0.2)) straight.one(convergent);
    if (op === "LDG") {
      straight.memory();
      continue;
    }
    const [x, y] = rng.chance(0.3) ? [b, a] : [a, b];
    e.set("int", (d) => `${op} ${d}, ${x}, ${y}${op === "IADD3" ? `, ${a}` : ""}`, 0.3);
  }
  if (rng.chance(0.5)) {
    const [p, q] = [e.fresh("pred"), e.fresh("pred")];
    const cmp = rng.pick(["LT", "EQ", "GE"]);
    e.emit(`ISETP.${cmp} ${p}, ${a}, ${b}`);
    straight.some(rng.below(2), false);
    e.emit(`ISETP.${cmp} ${q}, ${a}, ${b}`);
    e.defined("pred", p);
    e.defined("pred", q);
  }
}

/** Instructions that only read and write registers of the pool, so that they are valid in every arm. */
export function writeTail(e: Emitter, count: number): void {
  const { rng } = e;
  const pool = e.pool.int;
  for (let i = 0; i < count; i++) {
    const [d, a, b] = [rng.pick(pool), rng.pick(pool), rng.chance(0.4) ? String(rng.below(9)) : rng.pick(pool)];
    const op = rng.pick(["IADD", "ISUB", "LOP.XOR", "IMUL", "SHL", "MOV"]);
    e.emit(`${op} ${d}, ${a}${op === "MOV" ? "" : `, ${b}`}`);
  }
}

/** Arms that end in the same instructions. */
export function writeTails(at: Structured): void {
  const { e, straight } = at;
  const { rng } = e;
  const arms = 2 + rng.below(3);
  const labels = Array.from({ length: arms }, () => e.label());
  const join = e.label();
  let outer = e.mark();
  for (let i = 0; i < arms - 1; i++) {
    if (i === 1) outer = e.mark();
    if (i > 0) e.start(e.label());
    e.branch(labels[i] as string, at.test());
    if (i === arms - 2) e.branch(labels[arms - 1] as string);
  }
  e.forget(outer);
  const mark = e.lines.length;
  writeTail(e, 3 + rng.below(4));
  const tail = e.lines.splice(mark).map((line) => line.text);
  const exiting = at.features.exits && rng.chance(0.3);
  labels.forEach((label, i) => {
    e.start(label);
    e.scoped(() => (rng.chance(0.8) ? straight.some(rng.below(3), false) : at.nested()));
    const skip = rng.chance(0.2) ? rng.below(tail.length) : 0;
    for (const text of tail.slice(skip)) e.lines.push({ text });
    if (exiting && i > 0) {
      at.scattered = true;
      at.finish();
    } else {
      e.branch(join);
    }
  });
  e.start(join);
}
