/** Which states the graph shows: all steps of the phase in one, this step alone, the phase's two ends, or this step against another. */

import { useMemo } from "react";
import type { UnionGraph } from "../../engine/api/types.ts";
import { useEngineQuery, useSession, useSessionObject } from "../session/hooks.ts";
import { applyDelta, type MomentState } from "../session/moment.ts";
import type { Comparison } from "./face/faces.ts";
import { graphAt, graphOfTwo, shapeOf } from "./model/states.ts";

export interface ShownStates {
  /** One graph, or the left and the right one; null while it is on its way. */
  readonly graphs: readonly UnionGraph[] | null;
  readonly compare: Comparison | null;
}

export function useStates(union: UnionGraph | null): ShownStates {
  const { store } = useSessionObject();
  const mode = useSession((s) => s.graph.mode);
  const pair = useSession((s) => s.graph.pair);
  // Changes with blocks and edges only: a step that only writes instructions redraws nothing.
  const shape = useSession((s) => (mode === "now" ? shapeOf(s.position.moment) : ""));
  const ends = useEnds(mode === "sides");
  return useMemo((): ShownStates => {
    if (union === null) return { graphs: null, compare: null };
    const { moment } = store.getState().position;
    switch (mode) {
      case "all":
        return { graphs: [union], compare: null };
      case "now":
        return { graphs: moment === null || moment.run !== union.run || shape === "" ? null : [graphAt(union, moment)], compare: null };
      case "sides":
        if (ends === null || ends.base.run !== union.run) return { graphs: null, compare: null };
        return { graphs: [graphAt(union, ends.base), graphAt(union, ends.head)], compare: ends };
      case "pair": {
        if (pair === null) return { graphs: null, compare: null };
        const { base, head, beside } = pair;
        const both = graphOfTwo(base, head, []);
        return { graphs: beside ? [graphAt(both, base), graphAt(both, head)] : [both], compare: { base, head } };
      }
    }
  }, [union, mode, pair, shape, ends, store]);
}

/** The phase's input and its result. */
function useEnds(wanted: boolean): { readonly base: MomentState; readonly head: MomentState } | null {
  const run = useSession((s) => s.position.graph?.run ?? -1);
  const steps = useSession((s) => (s.position.trace?.run === s.position.graph?.run ? (s.position.trace?.steps ?? -1) : -1));
  const { data } = useEngineQuery(!wanted || run < 0 || steps < 0 ? null : `ends|${run}|${steps}`, async (api) => {
    const [first, last] = await Promise.all([api.view(run, -1, null), api.view(run, steps - 1, null)]);
    return { base: applyDelta(null, first), head: applyDelta(null, last) };
  });
  return wanted ? (data ?? null) : null;
}
