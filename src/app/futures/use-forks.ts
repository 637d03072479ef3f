/** Which futures begin at which run of the open one. */

import { useMemo } from "react";
import { useSession } from "../session/hooks.ts";
import { selectPhases } from "../session/selectors.ts";
import { forkRun, titleOf } from "./tree.ts";
import { useTree } from "./use-futures.ts";

/** By index of the run: their names. */
export function useForks(): ReadonlyMap<number, string> {
  const tree = useTree();
  const phases = useSession(selectPhases);
  return useMemo(() => {
    const forks = new Map<number, string>();
    for (const future of tree.list) {
      const at = forkRun(tree, future, phases);
      if (at === null) continue;
      const title = titleOf(tree, future.id);
      const others = forks.get(at);
      forks.set(at, others === undefined ? title : `${others}; ${title}`);
    }
    return forks;
  }, [tree, phases]);
}
