/**
 * Two or more paths to one block: from tables and through empty blocks, by several branches, with equal blocks on both paths, with regions
 * that only one path opens or closes, with conditions on the active lanes.
 */

import { type LaneKit, writeGuardedOpen, writeNeverTaken, writeParted, writeRetaken, writeSharedEnd, writeTwins } from "./lane-shapes.ts";
import { often } from "./often.ts";

type Way = (kit: LaneKit, target: string) => void;

export const WAYS = often<Way>([
  [1, ended(branchedTwice)],
  [1, ended(overEmpty)],
  [1, ended(table)],
  [2, ended(conditions)],
  [1, ended(equalArms)],
  [1, ended(choice)],
  [1, ended(oneWayRegion)],
  [1, ended(syncs)],
  [1, (kit, target) => votedRegion(kit, target, false)],
  [1, ended(closedByOuter)],
  [4, varied(writeTwins)],
  [3, askedTogether],
  [1, varied(writeSharedEnd)],
  [1, varied(writeRetaken)],
  [1, openedThenVoted],
  [1, varied(writeNeverTaken)],
  [3, askedTogether],
  [2, varied(guardedTable)],
  [1, varied(guardedSync)],
  [2, varied(testedTwice)],
  [1, varied(writeNeverTaken)],
]);

/** The barrier of a region that nothing inside it closes, and that is not opened twice. */
const AROUND = "B8";

/** Starts the target, whose code depends on the active lanes. */
function ended(write: Way): Way {
  return (kit, target) => {
    write(kit, target);
    kit.e.start(target);
    kit.look();
  };
}

/** Writes a shape that shows nothing unless lanes take different paths. */
function varied(write: Way): Way {
  return (kit, target) => {
    const { e, warp } = kit;
    const around = warp.varying;
    if (e.rng.chance(0.8)) warp.varying = 0.85;
    write(kit, target);
    warp.varying = around;
  };
}

function openedThenVoted(kit: LaneKit, target: string): void {
  varied(() => writeGuardedOpen(kit, kit.e.label()))(kit, target);
  votedRegion(kit, target, true);
}

/** Values computed during divergence are tested after reconvergence: inside an open region lanes do not reconverge after the branch on them. */
function askedTogether(kit: LaneKit, target: string): void {
  const { e } = kit;
  const around = e.rng.chance(0.6) ? e.label() : null;
  if (around !== null) e.emit(`BSSY ${AROUND}, ${around}`);
  varied(writeParted)(kit, target);
  votedRegion(kit, target, true);
  if (around === null) return;
  kit.look();
  e.start(around);
  e.emit(`BSYNC ${AROUND}`);
}

function branchedTwice({ e, host }: LaneKit, target: string): void {
  e.branch(target, host.test());
  if (e.rng.chance(0.5)) e.branch(target);
}

function overEmpty({ e, host }: LaneKit, target: string): void {
  const empty = e.label();
  if (e.rng.chance(0.5)) {
    e.branch(target, host.test());
    e.start(empty);
    return;
  }
  e.branch(empty, host.test());
  e.branch(target);
  e.start(empty);
  if (e.rng.chance(0.3)) e.start(e.label());
  if (e.rng.chance(0.5)) e.branch(target);
}

function table({ e, host, warp, look }: LaneKit, target: string): void {
  const { rng } = e;
  const count = 1 + rng.below(3);
  const empties = Array.from({ length: count }, () => e.label());
  const other = rng.chance(0.4) ? e.label() : null;
  const goals = [...empties, target, ...(other === null ? [] : [other])];
  const entries = Array.from({ length: 2 + rng.below(4) }, () => rng.pick(goals));
  for (const empty of empties) if (!entries.includes(empty)) entries.push(empty);
  if (other !== null && !entries.includes(other)) entries.push(other);
  const index = e.fresh("int");
  e.emit(`LOP.AND ${index}, ${rng.chance(0.6) ? warp.laneWord() : warp.uniformWord()}, 7`);
  e.emit(`JMX ${index}, ${e.table(entries, rng.pick(goals))}`, rng.chance(0.25) ? host.test() : null);
  if (other !== null) {
    e.start(other);
    e.scoped(() => look());
    e.branch(rng.pick(empties));
  }
  for (const empty of empties) {
    e.start(empty);
    if (rng.chance(0.6)) e.branch(rng.chance(0.8) ? target : (empties.at(-1) as string) === empty ? target : (empties.at(-1) as string));
  }
}

/** Two to four conditions that branch to one block. */
function conditions({ e, host }: LaneKit, target: string): void {
  const { rng } = e;
  const count = 2 + rng.below(3);
  e.scoped(() => {
    const tests = Array.from({ length: count }, () => host.test());
    tests.forEach((p, i) => {
      if (i > 0) e.start(e.label());
      e.branch(target, p);
    });
    e.start(e.label());
    if (rng.chance(0.7)) host.tail(1 + rng.below(2));
  });
}

function equalArms(kit: LaneKit, target: string): void {
  const { e, host } = kit;
  const { rng } = e;
  const other = e.label();
  const third = rng.chance(0.3) ? e.label() : null;
  const p = host.test();
  const q = third === null ? "" : host.test();
  e.branch(other, p);
  e.start(e.label());
  if (third !== null) {
    e.branch(third, q);
    e.start(e.label());
  }
  const mark = e.lines.length;
  if (rng.chance(0.7)) host.tail(1 + rng.below(3));
  const open = kit.innermost();
  if (open !== null && rng.chance(0.3)) e.emit(`BSYNC ${open}`);
  if (rng.chance(0.3)) e.emit(`ACTIVEMASK ${e.pool.int[0] ?? "RZ"}`);
  const arm = e.lines.slice(mark).map((line) => line.text);
  e.branch(target);
  for (const label of [other, ...(third === null ? [] : [third])]) {
    e.start(label);
    if (rng.chance(0.2)) host.tail(1);
    for (const text of arm) e.lines.push({ text });
    if (label !== third && third !== null) e.branch(target);
  }
}

/** A copy, or one other instruction, on one path. */
function choice({ e, host }: LaneKit, target: string): void {
  const { rng } = e;
  const r = rng.pick(e.pool.int);
  e.branch(target, host.test());
  e.start(e.label());
  e.emit(
    rng.chance(0.5) ? `MOV ${r}, ${rng.chance(0.5) ? String(rng.below(9)) : rng.pick(e.pool.int)}` : `IADD ${r}, ${r}, ${rng.below(9)}`,
  );
}

/** A region that only one path opens, and then closes or leaves open. */
function oneWayRegion(kit: LaneKit, target: string): void {
  const { e, host, look } = kit;
  const { rng } = e;
  const barrier = kit.barrier();
  e.emit(`BSSY ${barrier}, ${target}`);
  e.emit(`BSYNC ${barrier}`);
  e.branch(target, host.test());
  e.start(e.label());
  e.emit(`BSSY ${barrier}, ${target}`);
  e.scoped(() => {
    if (rng.chance(0.5)) overEmptyHere(kit);
    look();
  });
  const roll = rng.below(3);
  if (roll === 0) e.emit(`BSYNC ${barrier}`);
  else if (roll === 1) {
    // A separate block closes it: the next label is `target`.
    const close = e.label();
    e.start(close);
    e.emit(`BSYNC ${barrier}`);
  }
}

/** A region whose only branch depends on the active lanes. `kept`: on the result of an earlier vote. */
function votedRegion(kit: LaneKit, join: string, kept: boolean): void {
  const { e, host, warp, look } = kit;
  const { rng } = e;
  const barrier = kit.barrier();
  const p = e.fresh("pred");
  const inner = e.label();
  if (!kept && rng.chance(0.5)) votedApart(kit);
  if (rng.chance(0.5)) warp.asked(p, kept);
  e.emit(`BSSY ${barrier}, ${join}`);
  if (!e.lines.at(-2)?.text.includes(p)) warp.asked(p, kept);
  e.branch(inner, rng.chance(0.5) ? p : `!${p}`);
  e.start(e.label());
  if (rng.chance(0.6)) host.tail(1);
  e.start(inner);
  e.scoped(() => warp.vote());
  e.start(join);
  e.emit(`BSYNC ${barrier}`);
  if (rng.chance(0.5)) look();
}

/** A vote that diverged lanes take, and whose result they still have after they reconverge. */
function votedApart(kit: LaneKit): void {
  const { e, host, warp } = kit;
  const barrier = kit.barrier();
  const [over, join] = [e.label(), e.label()];
  e.emit(`BSSY ${barrier}, ${join}`);
  e.branch(over, host.test());
  e.start(e.label());
  if (e.rng.chance(0.5)) host.tail(1);
  e.start(over);
  warp.keepVote();
  e.start(join);
  if (e.rng.chance(0.9)) e.emit(`BSYNC ${barrier}`);
}

/** Two regions with one end, and the BSYNC of the outer one. */
function closedByOuter(kit: LaneKit): void {
  const { e, host } = kit;
  const { rng } = e;
  const [outer, inner] = rng.pick([
    ["B0", "B1"],
    ["B2", "B3"],
    ["B1", "B2"],
  ] as const);
  const join = e.label();
  e.emit(`BSSY ${outer}, ${join}`);
  e.emit(`BSSY ${inner}, ${join}`);
  if (rng.chance(0.5)) host.tail(1);
  e.start(join);
  e.emit(`BSYNC ${outer}`);
  if (rng.chance(0.3)) e.emit(`BSYNC ${inner}`);
  overEmptyHere(kit);
}

function overEmptyHere({ e, host }: LaneKit): void {
  const join = e.label();
  e.branch(join, host.test());
  e.start(e.label());
  e.start(join);
}

/** Both paths close the open region, each by its own BSYNC. */
function syncs(kit: LaneKit, target: string): void {
  const { e, host, look } = kit;
  const { rng } = e;
  const open = kit.innermost();
  const other = e.label();
  e.branch(other, host.test());
  e.start(e.label());
  if (open !== null) e.emit(`BSYNC ${open}`);
  e.scoped(() => look());
  e.branch(target);
  e.start(other);
  if (open !== null && rng.chance(0.7)) e.emit(`BSYNC ${open}`);
  e.scoped(() => look());
}

/** Lanes reach an empty block by the table and by falling through: together, unless a phase redirects one of the two edges to the block's target. */
function guardedTable(kit: LaneKit, target: string): void {
  const { e, warp, host, look } = kit;
  const { rng } = e;
  const own = rng.chance(0.6) ? (kit.barriers(1)[0] ?? null) : null;
  const [empty, second] = [e.label(), e.label()];
  const end = own === null ? target : e.label();
  if (own !== null) e.emit(`BSSY ${own}, ${end}`);
  const goals = [empty, rng.chance(0.5) ? second : empty, ...(own === null ? [] : [target])];
  const entries = [empty, ...Array.from({ length: 1 + rng.below(3) }, () => rng.pick(goals))];
  const index = rng.chance(0.6) ? "RZ" : rng.chance(0.5) ? warp.uniformWord() : warp.laneWord();
  e.emit(`JMX ${index}, ${e.table(entries, rng.pick(goals))}`, host.test());
  e.start(empty);
  e.start(second);
  if (own !== null) e.start(target);
  if (own !== null || rng.chance(0.5)) warp.vote();
  e.start(end);
  if (own !== null) e.emit(`BSYNC ${own}`);
  look();
}

/** Lanes that skip a BSYNC because of a guard continue without those that wait there. */
function guardedSync(kit: LaneKit, target: string): void {
  const { e, warp, host, look } = kit;
  const { rng } = e;
  const [barrier = ""] = kit.barriers(1);
  e.emit(`BSSY ${barrier}, ${target}`);
  if (rng.chance(0.5)) host.tail(1);
  e.start(target);
  e.emit(`BSYNC ${barrier}`, host.test());
  warp.vote();
  if (rng.chance(0.3)) e.emit(`BSYNC ${barrier}`);
  look();
}

/** A uniform condition is tested again where its value is known: the edge that no lane takes there keeps earlier divergence open. */
function testedTwice(kit: LaneKit, target: string): void {
  const { e, warp, host, look } = kit;
  const { rng } = e;
  const around = warp.varying;
  warp.varying = 0;
  const same = host.test();
  warp.varying = around;
  const [asked, first, second] = [e.label(), e.label(), e.label()];
  e.branch(asked, host.test());
  e.start(e.label());
  for (const goal of [first, second]) {
    if (rng.chance(0.8)) host.tail(1);
    e.branch(goal, same);
    e.start(e.label());
  }
  e.start(asked);
  e.scoped(() => warp.vote());
  e.branch(target);
  e.start(first);
  host.tail(1);
  e.branch(rng.chance(0.8) ? asked : target);
  e.start(second);
  host.tail(1);
  e.start(target);
  look();
}
