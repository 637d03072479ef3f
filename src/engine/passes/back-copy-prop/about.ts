/** What this pass says about itself. */

import { type About, address, knobGate, type PhaseAbout } from "../about.ts";

const SECTION = "copy-propagation-and-cse: Phase Summary Table, Function Map";

const BACKWARD = {
  plain: "Backward copy propagation",
  also: ["copy coalescing", "move elimination"],
  level: { notes: 1, measured: 1, chosen: true },
  gates: [
    knobGate("back-copy-prop-enable", ({ knob, target: { backend } }) =>
      knob("back-copy-prop-enable") === true
        ? { ok: true, sentence: "installs the body" }
        : { ok: false, sentence: `is off by default on ${backend.id}` },
    ),
  ],
} as const satisfies Partial<PhaseAbout>;

export const ABOUT = {
  family: "back-copy-prop",
  summary: "Backward copy propagation: the definition of a copy's source writes the copy's destination, and the copy is removed.",
  phases: [
    {
      id: "advanced-phase-back-prop-vreg",
      number: 82,
      name: "AdvancedPhaseBackPropVReg",
      ...BACKWARD,
      binary: {
        functions: [address("0xC5EBB0", "getPhaseNumber", 6), address("0xC5EBC0", "isNoOp", 6)],
        section: SECTION,
      },
    },
    {
      id: "ori-back-copy-propagate",
      number: 83,
      name: "OriBackCopyPropagate",
      ...BACKWARD,
      binary: {
        isNoOp: true,
        functions: [
          address("sub_C5EB80", "execute: counter = 9", 7),
          address("0xC5EB90", "getPhaseNumber", 6),
          address("0xC5EBA0", "isNoOp", 6),
          address("sub_8C0270", "the scheduler's set-up, which reads knob 808", "14 K"),
        ],
        section: SECTION,
      },
    },
  ],
} as const satisfies About;
