/** Changing the tree of futures. The open one is what the pipeline runs; the place is kept across a switch. */

import type { ActionContext } from "../../../app/session/context.ts";
import type { CoreActions } from "../../../app/session/session.ts";
import { plural } from "../../../app/ui/plural.ts";
import type { Intervention, TraceInfo } from "../../../engine/api/types.ts";
import { createKeepPlace } from "./keep-place.ts";
import { cleared, type FutureTree, forked, interventionsOf, MAX_FUTURES, opened, pinned, ROOT, renamed, titleOf, without } from "./tree.ts";

export interface FutureActions {
  /** A future from the open one, open from now on. */
  fork(own: readonly Intervention[]): void;
  open(id: number): void;
  /** The next or previous one in the order of the list. */
  openNext(direction: 1 | -1): void;
  rename(id: number, name: string): void;
  pin(id: number, pin: boolean): void;
  remove(id: number): void;
  /** Takes away what is neither pinned nor open. */
  clear(): void;
  /** Brings the tree back that was there before the last change of it. */
  undo(): void;
  canUndo(): boolean;
}

const MOST_UNDONE = 50;
const UNDO = { label: "Undo", command: "future.undo" } as const;

export function futureActions(ctx: ActionContext, { run, position: { seek } }: CoreActions): FutureActions {
  /** Of the open program: a different one starts again. */
  let past: { readonly since: number; readonly trees: readonly FutureTree[] } = { since: -1, trees: [] };
  const keepPlace = createKeepPlace(ctx, seek);
  const tree = (): FutureTree => ctx.get().futures;
  const trees = (): readonly FutureTree[] => (past.since === ctx.get().document.since ? past.trees : []);

  const show = (next: FutureTree, own: readonly Intervention[] = []) => {
    if (next === tree()) return;
    if (next.open !== tree().open || changesOpen(tree(), next)) keepPlace.begin((trace) => refusalOf(trace, own));
    const interventions = interventionsOf(next);
    const runs = ctx.get().options.pipeline.interventions ?? [];
    if (JSON.stringify(interventions) === JSON.stringify(runs)) ctx.patch("futures", next);
    else run.setOptions({ interventions }, { futures: next });
  };
  const change = (next: FutureTree, own: readonly Intervention[] = []) => {
    const before = tree();
    if (next === before) return;
    past = { since: ctx.get().document.since, trees: [...trees(), before].slice(-MOST_UNDONE) };
    show(next, own);
  };

  return {
    fork(own) {
      const next = forked(tree(), own);
      if (next === null) {
        ctx.notify("warning", `There are already ${MAX_FUTURES} futures, the maximum. Remove some, or clear all that are not pinned.`, {
          label: "Clear",
          command: "future.clear",
        });
        return;
      }
      // One that was there already is only opened.
      if (next.list === tree().list) show(next, own);
      else change(next, own);
    },
    open: (id) => show(opened(tree(), id)),
    openNext(direction) {
      const ids = [ROOT, ...tree().list.map((f) => f.id)];
      const at = ids.indexOf(tree().open);
      show(opened(tree(), ids[(at + direction + ids.length) % ids.length] ?? ROOT));
    },
    rename: (id, name) => change(renamed(tree(), id, name)),
    pin: (id, pin) => change(pinned(tree(), id, pin)),
    remove(id) {
      const title = titleOf(tree(), id);
      change(without(tree(), id));
      ctx.notify("info", `The future “${title}” was removed.`, UNDO);
    },
    clear() {
      const before = tree().list.length;
      change(cleared(tree()));
      ctx.notify("info", `${plural(before - tree().list.length, "future was", "futures were")} removed.`, UNDO);
    },
    undo() {
      const last = trees().at(-1);
      if (last === undefined) {
        ctx.notify("info", "There is no change to the futures to undo.");
        return;
      }
      past = { since: past.since, trees: past.trees.slice(0, -1) };
      show(last);
    },
    canUndo: () => trees().length > 0,
  };
}

/** Where a trace reports the skip, or that the fuel is spent; null where neither was requested. */
function refusalOf({ rewrites }: TraceInfo, [first]: readonly Intervention[]): number | null {
  if (rewrites === null || (first?.kind !== "skip" && first?.kind !== "fuel")) return null;
  const index = rewrites.n.findIndex((n, i) => rewrites.refused[i] === 1 && (first.kind === "fuel" || n === first.n));
  return index < 0 ? null : (rewrites.from[index] ?? null);
}

/** The open future keeps its number but changes: after an undo. */
function changesOpen(before: FutureTree, after: FutureTree): boolean {
  const of = (tree: FutureTree) => tree.list.find((f) => f.id === tree.open)?.interventions;
  return of(before) !== of(after);
}
