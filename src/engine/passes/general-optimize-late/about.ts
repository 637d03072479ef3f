/** What this pass says about itself. */

import { type About, address, knobGate } from "../about.ts";

/** Knob 31's extended value makes the phase ask for the dual-issue class. */
const EXTENDED_FOLD = knobGate("allow-reassociate-cse", ({ knob, target: { backend } }) =>
  knob("allow-reassociate-cse") === 2 && backend.capabilities.dualIssue
    ? { ok: false, sentence: `has its extended value, and ${backend.id} is a dual-issue backend` }
    : { ok: true, sentence: "lets the phase run" },
);

export const ABOUT = {
  family: "general-optimize-late",
  summary: "Replaces copies that repeat a recent one, with a ring of six pairs a block.",
  phases: [
    {
      id: "general-optimize-late",
      number: 58,
      name: "GeneralOptimizeLate",
      plain: "Repeated copies",
      also: ["copy propagation", "redundant moves", "local copies"],
      level: { notes: 3, measured: 1 },
      gates: [EXTENDED_FOLD],
      binary: {
        functions: [
          address("0xC5FF20", "execute"),
          address("sub_8F7080", "body"),
          address("sub_8F6FA0", "walks the blocks"),
          address("sub_8F6530", "a block: 550 lines"),
        ],
        section: "general-optimize: Instance Map, Function Map",
      },
    },
  ],
} as const satisfies About;
