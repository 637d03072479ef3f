/** The futures of a program: a tree whose root is the run without interventions, each fork a list of what is done otherwise. Pure. */

import { conditionName } from "../../../app/names/conditions.ts";
import { addressedName } from "../../../app/names/phases.ts";
import type { Intervention, PhaseRun } from "../../../engine/api/types.ts";

/** A fork. The root has no entry; its number is 0. */
export interface Future {
  readonly id: number;
  readonly parent: number;
  /** The user's name for it; null: it is named after what it does. */
  readonly name: string | null;
  /** Stays when the others are cleared away. */
  readonly pinned: boolean;
  /** All of them, those of the parent first. */
  readonly interventions: readonly Intervention[];
}

export interface FutureTree {
  /** A parent comes before its children. */
  readonly list: readonly Future[];
  /** The one that is shown; 0: the root. */
  readonly open: number;
}

export const ROOT = 0;
export const ONE_FUTURE: FutureTree = { list: [], open: ROOT };

/** More are refused. */
export const MAX_FUTURES = 50;
export const MAX_NAME = 120;

const NOTHING: readonly Intervention[] = [];

export const futureOf = (tree: FutureTree, id: number): Future | null => tree.list.find((f) => f.id === id) ?? null;

export const interventionsOf = (tree: FutureTree, id: number = tree.open): readonly Intervention[] =>
  futureOf(tree, id)?.interventions ?? NOTHING;

/** The tree for a program that comes with interventions and no tree: the root, and one fork that is open. */
export function treeOf(interventions: readonly Intervention[]): FutureTree {
  return interventions.length === 0 ? ONE_FUTURE : fork(ONE_FUTURE, interventions);
}

/** A child of the open future that is open from now on. The same one twice is one; null where there are too many. */
export function forked(tree: FutureTree, own: readonly Intervention[]): FutureTree | null {
  const all = joined(interventionsOf(tree), own);
  const key = keyOf(all);
  const known = all.length === 0 ? ROOT : tree.list.find((f) => keyOf(f.interventions) === key)?.id;
  if (known !== undefined) return opened(tree, known);
  if (tree.list.length >= MAX_FUTURES) return null;
  const id = 1 + Math.max(0, ...tree.list.map((f) => f.id));
  return { list: [...tree.list, { id, parent: tree.open, name: null, pinned: false, interventions: all }], open: id };
}

const fork = (tree: FutureTree, own: readonly Intervention[]): FutureTree => forked(tree, own) ?? tree;

export function opened(tree: FutureTree, id: number): FutureTree {
  return id === tree.open || (id !== ROOT && futureOf(tree, id) === null) ? tree : { ...tree, open: id };
}

/** A name that another future has already gets a number. */
export function renamed(tree: FutureTree, id: number, name: string): FutureTree {
  const text = name.trim().slice(0, MAX_NAME);
  const others = [ROOT, ...tree.list.map((f) => f.id)].filter((other) => other !== id).map((other) => titleOf(tree, other));
  let free = text;
  for (let n = 2; others.includes(free); n++) free = `${text.slice(0, MAX_NAME - 4)} ${n}`;
  return changed(tree, id, { name: free === "" ? null : free });
}

export function pinned(tree: FutureTree, id: number, pin: boolean): FutureTree {
  return changed(tree, id, { pinned: pin });
}

/** Without a future. Its children become those of its parent: they name all that they do themselves. */
export function without(tree: FutureTree, id: number): FutureTree {
  const gone = futureOf(tree, id);
  if (gone === null) return tree;
  const list = tree.list.filter((f) => f.id !== id).map((f) => (f.parent === id ? { ...f, parent: gone.parent } : f));
  return { list, open: tree.open === id ? gone.parent : tree.open };
}

/** Only the pinned ones and the open one, with those that they came from. */
export function cleared(tree: FutureTree): FutureTree {
  const kept = new Set<number>();
  for (const future of tree.list) {
    if (!future.pinned && future.id !== tree.open) continue;
    for (let at: Future | null = future; at !== null; at = futureOf(tree, at.parent)) kept.add(at.id);
  }
  return { ...tree, list: tree.list.filter((f) => kept.has(f.id)) };
}

function changed(tree: FutureTree, id: number, part: Partial<Future>): FutureTree {
  return { ...tree, list: tree.list.map((f) => (f.id === id ? { ...f, ...part } : f)) };
}

/** There is one amount of fuel, and one text from a run on: the later one applies. */
function joined(before: readonly Intervention[], own: readonly Intervention[]): readonly Intervention[] {
  const replaced = (old: Intervention): boolean =>
    own.some((now) => (now.kind === "fuel" && old.kind === "fuel") || (now.kind === "edit" && old.kind === "edit" && now.run === old.run));
  const kept = before.filter((old) => !replaced(old));
  const keys = new Set(kept.map((i) => JSON.stringify(i)));
  return [...kept, ...own.filter((i) => !keys.has(JSON.stringify(i)))];
}

const keyOf = (interventions: readonly Intervention[]): string => JSON.stringify(interventions);

/** What a future does that the one it came from does not. */
export function ownOf(tree: FutureTree, future: Future): readonly Intervention[] {
  const before = new Set(interventionsOf(tree, future.parent).map((i) => JSON.stringify(i)));
  return future.interventions.filter((i) => !before.has(JSON.stringify(i)));
}

export const ROOT_TITLE = "Original";

export function titleOf(tree: FutureTree, id: number): string {
  const future = futureOf(tree, id);
  if (future === null) return ROOT_TITLE;
  if (future.name !== null) return future.name;
  const own = ownOf(tree, future);
  return (own.length === 0 ? future.interventions : own).map(sayIntervention).join(", ");
}

/** Short enough for a name. */
export function sayIntervention(intervention: Intervention): string {
  switch (intervention.kind) {
    case "skip":
      return `without rewrite ${intervention.n} of ${called(intervention.run)}`;
    case "fuel":
      if (intervention.run === null) return `first ${intervention.n} rewrites`;
      return intervention.n === 0
        ? `stop before ${called(intervention.run)}`
        : `up to rewrite ${intervention.n} of ${called(intervention.run)}`;
    case "knob": {
      const { assignment, from, to } = intervention;
      return to === from
        ? `${assignment} in ${called(from)}`
        : `${assignment} from ${called(from)}${to === null ? "" : ` to ${called(to)}`}`;
    }
    case "leave-out":
      return `without ${called(intervention.run)}`;
    case "insert":
      return `${called(intervention.id)} again ${intervention.at.side} ${called(intervention.at.run)}`;
    case "move":
      return `${called(intervention.run)} moved ${intervention.at.side} ${called(intervention.at.run)}`;
    case "edit":
      return `edited before ${called(intervention.run)}`;
    case "drop":
      return `${called(intervention.phase)} without the condition '${conditionName(intervention.condition).plain}'`;
  }
}

const called = (run: string | null): string => (run === null ? "the start" : addressedName(run));

/** The run at which an intervention begins to matter, as the interventions call it; null: from the start on. */
export function placeOf(intervention: Intervention): string | null {
  switch (intervention.kind) {
    case "skip":
    case "leave-out":
    case "edit":
    case "fuel":
      return intervention.run;
    case "knob":
      return intervention.from;
    case "insert":
    case "move":
      return intervention.at.run;
    case "drop":
      return intervention.phase;
  }
}

/** Where a future leaves the one that it came from: an index into runs; null where none of them is named so. */
export function forkRun(tree: FutureTree, future: Future, phases: readonly PhaseRun[]): number | null {
  const at = ownOf(tree, future).flatMap((i) => {
    const place = placeOf(i);
    const index = place === null ? -1 : phases.findIndex((p) => p.address === place || p.id === place);
    return index < 0 ? [] : [index];
  });
  return at.length === 0 ? null : Math.min(...at);
}

/** How deep in the tree. */
export function depthOf(tree: FutureTree, future: Future): number {
  let depth = 1;
  for (let at = futureOf(tree, future.parent); at !== null; at = futureOf(tree, at.parent)) depth++;
  return depth;
}

/** Parents before their children, the children of one in their order: as a list shows it. */
export function inTreeOrder(tree: FutureTree, parent = ROOT): readonly Future[] {
  return tree.list.filter((f) => f.parent === parent).flatMap((f) => [f, ...inTreeOrder(tree, f.id)]);
}
