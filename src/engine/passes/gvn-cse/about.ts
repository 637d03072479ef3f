/** What this pass says about itself. */

import { type About, address, enable, type GateAbout, knobGate, slot } from "../about.ts";

/** The oldest generation that ptxas 13.0.88 still compiles for, and that was measured. */
const MEASURED_GENERATION = 7;

/** The stub follows the reference; the measured compiler commons across blocks on every architecture it supports. */
const BODY: GateAbout = {
  ...slot(49),
  test: (state) => {
    const answer = slot(49).test(state);
    if (answer === null || answer.ok || state.policy === "notes" || state.target.generation < MEASURED_GENERATION) return answer;
    return { ok: true, sentence: `${answer.sentence} in the reference, but ptxas 13.0.88 commons across blocks here too` };
  },
};

const MODE = knobGate("gvn-mode", ({ knob }) => {
  const mode = knob("gvn-mode");
  const ok = typeof mode !== "number" || (mode >= 1 && mode <= 6);
  return { ok, sentence: ok ? `= ${mode} is a mode` : `= ${mode}, which does nothing (modes go from 1 to 6)` };
});

export const ABOUT = {
  family: "gvn-cse",
  summary: "Numbers all values and replaces what is computed again by a MOV from its leader.",
  phases: [
    {
      id: "gvn-cse",
      number: 49,
      name: "GvnCse",
      plain: "Value numbering",
      also: [
        "global value numbering",
        "GVN",
        "common subexpression elimination",
        "CSE",
        "redundancy elimination",
        "hash table",
        "scope tree",
      ],
      level: { notes: 1, measured: 1, chosen: true },
      gates: [enable("enable-gvn-cse"), BODY, MODE],
      binary: {
        isNoOp: false,
        functions: [
          address("0xC5F000", "execute, a thunk to slot 23 of the backend"),
          address("0xC5F010", "getPhaseNumber"),
          address("0xC5F020", "isNoOp", 6),
          address("sub_BEE590", "body: chains, then the mode", "about 200"),
          address("sub_BEE370", "chooses the mode by knob 402", "about 550"),
          address("sub_BED7E0", "modes 3 to 6: 689 lines", "about 18 K"),
          address("sub_BEAD00", "mode 2", "about 2.5 K"),
          address("sub_BEA5F0", "commons in a dominated block", "about 9 K"),
          address("sub_BEA450", "mode 1", "about 2 K"),
          address("sub_BEA1E0", "eligibility", "about 500"),
          address("sub_BED430", "pre-pass over extended basic blocks", "about 2 K"),
          address("sub_BEEC80", "the value table", 1160),
        ],
        section: "copy-propagation-and-cse: Phase Summary Table, Function Map",
      },
    },
  ],
} as const satisfies About;
