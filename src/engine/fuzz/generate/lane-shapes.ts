/**
 * Shapes that random code seldom contains and that a phase must handle: equal code on diverging paths, regions left by some lanes, opened again,
 * shared, or opened by some lanes only, paths that no lane takes. Most shapes of `writeParted` differ from harmless ones only by the rules of reconvergence.
 */

import type { Emitter } from "./emitter.ts";
import type { Structured } from "./structured.ts";
import type { Warp } from "./warp.ts";

/** What the writer of lanes provides. */
export interface LaneKit {
  readonly e: Emitter;
  readonly warp: Warp;
  readonly host: Structured;
  /** Writes an instruction that depends on the active lanes, most of the time. */
  readonly look: () => void;
  /** A barrier to open a region with. */
  readonly barrier: () => string;
  /** Distinct barriers. */
  readonly barriers: (count: number) => readonly string[];
  /** The barrier of the innermost region that is open. */
  readonly innermost: () => string | null;
}

/**
 * Two or three arms, one path each, that end in the same code. That code may close a region, so that lanes run separately from there, or
 * make the lanes diverge once more. The code after it depends on the active lanes.
 */
export function writeTwins(kit: LaneKit, target: string): void {
  const { e, warp, host, look } = kit;
  const { rng } = e;
  // Inside a region, lanes do not reconverge at the block to which both edges of a condition lead.
  const forks = rng.chance(kit.innermost() === null ? 0.5 : 0.1);
  const own = rng.chance(forks ? 0.15 : 0.6) ? kit.barrier() : null;
  const closes = rng.chance(forks ? 0.15 : 0.9) ? (own ?? kit.innermost()) : null;
  const fork = forks ? host.test() : null;
  if (own !== null) e.emit(`BSSY ${own}, ${target}`);
  const arms = Array.from({ length: rng.chance(0.8) ? 2 : 3 }, () => e.label());
  e.branch(arms[1] ?? target, host.test());
  for (const arm of arms.slice(2)) {
    e.start(e.label());
    // Earlier arms are reached without this test.
    e.scoped(() => e.branch(arm, host.test()));
  }
  const end = equalEnd(kit, closes);
  const goal = fork === null ? target : e.label();
  arms.forEach((arm, i) => {
    e.start(i === 0 ? e.label() : arm);
    // What differs is in its own block, or before the common end in the same block.
    const apart = rng.chance(0.7);
    if (rng.chance(0.8)) host.tail(1 + rng.below(2));
    else if (apart) e.emit(`MOV ${rng.pick(e.pool.int)}, ${i}`);
    if (apart) e.start(e.label());
    for (const text of end) e.lines.push({ text });
    if (fork !== null) e.branch(goal, fork);
    e.branch(target);
  });
  if (fork !== null) {
    e.start(goal);
    e.scoped(() => warp.vote());
  }
  e.start(target);
  if (own !== null && (closes === null || rng.chance(0.3))) e.emit(`BSYNC ${own}`);
  look();
}

/** Instructions on registers of the pool, with the end of a region somewhere among them. */
function equalEnd({ e, host }: LaneKit, closes: string | null): readonly string[] {
  const { rng } = e;
  const mark = e.lines.length;
  host.tail(2 + rng.below(3));
  const end = e.lines.splice(mark).map((line) => line.text);
  if (closes !== null) end.splice(rng.below(end.length + 1), 0, `    BSYNC ${closes}`);
  if (rng.chance(0.2)) end.splice(rng.below(end.length + 1), 0, `    VOTE.BALLOT ${rng.pick(e.pool.int)}, PT`);
  return end;
}

/**
 * Lanes vote while diverged inside an outer region, and the caller uses the result once that region has made them reconverge. They diverge
 * at the end of an inner region, which some of them leave in a different way.
 */
export function writeParted(kit: LaneKit): void {
  const { e, warp } = kit;
  const { rng } = e;
  const [outer = "", middle = "", inner = "", unsure = ""] = kit.barriers(4);
  const done = e.label();
  e.emit(`BSSY ${outer}, ${done}`);
  // From here on it is unknown which regions are open.
  if (rng.chance(0.4)) e.emit(`BSSY ${unsure}, ${done}`, kit.host.test());
  if (rng.chance(0.6)) {
    rounds(kit, middle, inner, done);
  } else {
    leftOtherwise(kit, outer, inner, middle, done);
    warp.keepVote();
  }
  e.start(done);
  e.emit(`BSYNC ${outer}`);
}

/** Each round opens the regions again; lanes leave by the end of the inner one, in different rounds, and vote. */
function rounds({ e, warp, host }: LaneKit, middle: string, inner: string, done: string): void {
  const { rng } = e;
  const [head, join, back] = [e.label(), e.label(), e.label()];
  const [round, bound, p] = [e.fresh("int"), e.fresh("int"), e.fresh("pred")];
  const nested = rng.chance(0.4);
  e.emit(`LOP.AND ${bound}, ${warp.laneWord()}, ${rng.pick([1, 3])}`);
  e.emit(`MOV ${round}, 0`);
  e.start(head);
  e.emit(`IADD ${round}, ${round}, 1`);
  if (nested) e.emit(`BSSY ${middle}, ${join}`);
  e.emit(`BSSY ${inner}, ${join}`);
  e.emit(`ISETP.LE ${p}, ${round}, ${bound}`);
  if (rng.chance(0.5)) host.tail(1);
  const again = (): void => {
    e.start(back);
    const leave = rng.pick(["", `BSYNC ${inner}`, `BSYNC ${nested ? middle : inner}`, `BREAK ${inner}`]);
    if (leave !== "") e.emit(leave);
    e.branch(head);
  };
  const first = rng.chance(0.5);
  e.branch(first ? join : back, first ? `!${p}` : p);
  if (first) again();
  e.start(join);
  e.emit(`BSYNC ${inner}`);
  warp.keepVote();
  if (first) return;
  e.branch(done);
  again();
}

function leftOtherwise(kit: LaneKit, outer: string, inner: string, other: string, done: string): void {
  const { e, host } = kit;
  const { rng } = e;
  const [join, over] = [e.label(), e.label()];
  e.emit(`BSSY ${inner}, ${join}`);
  const p = host.test();
  switch (rng.below(5)) {
    case 0:
      e.emit(`BREAK ${inner}`, p);
      break;
    case 1:
      e.emit(`BSYNC ${inner}`, p);
      break;
    case 2:
      e.emit(`BSSY ${other}, ${join}`, p);
      break;
    case 3:
      e.branch(done, p);
      e.start(e.label());
      break;
    default:
      e.branch(over, p);
      e.start(e.label());
      if (rng.chance(0.4)) host.tail(1);
      e.emit(rng.pick([`BREAK ${inner}`, `BSYNC ${inner}`, `BSYNC ${outer}`, `BSSY ${inner}, ${join}`]));
      e.start(over);
  }
  e.start(join);
  e.emit(`BSYNC ${inner}`);
}

/** Two regions with the same barrier and the same end: each path opens one. */
export function writeSharedEnd(kit: LaneKit, target: string): void {
  const { e, host } = kit;
  const { rng } = e;
  const barrier = kit.barrier();
  const other = e.label();
  const parts = rng.below(2);
  e.branch(other, host.test());
  for (const i of [0, 1]) {
    e.start(i === 0 ? e.label() : other);
    e.emit(`BSSY ${barrier}, ${target}`);
    // What one path tests is not defined on the other.
    if (i === parts || rng.chance(0.3)) e.scoped(() => skipped(kit));
    if (i === 0) e.branch(target);
  }
  e.start(target);
  e.emit(`BSYNC ${barrier}`);
  kit.look();
}

/** A second region of a barrier whose region is open: some lanes leave the first for the second, and are in none after it. */
export function writeRetaken(kit: LaneKit, target: string): void {
  const { e, host } = kit;
  const { rng } = e;
  const barrier = kit.barrier();
  const [other, end] = [e.label(), e.label()];
  e.emit(`BSSY ${barrier}, ${target}`);
  e.branch(other, host.test());
  e.start(e.label());
  e.emit(`BSSY ${barrier}, ${end}`);
  if (rng.chance(0.3)) host.tail(1);
  e.start(end);
  e.emit(`BSYNC ${barrier}`);
  e.scoped(() => {
    skipped(kit);
    kit.look();
  });
  e.branch(target);
  e.start(other);
  if (rng.chance(0.5)) e.emit(`BSYNC ${barrier}`);
  e.start(target);
  kit.look();
}

/** Some lanes open a region, the others none: they diverge again where it may be open, and vote. */
export function writeGuardedOpen(kit: LaneKit, target: string): void {
  const { e, host, warp } = kit;
  const { rng } = e;
  const barrier = kit.barrier();
  e.emit(`BSSY ${barrier}, ${target}`, host.test());
  if (rng.chance(0.3)) host.tail(1);
  if (rng.chance(0.7)) e.start(e.label());
  if (rng.chance(0.5)) warp.vote();
  if (rng.chance(0.7)) skipped(kit);
  warp.keepVote();
  e.start(target);
  e.emit(`BSYNC ${barrier}`);
}

/** An edge out of a branch's arms that no lane takes: it delays reconvergence to its target. */
export function writeNeverTaken(kit: LaneKit, target: string): void {
  const { e, host, warp } = kit;
  const { rng } = e;
  const join = e.label();
  let never = "!PT";
  if (rng.chance(0.3)) {
    never = e.fresh("pred");
    e.emit(`ISETP.EQ ${never}, RZ, 1`);
  }
  e.branch(join, host.test());
  e.start(e.label());
  if (rng.chance(0.5)) host.tail(1);
  e.branch(target, never);
  if (rng.chance(0.3)) {
    e.start(e.label());
    host.tail(1);
  }
  e.start(join);
  warp.vote();
  e.start(target);
  kit.look();
}

/** A branch over an empty block, or over a short one. */
function skipped({ e, host }: LaneKit): void {
  const join = e.label();
  e.branch(join, host.test());
  e.start(e.label());
  if (e.rng.chance(0.5)) host.tail(1);
  e.start(join);
}
