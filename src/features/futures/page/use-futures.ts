/** What components ask of the tree of futures. */

import { useSession } from "../../../app/session/hooks.ts";
import { selectEarlierRun } from "../../../app/session/provenance.ts";
import type { SessionState } from "../../../app/session/state.ts";
import { type FutureTree, ROOT, ROOT_TITLE, titleOf } from "./tree.ts";

export const useTree = (): FutureTree => useSession((s) => s.futures);

export interface NamedFuture {
  readonly id: number;
  readonly title: string;
}

/** The root and the forks, for a choice. */
export const namedFutures = (tree: FutureTree): readonly NamedFuture[] => [
  { id: ROOT, title: ROOT_TITLE },
  ...tree.list.map(({ id }) => ({ id, title: titleOf(tree, id) })),
];

/** What does not apply in the run that is shown, with the reason; and what is wrong with the whole list. */
export function troublesOf(state: SessionState): readonly string[] {
  const { result } = state.run;
  if (result === null || state.futures.open === ROOT || selectEarlierRun(state)) return NONE;
  const idle = result.interventions.filter((i) => !i.applied).map(({ text, reason }) => `${text} does not apply: ${reason ?? ""}`);
  return [...idle, ...refusalsOf(state)];
}

/** Why the open future could not be run at all. */
export function refusalsOf(state: SessionState): readonly string[] {
  const { result } = state.run;
  if (result === null || result.phases.length > 0 || state.futures.open === ROOT || selectEarlierRun(state)) return NONE;
  return result.diagnostics.filter((d) => d.severity === "error").map((d) => d.message);
}

const NONE: readonly string[] = [];
