/** Futures: alternative runs of the open program. */

import type { Feature } from "../../../app/session/feature.ts";
import type { Session } from "../../../app/session/session.ts";
import { type FutureActions, futureActions } from "./actions.ts";
import { FUTURE_COMMANDS } from "./commands.ts";
import { FUTURE_EXPERIMENTS } from "./experiments.ts";
import { FutureStripe } from "./future-stripe.tsx";
import { type FuturesView, NO_VIEW } from "./futures-view.ts";
import { FUTURES_WORK } from "./link.ts";
import { namedRuns } from "./named-runs.ts";
import { phaseMarks } from "./strip-lights.ts";
import { type FutureTree, interventionsOf, ONE_FUTURE, treeOf } from "./tree.ts";
import { troublesOf } from "./use-futures.ts";

declare module "../../../app/session/session.ts" {
  interface SessionActions {
    readonly futures: FutureActions;
  }
}

declare module "../../../app/session/state.ts" {
  interface SessionState {
    /** What could have been; the interventions of the open one are those of the pipeline. */
    readonly futures: FutureTree;
    readonly futuresView: FuturesView;
  }
}

declare module "../../../app/session/actions/programs.ts" {
  interface FeatureData {
    /** Left out: what the interventions of the pipeline make. */
    readonly futures?: FutureTree;
  }
}

export const FUTURES: Feature = {
  id: "futures",
  before: "general",
  slices: { futures: ONE_FUTURE, futuresView: NO_VIEW },
  begin: (ctx, core) => ({
    actions: { futures: futureActions(ctx, core) },
    // A change to the futures of an earlier program can no longer be undone.
    replaced: () => ctx.store.setState(({ notices }) => ({ notices: notices.filter(({ action }) => action?.command !== "future.undo") })),
  }),
  program: {
    remember: ({ futures }) => ({ futures }),
    open({ options, featureData: { futures } }, { futuresView: { drafts } }) {
      const { pipeline } = options;
      const futuresView = { ...NO_VIEW, drafts };
      const runs = pipeline.interventions ?? [];
      if (futures === undefined) return { futures: treeOf(runs), futuresView };
      const interventions = interventionsOf(futures);
      if (JSON.stringify(interventions) === JSON.stringify(runs)) return { futures, futuresView };
      return { futures, futuresView, options: { ...options, pipeline: { ...pipeline, interventions } } };
    },
  },
  work: FUTURES_WORK,
  linkOpened: sayIdle,
  runs: namedRuns,
  phaseMarks,
  commands: FUTURE_COMMANDS,
  experiments: FUTURE_EXPERIMENTS,
  banners: { FutureStripe },
};

/** Says what the link would have done otherwise and this version does not: the rest of it is open. */
function sayIdle({ actions, store }: Session): void {
  const idle = troublesOf(store.getState());
  if (idle.length === 0) return;
  const show = store.getState().view.embed ? null : ({ label: "Show", command: "future.show-tree" } as const);
  actions.notify("warning", `Part of the link has no effect: ${idle.join("; ")}`, show);
}
