/** What this pass says about itself. */

import { type About, address, enable, knobGate } from "../about.ts";

const COMMONING_STATE = knobGate("late-commoning-state", ({ knob }) => {
  if (knob("force-late-commoning") === true)
    return { ok: true, sentence: "runs the phase whatever the function's commoning state", knob: "force-late-commoning" };
  return knob("late-commoning-state") === true
    ? { ok: true, sentence: "says that the function's commoning state is on" }
    : { ok: false, sentence: "says that the function's commoning state is off, and ForceLateCommoning is off" };
});

export const ABOUT = {
  family: "late-ori-commoning",
  summary: "Commons equal computations in the same or a dominating block, and reads representatives instead of copies.",
  phases: [
    {
      id: "late-ori-commoning",
      number: 64,
      name: "LateOriCommoning",
      plain: "Late common subexpressions",
      also: ["common subexpression elimination", "CSE", "commoning", "equivalence classes", "dominators"],
      level: { notes: 2, measured: 2 },
      gates: [enable("general-opt-enable"), COMMONING_STATE],
      binary: {
        isNoOp: false,
        functions: [
          address("sub_C60020", "execute", 48),
          address("0xC5EDF0", "getPhaseNumber", 6),
          address("0xC5EE00", "isNoOp", 6),
          address("sub_9059B0", "knobs and the working set", "about 320"),
          address("sub_9055F0", "the walker", "about 800"),
          address("sub_901A90", "the commoning check", "about 1.5 K"),
          address("sub_8F4510", "EQUIV"),
          address("sub_74ED70", "class masks", "about 1.2 K"),
        ],
        section: "copy-propagation-and-cse: Phase Summary Table, Function Map",
      },
    },
  ],
} as const satisfies About;
