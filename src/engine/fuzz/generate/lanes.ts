/**
 * Random code whose lanes part and meet in every way that the rules know: regions nested, sharing joins, left early, closed twice or by the one around them, opened on
 * one way only, entered from tables and through empty blocks; several branches to one block; equal blocks on both ways.
 */

import type { Emitter } from "./emitter.ts";
import { type LaneKit, writeGuardedOpen, writeNeverTaken, writeParted, writeRetaken, writeSharedEnd, writeTwins } from "./lane-shapes.ts";
import { writeGuardedSync, writeGuardedTable, writeTestedTwice } from "./lane-ways.ts";
import type { Straight } from "./straight.ts";

/** What the writer of nested code provides. */
export interface LaneHost {
  /** A predicate to branch on. */
  test(): string;
  /** Nested constructs. */
  body(): void;
  /** Instructions that mean something in every arm. */
  tail(count: number): void;
  /** A place from which threads may end early. */
  readonly exits: boolean;
}

interface OpenRegion {
  readonly barrier: string;
  readonly join: string;
  /** Barriers of regions inside that end in the same block. */
  readonly inner: string[];
}

/** Few enough that regions reopen each other's barriers. */
const BARRIERS = 4;
/** Of a region that nothing inside of it closes, and that is not opened twice. */
const AROUND = "B8";

export class LaneWriter {
  private readonly e: Emitter;
  private readonly straight: Straight;
  private readonly host: LaneHost;
  private readonly open: OpenRegion[] = [];
  private readonly known = new Set<string>();
  private readonly kit: LaneKit;

  constructor(e: Emitter, straight: Straight, host: LaneHost) {
    this.e = e;
    this.straight = straight;
    this.host = host;
    this.kit = {
      e,
      straight,
      host,
      look: () => this.look(),
      barrier: () => this.barrier(),
      barriers: (count) => this.barriers(count),
      innermost: () => this.open.at(-1)?.barrier ?? null,
    };
  }

  /** An instruction that sees who is there, most of the time. */
  private look(): void {
    const { rng } = this.e;
    if (rng.chance(0.75)) this.straight.vote();
    if (rng.chance(0.3)) this.straight.some(1, false);
    this.straight.keep();
  }

  private barrier(): string {
    const name = `B${this.e.rng.below(BARRIERS)}`;
    this.known.add(name);
    return name;
  }

  /** Different ones: most of the time of their own, else such as may be open. */
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
    const around = this.straight.varying;
    // Conditions that all lanes agree on leave regions that a phase may take away.
    if (rng.chance(0.5)) this.straight.varying = rng.pick([0, 0.1, 0.9]);
    e.emit(`BSSY ${barrier}, ${join}`);
    const own = { barrier, join, inner: [] };
    if (!shares) this.open.push(own);
    e.scoped(() => {
      for (let i = 1 + rng.below(3); i > 0; i--) {
        if (rng.chance(0.3)) this.leave();
        if (rng.chance(0.5)) this.host.body();
        else this.ways();
      }
      if (rng.chance(0.5)) this.look();
    });
    this.straight.varying = around;
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
    if (rng.chance(0.2)) this.straight.vote();
    const roll = rng.below(20);
    if (roll === 0) e.emit(`BSYNC ${barrier}`, this.host.test());
    else if (roll > 2 || !enclosed) e.emit(`BSYNC ${barrier}`);
    if (roll > 17) e.emit(`BSYNC ${barrier}`);
    if (!before) for (const b of inner) close(b);
  }

  /** Some lanes go elsewhere: to the end of a region that is open here, out of one, or away. */
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
    } else if (roll < 9 && this.host.exits) {
      e.emit("EXIT", this.host.test());
      e.start(e.label());
    } else if (this.known.size > 0 && region !== undefined) {
      e.emit(`BSYNC ${region.barrier}`, rng.chance(0.5) ? this.host.test() : null);
    }
  }

  /** Two ways and more that lead to one block. */
  ways(): void {
    const { e } = this;
    const { rng } = e;
    const target = e.label();
    switch (rng.below(31)) {
      case 0:
        e.branch(target, this.host.test());
        if (rng.chance(0.5)) e.branch(target);
        break;
      case 1:
        this.overEmpty(target);
        break;
      case 2:
        this.table(target);
        break;
      case 3:
      case 4:
        this.conditions(target);
        break;
      case 5:
        this.equalArms(target);
        break;
      case 6:
        this.choice(target);
        break;
      case 7:
        this.oneWayRegion(target);
        break;
      case 8:
        this.syncs(target);
        break;
      case 9:
        this.votedRegion(target, false);
        return;
      case 10:
        this.closedByOuter();
        break;
      case 11:
      case 12:
      case 13:
      case 14:
        this.varied(() => writeTwins(this.kit, target));
        return;
      case 15:
      case 16:
      case 17:
      case 22:
      case 23:
      case 24:
        this.askedTogether(target);
        return;
      case 18:
        this.varied(() => writeSharedEnd(this.kit, target));
        return;
      case 19:
        this.varied(() => writeRetaken(this.kit, target));
        return;
      case 20:
        this.varied(() => writeGuardedOpen(this.kit, e.label()));
        this.votedRegion(target, true);
        return;
      case 25:
      case 26:
        this.varied(() => writeGuardedTable(this.kit, target));
        return;
      case 27:
        this.varied(() => writeGuardedSync(this.kit, target));
        return;
      case 28:
      case 29:
        this.varied(() => writeTestedTwice(this.kit, target));
        return;
      default:
        this.varied(() => writeNeverTaken(this.kit, target));
        return;
    }
    e.start(target);
    this.look();
  }

  /** Values computed during divergence are tested after reconvergence: inside an open region lanes do not reconverge after the branch on them. */
  private askedTogether(target: string): void {
    const { e } = this;
    const around = e.rng.chance(0.6) ? e.label() : null;
    if (around !== null) e.emit(`BSSY ${AROUND}, ${around}`);
    this.varied(() => writeParted(this.kit));
    this.votedRegion(target, true);
    if (around === null) return;
    this.look();
    e.start(around);
    e.emit(`BSYNC ${AROUND}`);
  }

  /** Writes what says nothing unless lanes take different ways. */
  private varied(write: () => void): void {
    const around = this.straight.varying;
    if (this.e.rng.chance(0.8)) this.straight.varying = 0.85;
    write();
    this.straight.varying = around;
  }

  private overEmpty(target: string): void {
    const { e } = this;
    const empty = e.label();
    if (e.rng.chance(0.5)) {
      e.branch(target, this.host.test());
      e.start(empty);
      return;
    }
    e.branch(empty, this.host.test());
    e.branch(target);
    e.start(empty);
    if (e.rng.chance(0.3)) e.start(e.label());
    if (e.rng.chance(0.5)) e.branch(target);
  }

  private table(target: string): void {
    const { e } = this;
    const { rng } = e;
    const count = 1 + rng.below(3);
    const empties = Array.from({ length: count }, () => e.label());
    const other = rng.chance(0.4) ? e.label() : null;
    const goals = [...empties, target, ...(other === null ? [] : [other])];
    const entries = Array.from({ length: 2 + rng.below(4) }, () => rng.pick(goals));
    for (const empty of empties) if (!entries.includes(empty)) entries.push(empty);
    if (other !== null && !entries.includes(other)) entries.push(other);
    const index = e.fresh("int");
    e.emit(`LOP.AND ${index}, ${rng.chance(0.6) ? this.straight.laneWord() : this.straight.uniformWord()}, 7`);
    e.emit(`JMX ${index}, ${e.table(entries, rng.pick(goals))}`, rng.chance(0.25) ? this.host.test() : null);
    if (other !== null) {
      e.start(other);
      e.scoped(() => this.look());
      e.branch(rng.pick(empties));
    }
    for (const empty of empties) {
      e.start(empty);
      if (rng.chance(0.6)) e.branch(rng.chance(0.8) ? target : (empties.at(-1) as string) === empty ? target : (empties.at(-1) as string));
    }
  }

  /** Two to four conditions that leave to one block. */
  private conditions(target: string): void {
    const { e } = this;
    const { rng } = e;
    const count = 2 + rng.below(3);
    e.scoped(() => {
      const tests = Array.from({ length: count }, () => this.host.test());
      tests.forEach((p, i) => {
        if (i > 0) e.start(e.label());
        e.branch(target, p);
      });
      e.start(e.label());
      if (rng.chance(0.7)) this.host.tail(1 + rng.below(2));
    });
  }

  private equalArms(target: string): void {
    const { e } = this;
    const { rng } = e;
    const other = e.label();
    const third = rng.chance(0.3) ? e.label() : null;
    const p = this.host.test();
    const q = third === null ? "" : this.host.test();
    e.branch(other, p);
    e.start(e.label());
    if (third !== null) {
      e.branch(third, q);
      e.start(e.label());
    }
    const mark = e.lines.length;
    if (rng.chance(0.7)) this.host.tail(1 + rng.below(3));
    const region = this.open.at(-1);
    if (region !== undefined && rng.chance(0.3)) e.emit(`BSYNC ${region.barrier}`);
    if (rng.chance(0.3)) e.emit(`ACTIVEMASK ${e.pool.int[0] ?? "RZ"}`);
    const arm = e.lines.slice(mark).map((line) => line.text);
    e.branch(target);
    for (const label of [other, ...(third === null ? [] : [third])]) {
      e.start(label);
      if (rng.chance(0.2)) this.host.tail(1);
      for (const text of arm) e.lines.push({ text });
      if (label !== third && third !== null) e.branch(target);
    }
  }

  /** Copies, or one instruction, on one way. */
  private choice(target: string): void {
    const { e } = this;
    const { rng } = e;
    const r = rng.pick(e.pool.int);
    e.branch(target, this.host.test());
    e.start(e.label());
    e.emit(
      rng.chance(0.5) ? `MOV ${r}, ${rng.chance(0.5) ? String(rng.below(9)) : rng.pick(e.pool.int)}` : `IADD ${r}, ${r}, ${rng.below(9)}`,
    );
  }

  /** A region that only one way opens, and that the common block closes or not. */
  private oneWayRegion(target: string): void {
    const { e } = this;
    const { rng } = e;
    const barrier = this.barrier();
    e.emit(`BSSY ${barrier}, ${target}`);
    e.emit(`BSYNC ${barrier}`);
    e.branch(target, this.host.test());
    e.start(e.label());
    e.emit(`BSSY ${barrier}, ${target}`);
    e.scoped(() => {
      if (rng.chance(0.5)) this.overEmptyHere();
      this.look();
    });
    const roll = rng.below(3);
    if (roll === 0) e.emit(`BSYNC ${barrier}`);
    else if (roll === 1) {
      // The common block ends it: the next label is `target`.
      const close = e.label();
      e.start(close);
      e.emit(`BSYNC ${barrier}`);
    }
  }

  /** A region whose only branch is on who is there. `kept`: on what a vote before it found. */
  private votedRegion(join: string, kept: boolean): void {
    const { e } = this;
    const { rng } = e;
    const barrier = this.barrier();
    const p = e.fresh("pred");
    const inner = e.label();
    if (!kept && rng.chance(0.5)) this.votedApart();
    if (rng.chance(0.5)) this.straight.asked(p, kept);
    e.emit(`BSSY ${barrier}, ${join}`);
    if (!e.lines.at(-2)?.text.includes(p)) this.straight.asked(p, kept);
    e.branch(inner, rng.chance(0.5) ? p : `!${p}`);
    e.start(e.label());
    if (rng.chance(0.6)) this.host.tail(1);
    e.start(inner);
    e.scoped(() => this.straight.vote());
    e.start(join);
    e.emit(`BSYNC ${barrier}`);
    if (rng.chance(0.5)) this.look();
  }

  /** A vote that lanes take apart and whose result they have when they are together again. */
  private votedApart(): void {
    const { e } = this;
    const barrier = this.barrier();
    const [over, join] = [e.label(), e.label()];
    e.emit(`BSSY ${barrier}, ${join}`);
    e.branch(over, this.host.test());
    e.start(e.label());
    if (e.rng.chance(0.5)) this.host.tail(1);
    e.start(over);
    this.straight.keepVote();
    e.start(join);
    if (e.rng.chance(0.9)) e.emit(`BSYNC ${barrier}`);
  }

  /** Two regions, and the BSYNC of the outer one. */
  private closedByOuter(): void {
    const { e } = this;
    const { rng } = e;
    const [outer, inner] = rng.pick([
      ["B0", "B1"],
      ["B2", "B3"],
      ["B1", "B2"],
    ] as const);
    const join = e.label();
    e.emit(`BSSY ${outer}, ${join}`);
    e.emit(`BSSY ${inner}, ${join}`);
    if (rng.chance(0.5)) this.host.tail(1);
    e.start(join);
    e.emit(`BSYNC ${outer}`);
    if (rng.chance(0.3)) e.emit(`BSYNC ${inner}`);
    this.overEmptyHere();
  }

  private overEmptyHere(): void {
    const { e } = this;
    const join = e.label();
    e.branch(join, this.host.test());
    e.start(e.label());
    e.start(join);
  }

  /** Both ways close the region that is open, each for itself. */
  private syncs(target: string): void {
    const { e } = this;
    const { rng } = e;
    const region = this.open.at(-1);
    const other = e.label();
    e.branch(other, this.host.test());
    e.start(e.label());
    if (region !== undefined) e.emit(`BSYNC ${region.barrier}`);
    e.scoped(() => this.look());
    e.branch(target);
    e.start(other);
    if (region !== undefined && rng.chance(0.7)) e.emit(`BSYNC ${region.barrier}`);
    e.scoped(() => this.look());
  }
}
