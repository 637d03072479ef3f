/** Random nested control flow: every construct ends in one block, unless all ways through it exit. */

import { constant } from "./arithmetic.ts";
import { writeEffects } from "./effects.ts";
import type { Emitter } from "./emitter.ts";
import { LaneWriter } from "./lanes.ts";
import type { Plan, Weights } from "./options.ts";
import { writeCopies, writeRepeated, writeTail } from "./runs.ts";
import type { Straight } from "./straight.ts";
import { type Arms, writeChain, writeJumpTable } from "./switches.ts";

/** Deeper nests are replaced by straight code. */
const MAX_DEPTH = 4;
/** Of the constructs on the outermost level. */
const KIND_SHARE = 0.35;

export class Structured {
  private readonly e: Emitter;
  private readonly straight: Straight;
  private readonly plan: Plan;
  /** Constructs that may still be written. */
  private budget: number;
  /** Some lanes may have left for good, or may run on separately. */
  private scattered = false;
  private laneWriter: LaneWriter | null = null;
  private depth = 0;
  /** How to end the program early. */
  private readonly finish: () => void;
  /** Writes one of the kinds; null: the program has none. */
  private readonly kind: (() => void) | null;

  constructor(e: Emitter, straight: Straight, plan: Plan, budget: number, finish: () => void, kind: (() => void) | null) {
    this.e = e;
    this.straight = straight;
    this.plan = plan;
    this.budget = budget;
    this.finish = finish;
    this.kind = kind;
  }

  /** Writes constructs until the budget is spent. */
  top(): void {
    while (this.budget > 0) {
      // Where all lanes are, unless some have left.
      if (this.kind !== null && !this.scattered && this.e.rng.chance(KIND_SHARE)) this.kind();
      this.construct(0, true);
    }
    if (this.kind !== null && !this.scattered) this.kind();
  }

  private arms(depth: number): Arms {
    return {
      nested: () => this.body(depth + 1, false),
      open: (join) => this.open(join),
      close: (join, barrier) => this.close(join, barrier, () => {}),
    };
  }

  /** The regions that are open belong to the writer: one for the program. */
  private lanes(depth: number): LaneWriter {
    this.depth = depth;
    this.laneWriter ??= new LaneWriter(this.e, this.straight, {
      test: () => this.test(),
      body: () => {
        const at = this.depth;
        this.body(at + 1, false);
        this.depth = at;
      },
      tail: (count) => writeTail(this.e, count),
      exits: this.plan.features.exits,
    });
    return this.laneWriter;
  }

  private convergent(uniform: boolean): boolean {
    return uniform && !this.scattered;
  }

  private body(depth: number, uniform: boolean): void {
    const { rng } = this.e;
    const n = 1 + rng.below(2);
    for (let i = 0; i < n && this.budget > 0; i++) this.construct(depth, uniform);
    this.straight.some(rng.below(3), this.convergent(uniform));
  }

  private construct(depth: number, uniform: boolean): void {
    const { rng } = this.e;
    this.budget--;
    const { weights } = this.plan;
    const kind = depth >= MAX_DEPTH || this.budget <= 0 ? "straight" : weighted(rng.below(1000) / 1000, weights);
    switch (kind) {
      case "straight":
        this.straight.some(1 + rng.below(5), this.convergent(uniform));
        break;
      case "diamond":
        this.conditional(depth, true);
        break;
      case "triangle":
        this.conditional(depth, false);
        break;
      case "nest":
        this.nest(depth);
        break;
      case "chain":
        writeChain(this.e, this.straight, this.arms(depth));
        break;
      case "loop":
        this.loop(depth, uniform);
        break;
      case "tails":
        this.tails(depth);
        break;
      case "table":
        writeJumpTable(this.e, this.straight, this.arms(depth));
        break;
      case "copies":
        writeCopies(this.e, this.straight, this.plan.features);
        break;
      case "redundant":
        writeRepeated(this.e, this.straight, this.convergent(uniform));
        break;
      case "effects":
        writeEffects({ e: this.e, straight: this.straight, test: () => this.test() });
        break;
      case "region":
        this.lanes(depth).region();
        break;
      case "ways":
        this.lanes(depth).ways();
        break;
      case "exit":
        if (this.plan.features.exits) this.earlyExit();
        else this.straight.one(false);
        break;
    }
  }

  /** A fresh compare into a predicate, or one that is there already. */
  private test(): string {
    const { e } = this;
    if (e.rng.chance(!this.plan.features.apart ? 0.3 : this.straight.warp.varying < 0.2 ? 0 : 0.15)) return e.condition();
    const p = e.target("pred", 0.2);
    this.straight.compare(p);
    e.defined("pred", p);
    return e.rng.chance(0.5) ? `!${p}` : p;
  }

  /** Opens a convergence region that `close` ends at the start of the join block. */
  private open(join: string): string | null {
    const { e } = this;
    if (!this.plan.features.regions || !e.rng.chance(0.4)) return null;
    const barrier = e.barrier();
    e.emit(`BSSY ${barrier}, ${join}`);
    return barrier;
  }

  private close(join: string, barrier: string | null, phis: () => void): void {
    this.e.start(join);
    phis();
    if (barrier !== null) this.e.emit(`BSYNC ${barrier}`);
  }

  /** if (…) { … } else { … }, or without the else. */
  private conditional(depth: number, both: boolean): void {
    const { e } = this;
    const { rng } = e;
    const [then, other, join] = [e.label(), e.label(), e.label()];
    const small = rng.chance(0.5);
    const arm = (): void => {
      if (this.plan.features.apart && rng.chance(0.25)) return;
      if (small) this.straight.some(1 + rng.below(3), false);
      else this.body(depth + 1, false);
      this.straight.keep();
    };
    const p = this.test();
    const barrier = this.open(join);
    e.branch(both ? other : join, p);
    const ends: string[] = [];
    if (!both) ends.push(e.block);
    e.start(then);
    e.scoped(arm);
    ends.push(e.block);
    if (both) {
      e.branch(join);
      e.start(other);
      e.scoped(arm);
      ends.push(e.block);
    }
    this.close(join, barrier, () => this.phis(ends));
  }

  /** PHIs that choose among values that exist on all edges, or constants. */
  private phis(preds: readonly string[]): void {
    const { e } = this;
    const { rng } = e;
    if (!this.plan.features.phis || new Set(preds).size !== preds.length) return;
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
  private nest(depth: number): void {
    const { e } = this;
    const { rng } = e;
    const [body, other, join] = [e.label(), e.label(), e.label()];
    const conditions = 2 + rng.below(3);
    const style = rng.pick(["and", "or", "mixed"] as const);
    const hasElse = rng.chance(0.6);
    const leave = hasElse ? other : join;
    const barrier = this.open(join);
    let mark = e.mark();
    for (let i = 0; i < conditions; i++) {
      // What later conditions define is not there on the edges that leave before them.
      if (i === 1) mark = e.mark();
      if (i > 0) {
        e.start(e.label());
        if (rng.chance(0.35)) this.straight.some(1 + rng.below(2), false);
      }
      const p = this.test();
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
    e.scoped(() => {
      if (rng.chance(0.6)) this.straight.some(1 + rng.below(3), false);
      else this.body(depth + 1, false);
      this.straight.keep();
    });
    if (hasElse) {
      e.branch(join);
      e.start(other);
      e.scoped(() => {
        this.straight.some(1 + rng.below(3), false);
        this.straight.keep();
      });
    }
    this.close(join, barrier, () => {});
  }

  /** A counted loop, with extra exits now and then, and the count by thread or the same for all. */
  private loop(depth: number, uniform: boolean): void {
    const { e } = this;
    const { rng } = e;
    const [head, done] = [e.label(), e.label()];
    const sameTrips = rng.chance(0.5);
    const limit = e.fresh("int");
    if (sameTrips) e.emit(`MOV ${limit}, ${1 + rng.below(5)}`);
    else e.emit(`LOP.AND ${limit}, ${e.read("int")}, ${rng.pick([3, 7])}`);
    e.defined("int", limit);
    const counter = e.fresh("int");
    const before = e.block;
    const inside = uniform && sameTrips;
    const asPhi = this.plan.features.phis && rng.chance(0.4);
    // The PHI may merge the counter with itself: the register then has three definitions.
    const ownCounter = asPhi && rng.chance(0.4);
    const barrier = this.open(done);
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
      this.body(depth + 1, inside && !exits);
      this.straight.keep();
      if (exits) {
        e.branch(done, this.test());
        e.start(e.label());
        this.straight.some(1 + rng.below(2), false);
      }
      e.emit(`IADD ${next}, ${counter}, 1`);
      if (bottomTested) {
        e.emit(`ISETP.LT ${p}, ${next}, ${limit}`);
        e.branch(head, p);
      } else {
        e.branch(head);
      }
    });
    if (phi !== null) phi.text = `    PHI ${counter}, [${before}: ${ownCounter ? counter : 0}], [${e.block}: ${next}]`;
    this.close(done, barrier, () => {});
  }

  /** Arms that end in the same instructions. */
  private tails(depth: number): void {
    const { e } = this;
    const { rng } = e;
    const arms = 2 + rng.below(3);
    const labels = Array.from({ length: arms }, () => e.label());
    const join = e.label();
    let outer = e.mark();
    for (let i = 0; i < arms - 1; i++) {
      if (i === 1) outer = e.mark();
      if (i > 0) e.start(e.label());
      e.branch(labels[i] as string, this.test());
      if (i === arms - 2) e.branch(labels[arms - 1] as string);
    }
    e.forget(outer);
    const mark = e.lines.length;
    writeTail(e, 3 + rng.below(4));
    const tail = e.lines.splice(mark).map((line) => line.text);
    // Registers that the tail defines exist in no arm before it.
    const exiting = this.plan.features.exits && rng.chance(0.3);
    labels.forEach((label, i) => {
      e.start(label);
      e.scoped(() => (rng.chance(0.8) ? this.straight.some(rng.below(3), false) : this.body(depth + 1, false)));
      const skip = rng.chance(0.2) ? rng.below(tail.length) : 0;
      for (const text of tail.slice(skip)) e.lines.push({ text });
      if (exiting && i > 0) {
        this.scattered = true;
        this.finish();
      } else {
        e.branch(join);
      }
    });
    e.start(join);
  }

  private earlyExit(): void {
    const { e } = this;
    const p = this.test();
    this.scattered = true;
    if (e.rng.chance(0.5)) {
      const [leave, stay] = [e.label(), e.label()];
      e.branch(stay, p);
      e.start(leave);
      this.finish();
      e.start(stay);
    } else {
      e.emit(this.plan.features.beyond && e.rng.chance(0.5) ? "KILL" : "EXIT", p);
      e.start(e.label());
    }
  }
}

function weighted(at: number, weights: Weights): keyof Weights {
  const entries = Object.entries(weights) as [keyof Weights, number][];
  let rest = at * entries.reduce((sum, [, w]) => sum + w, 0);
  for (const [name, weight] of entries) {
    rest -= weight;
    if (rest < 0) return name;
  }
  return "straight";
}
