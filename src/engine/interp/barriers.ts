/** Barriers of the block, when no warp can run: those whose threads are all there, or whose phase is over, let their lanes go. */

import { popcount } from "../../base/bitset.ts";
import type { BlockReduction, CodeBlock, Step } from "./code.ts";
import { lanesOf, setPredicate } from "./lanes.ts";
import type { Machine } from "./machine.ts";
import { putMark } from "./marks.ts";
import type { Path, Warp } from "./simt.ts";

/** Threads that wait at a barrier which the others never reach. */
export interface Deadlock {
  readonly message: string;
  readonly warp: Warp;
  readonly path: Path;
  readonly step: Step | null;
}

/** `released`: lanes can run again. `over`: no lane waits. `standIn`: what a vote of the block counted; 0: no stand-in. */
export function releaseBarriers(warps: readonly Warp[], machine: Machine, standIn: number): "released" | "over" | Deadlock {
  const all = warps.flatMap((warp) => warp.suspended.map((entry) => ({ warp, ...entry })));
  if (all.length === 0) return "over";
  const waiting = all.filter(({ phase }) => phase === null);
  const live = warps.reduce((n, warp) => n + popcount(warp.live), 0);
  const arrived = new Map<number, number>();
  const ayes = new Map<number, number>();
  for (const { barrier, path, votes } of waiting) {
    arrived.set(barrier, (arrived.get(barrier) ?? 0) + popcount(path.mask));
    ayes.set(barrier, (ayes.get(barrier) ?? 0) + popcount(votes));
  }
  let released = false;
  for (const warp of warps) {
    const free = warp.suspended.filter(({ barrier, count, phase, path, votes }) =>
      phase === null
        ? (arrived.get(barrier) ?? 0) >= (count === 0 ? live : Math.min(count, live))
        : isNowOver(phase, warp, path, votes, machine),
    );
    if (free.length === 0) continue;
    released = true;
    for (const { reduce, path, barrier } of free)
      if (reduce !== null) tell(reduce, path, ayes.get(barrier) ?? 0, arrived.get(barrier) ?? 0, standIn);
    warp.suspended = warp.suspended.filter((entry) => !free.includes(entry));
    warp.schedule(free.map((entry) => entry.path));
  }
  if (released) return "released";
  // No other lane can continue: those that wait for a phase do, with the answer that it is not over.
  for (const warp of warps) {
    const asking = warp.suspended.filter(({ phase }) => phase !== null);
    warp.suspended = warp.suspended.filter(({ phase }) => phase === null);
    warp.schedule(asking.map(({ path }) => path));
  }
  const [first] = waiting;
  if (first === undefined || waiting.length < all.length) return "released";
  const { warp, path, barrier } = first;
  const step = (path.act.code.blocks[path.block] as CodeBlock).steps[path.at - 1] ?? null;
  return { message: `BAR.SYNC ${barrier} was reached by ${arrived.get(barrier)} of ${live} live threads`, warp, path, step };
}

function isNowOver(step: Step, warp: Warp, path: Path, mask: number, machine: Machine): boolean {
  machine.warp = warp.index;
  (step.run as NonNullable<Step["run"]>)(path.act, mask, machine);
  return isOver(step, path, mask);
}

/** True when the phase is over for all lanes that test it. */
export function isOver(step: Step, path: Path, mask: number): boolean {
  return (mask & ~(path.act.p[step.pred] as number)) === 0;
}

/** Writes what the threads at a barrier say together: how many of their predicates hold, whether all or any do. */
function tell({ kind, at, predicate, mark }: BlockReduction, path: Path, ayes: number, all: number, standIn: number): void {
  const value = kind === "POPC" ? ayes : kind === "AND" ? Number(ayes === all) : Math.min(ayes, 1);
  const { r, p, marks } = path.act;
  if (mark >= 0) putMark(marks, mark, path.mask, { lanes: standIn === 0 ? 0 : path.mask, why: standIn });
  if (predicate) setPredicate(p, at, path.mask, value === 0 ? 0 : -1);
  else for (const l of lanesOf(path.mask)) r[at + l] = value;
}
