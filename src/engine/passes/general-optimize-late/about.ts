/** What this pass says about itself. */

import { type About, address, knobGate } from "../about.ts";

/** Knob 31's extended value: a test of the backend sets a flag that nothing described reads. */
const EXTENDED_FOLD = knobGate("allow-reassociate-cse", ({ knob, target: { backend } }) => ({
  ok: true,
  sentence:
    knob("allow-reassociate-cse") === 2
      ? `has its extended value: the secondary flag is ${backend.capabilities.dualIssue ? 1 : 0} (${backend.id}), which no step reads`
      : "lets the phase run",
}));

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
