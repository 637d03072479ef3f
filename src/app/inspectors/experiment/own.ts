/** The experiments that are the page's own. */

import type { Experiment } from "../../session/experiment.ts";
import { late } from "../late.tsx";

export const EXPERIMENTS: readonly Experiment[] = [
  {
    name: "knobs",
    group: "In this phase",
    title: "Set a knob",
    about: "thresholds and switches of the phases",
    found: "knobs, thresholds, options, settings",
    Content: late(async () => (await import("../knobs/knobs.tsx")).Knobs),
    whole: true,
  },
  {
    name: "run",
    group: "Check",
    title: "Run on inputs",
    about: "execute before and after, and compare memory and counts",
    found: "run, execute, interpreter, arguments, inputs, memory, before and after, divergence",
    Content: late(async () => (await import("../run/run.tsx")).Run),
    whole: true,
  },
  {
    name: "align",
    group: "Check",
    title: "Real SASS",
    about: "compare with a listing of the real compiler",
    found: "compare with a listing of ptxas",
    Content: late(async () => (await import("../align/align.tsx")).Align),
    whole: true,
  },
];
