/**
 * One warp: its paths, the stack of rejoin points above each path, and how lanes diverge and reconverge.
 *
 * A path is a set of lanes at one place. At a branch whose lanes disagree it splits; the parts rejoin at the BSYNC of the enclosing open BSSY region of the same
 * activation, or else at the branch's immediate post-dominator. Every lane is in exactly one place: on a runnable path, waiting at a rejoin point, or
 * suspended at a BAR. A rejoin point releases its lanes when all of its members that are still there have arrived, so lanes that exit or break out delay
 * no others. Of the parts of a split, the one with the lowest lane runs first: that order does not depend on how the branch was written.
 */

import { plural } from "../../base/plural.ts";
import type { Reg } from "../ir/ids.ts";
import type { BlockReduction, CallSite, Code, CodeBlock, Place, Step } from "./code.ts";
import { lanesOf, lowestLane, setPredicate } from "./lanes.ts";
import type { Frame, Machine } from "./machine.ts";
import { markAt, putMark } from "./marks.ts";

/** One call of a function by the lanes of one path. */
export interface Activation extends Frame {
  readonly code: Code;
  readonly depth: number;
}

const REGION = 0;
const JOIN = 1;
const CALL = 2;

/** A rejoin point, or the call that lanes return from. */
interface Rejoin {
  readonly kind: typeof REGION | typeof JOIN | typeof CALL;
  readonly parent: Rejoin | null;
  /** Number of regions and joins from here outwards. */
  readonly depth: number;
  readonly act: Activation;
  /** REGION: the convergence barrier. */
  readonly barrier: Reg | -1;
  /** JOIN: the block. CALL: the block to go on in. */
  readonly block: number;
  /** CALL: the step to go on at. */
  readonly at: number;
  readonly site: CallSite | null;
  members: number;
  waiting: number;
  /** REGION: where the waiting lanes go on. */
  readonly arrivals: { readonly block: number; readonly at: number; readonly mask: number }[];
}

/** Lanes at one place; `at` is a step's index. */
export interface Path {
  readonly act: Activation;
  block: number;
  at: number;
  mask: number;
  rejoin: Rejoin | null;
}

export interface Suspended {
  readonly path: Path;
  readonly barrier: number;
  /** Threads to wait for; 0: all that live. */
  readonly count: number;
  /** The lanes whose predicate holds, where the barrier combines them. */
  readonly votes: number;
  readonly reduce: BlockReduction | null;
  /** The instruction whose answer the lanes wait for, run again for those of `votes`; null at a barrier of the block. */
  readonly phase: Step | null;
}

export class Warp {
  readonly index: number;
  readonly root: Activation;
  /** Runnable paths; the last one runs next. */
  readonly paths: Path[] = [];
  suspended: Suspended[] = [];
  live: number;
  /** Lanes that ended by RET of the function that was started. */
  returned = 0;
  maxDepth = 0;
  private readonly machine: Machine;
  private readonly highestFirst: boolean;

  constructor(index: number, root: Activation, lanes: number, machine: Machine, highestFirst: boolean) {
    this.index = index;
    this.root = root;
    this.live = lanes;
    this.machine = machine;
    this.highestFirst = highestFirst;
    this.paths.push({ act: root, block: root.code.entry, at: 0, mask: lanes, rejoin: null });
  }

  /** Moves a path along an edge: PHI copies, then the rejoin point if there is one. False when the lanes now wait. */
  enter(path: Path, to: number): boolean {
    const block = path.act.code.blocks[to] as CodeBlock;
    block.followEdges?.get(path.block)?.(path.act, path.mask);
    if (block.edges !== null) {
      const copies = block.edges.get(path.block);
      if (copies === undefined) this.machine.trap(`PHI in ${block.label} has no input for the edge taken`, lowestLane(path.mask));
      else copies(path.act, path.mask, this.machine);
    }
    path.block = to;
    path.at = 0;
    return block.rejoins ? this.arrive(path) : true;
  }

  /** Splits off the lanes of `mask`: the returned path stays where `path` is; both rejoin as the model says. */
  split(path: Path, mask: number): Path {
    const rejoin = this.rejoinOf(path);
    path.mask &= ~mask;
    path.rejoin = rejoin;
    return { act: path.act, block: path.block, at: path.at, mask, rejoin };
  }

  /** Makes paths runnable so that the one with the lowest lane runs first (or last, for the other schedule). */
  schedule(paths: readonly Path[]): void {
    const last = this.highestFirst ? -1 : 1;
    const order = paths.length < 2 ? paths : paths.toSorted((a, b) => last * (lowestLane(b.mask) - lowestLane(a.mask)));
    for (const path of order) this.paths.push(path);
  }

  private rejoinOf(path: Path): Rejoin | null {
    const { act, mask } = path;
    const top = innermost(path);
    if (top !== null && top.kind === REGION) return top;
    const block = (act.code.blocks[path.block] as CodeBlock).ipdom;
    if (block < 0 || (top !== null && top.kind === JOIN && top.block === block)) return top;
    return this.push(JOIN, top, act, mask, -1, block, 0, null);
  }

  private push(
    kind: Rejoin["kind"],
    parent: Rejoin | null,
    act: Activation,
    members: number,
    barrier: Reg | -1,
    block: number,
    at: number,
    site: CallSite | null,
  ): Rejoin {
    const depth = (parent?.depth ?? 0) + (kind === CALL ? 0 : 1);
    if (depth > this.maxDepth) this.maxDepth = depth;
    return { kind, parent, depth, act, barrier, block, at, site, members, waiting: 0, arrivals: [] };
  }

  /** Lets the path wait if its block is a rejoin point of it. False when it waits. */
  private arrive(path: Path): boolean {
    for (;;) {
      let point = path.rejoin;
      while (point !== null && point.kind !== CALL && !(point.kind === JOIN && point.block === path.block)) point = point.parent;
      if (point === null || point.kind === CALL) return true;
      this.leave(path.rejoin, point, path.mask);
      point.waiting |= path.mask;
      if (point.waiting !== point.members) return false;
      path.mask = point.waiting;
      path.rejoin = point.parent;
      point.members = 0;
    }
  }

  /** The nearest point, outside a region, at which lanes wait for those of a path; null where none do. */
  waitingFor(path: Path): { readonly block: string; readonly lanes: number } | null {
    const point = this.joinWithWaiting(path);
    if (point === null) return null;
    return { block: (point.act.code.blocks[point.block] as CodeBlock).label, lanes: point.waiting };
  }

  /** Lets a path wait for all others that can run, and those lanes go on that wait for it. False when there are none. */
  makeRoom(path: Path): boolean {
    const point = this.joinWithWaiting(path);
    if (point === null && this.paths.length === 0) return false;
    this.paths.unshift(path);
    if (point === null) return true;
    const { act, block, waiting, parent } = point;
    point.members &= ~waiting;
    point.waiting = 0;
    const released: Path = { act, block, at: 0, mask: waiting, rejoin: parent };
    if (this.arrive(released)) this.paths.push(released);
    return true;
  }

  private joinWithWaiting(path: Path): Rejoin | null {
    let point = path.rejoin;
    while (point !== null && point.kind === JOIN && point.waiting === 0) point = point.parent;
    return point?.kind === JOIN ? point : null;
  }

  /** Takes lanes out of the rejoin points from `from` outwards, up to but without `to`. */
  private leave(from: Rejoin | null, to: Rejoin | null, mask: number): void {
    for (let point = from; point !== null && point !== to; point = point.parent) {
      point.members &= ~mask;
      this.settle(point);
    }
  }

  /** Releases the waiting lanes once all members have arrived. */
  private settle(point: Rejoin): void {
    if (point.members === 0 || point.waiting !== point.members) return;
    point.members = 0;
    const { act, parent } = point;
    if (point.kind === REGION) {
      // Several BSYNCs of one region: each lane continues after its own.
      const groups = new Map<string, Path>();
      for (const { block, at, mask } of point.arrivals) {
        const lanes = mask & point.waiting;
        const key = `${block}/${at}`;
        const path = groups.get(key);
        if (path !== undefined) path.mask |= lanes;
        else groups.set(key, { act, block, at, mask: lanes, rejoin: parent });
      }
      this.schedule([...groups.values()]);
      return;
    }
    const path = { act, block: point.block, at: point.at, mask: point.waiting, rejoin: parent };
    if (point.kind === CALL || this.arrive(path)) this.paths.push(path);
  }

  /** Ends lanes of a path. */
  exit(path: Path, lanes: number): void {
    this.live &= ~lanes;
    path.mask &= ~lanes;
    this.leave(path.rejoin, null, lanes);
  }

  /** BSSY: opens a region. A region of the same barrier that is still open is left first, as the register is overwritten. */
  open(path: Path, barrier: Reg): void {
    const old = this.regionOf(path, barrier);
    if (old !== null) {
      this.leave(path.rejoin, old.parent, path.mask);
      path.rejoin = old.parent;
    }
    path.rejoin = this.push(REGION, innermost(path), path.act, path.mask, barrier, -1, 0, null);
  }

  /** BSYNC: the lanes of the region wait, at the step after it; the others stay on the path. */
  sync(path: Path, barrier: Reg, lanes: number): void {
    const region = this.regionOf(path, barrier);
    const mask = region === null ? 0 : lanes & region.members;
    if (region === null || mask === 0) return;
    path.mask &= ~mask;
    this.leave(path.rejoin, region, mask);
    region.arrivals.push({ block: path.block, at: path.at + 1, mask });
    region.waiting |= mask;
    this.settle(region);
  }

  /** BREAK: the lanes leave the region and go on. */
  breakOut(path: Path, barrier: Reg, lanes: number): void {
    const region = this.regionOf(path, barrier);
    if (region === null) return;
    region.members &= ~lanes;
    this.settle(region);
    if (path.rejoin === region && (region.members & path.mask) === 0) path.rejoin = region.parent;
  }

  /** The region of the barrier that lanes of the path are in: not one that all of them broke out of. */
  private regionOf(path: Path, barrier: Reg): Rejoin | null {
    for (let point = path.rejoin; point !== null && point.kind !== CALL; point = point.parent) {
      if (point.kind === REGION && point.barrier === barrier && (point.members & path.mask) !== 0) return point;
    }
    return null;
  }

  /** Starts a call by `mask`, of one function or of several, each by its own lanes; the path's other lanes wait after it. */
  call(path: Path, site: CallSite, mask: number, called: readonly { readonly act: Activation; readonly lanes: number }[]): readonly Path[] {
    const point = this.push(CALL, path.rejoin, path.act, path.mask, -1, path.block, path.at + 1, site);
    point.waiting = path.mask & ~mask;
    return called.map(({ act, lanes }) => ({ act, block: act.code.entry, at: 0, mask: lanes, rejoin: point }));
  }

  /** RET: gives results back and waits for the other lanes of the call. A message when the call does not fit the function. */
  ret(path: Path, lanes: number): string | null {
    let point = path.rejoin;
    while (point !== null && point.kind !== CALL) point = point.parent;
    if (point === null) {
      this.returned |= lanes;
      this.exit(path, lanes);
      return null;
    }
    const results = point.site?.results ?? [];
    const values = path.act.code.returns;
    if (results.length !== values.length)
      return `the call takes ${plural(results.length, "result")}, the function returns ${values.length}`;
    for (let i = 0; i < values.length; i++) {
      const message = transfer(path.act, values[i] as (typeof values)[number], point.act, results[i] as (typeof results)[number], lanes);
      if (message !== null) return message;
    }
    path.mask &= ~lanes;
    this.leave(path.rejoin, point, lanes);
    point.waiting |= lanes;
    this.settle(point);
    return null;
  }
}

/** The innermost rejoin point that lanes of the path are at: they no longer rejoin in a region that they broke out of. */
function innermost({ rejoin, mask }: Path): Rejoin | null {
  let point = rejoin;
  while (point !== null && point.kind === REGION && (point.members & mask) === 0) point = point.parent;
  return point;
}

/** Copies a register's value between activations; a message when the classes differ. */
export function transfer(from: Frame, source: Omit<Place, "reg">, to: Frame, target: Omit<Place, "reg">, lanes: number): string | null {
  if (source.predicate !== target.predicate) return "a predicate and a register are exchanged in the call";
  if (target.mark >= 0) putMark(to.marks, target.mark, lanes, markAt(from.marks, source.mark, lanes));
  if (source.predicate) {
    setPredicate(to.p, target.at, lanes, from.p[source.at] as number);
    return null;
  }
  for (const l of lanesOf(lanes)) {
    to.r[target.at + l] = from.r[source.at + l] as number;
    if (target.wide) to.r[target.at + 32 + l] = source.wide ? (from.r[source.at + 32 + l] as number) : 0;
  }
  return null;
}
