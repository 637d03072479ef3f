/** The experiments that make and compare futures. */

import type { Experiment, ExperimentCommand } from "../../../app/session/experiment.ts";
import { compareFuture } from "./compare-future.ts";

/** The result is shown next to the original one, in the middle. */
const forking: Pick<ExperimentCommand, "after"> = {
  after(session, before) {
    if (session.store.getState().futures.open !== before.futures.open) compareFuture(session);
  },
};

export const FUTURE_EXPERIMENTS: readonly Experiment[] = [
  { command: "future.skip", group: "At this rewrite", title: "Skip it", about: "and run on without it", ...forking },
  { command: "future.stop-before", group: "At this rewrite", title: "Stop before it", about: "keep only the rewrites so far", ...forking },
  { command: "future.edit", group: "At this rewrite", title: "Edit the program here", about: "and continue from this step" },
  {
    name: "conditions",
    group: "In this phase",
    title: "Drop a condition",
    about: "and see what goes wrong without it",
    found: "conditions of this phase, why each is needed",
    forks: true,
  },
  {
    name: "fuel",
    group: "In this phase",
    title: "Stop after a rewrite",
    about: "and check the program at each stop",
    found: "fuel, lights, bisect, first wrong rewrite",
    forks: true,
  },
  {
    name: "order",
    group: "In this phase",
    title: "Phase order",
    about: "move, repeat, insert or switch off a phase",
    found: "move, repeat or leave out a phase, insert another phase",
    forks: true,
  },
  {
    command: "future.show-compare",
    group: "Results",
    title: "Compare two runs",
    about: "phase by phase, and in the picture",
  },
  {
    name: "tree",
    group: "Results",
    title: "All runs",
    about: "every experiment so far, named",
    found: "futures, tree of runs",
    forks: true,
  },
];
