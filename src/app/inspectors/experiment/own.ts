/** The experiments that are the page's own. */

import type { Experiment } from "../../session/experiment.ts";
import type { Shown } from "../../session/feature.ts";

export const experimentPanes = async (): Promise<Shown> => (await import("./panes.ts")).PANES;

export const EXPERIMENTS: readonly Experiment[] = [
  {
    name: "knobs",
    group: "In this phase",
    title: "Set a knob",
    about: "thresholds and switches of the phases",
    found: "knobs, thresholds, options, settings",
    whole: true,
  },
  {
    name: "run",
    group: "Check",
    title: "Run on inputs",
    about: "execute before and after, and compare memory and counts",
    found: "run, execute, interpreter, arguments, inputs, memory, before and after, divergence",
    whole: true,
  },
];
