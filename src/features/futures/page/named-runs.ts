/** The futures as runs that can be compared with the one that is shown. */

import type { NamedRun } from "../../../app/session/comparison.ts";
import type { SessionState } from "../../../app/session/state.ts";
import { type FutureTree, interventionsOf, ROOT, ROOT_TITLE, titleOf } from "./tree.ts";

const RUNS = new WeakMap<FutureTree, readonly NamedRun[]>();

export const runName = (id: number): string => String(id);

/** The root and the forks. Without a fork there is only the shown run, which needs no name. */
export function namedRuns({ futures: tree }: SessionState): readonly NamedRun[] {
  const known = RUNS.get(tree);
  if (known !== undefined) return known;
  const ids = tree.list.length === 0 ? [] : [ROOT, ...tree.list.map(({ id }) => id)];
  const runs = ids.map(
    (id): NamedRun => ({
      name: runName(id),
      title: id === ROOT ? ROOT_TITLE : titleOf(tree, id),
      pipeline: { interventions: interventionsOf(tree, id) },
      isShown: id === tree.open,
    }),
  );
  RUNS.set(tree, runs);
  return runs;
}
