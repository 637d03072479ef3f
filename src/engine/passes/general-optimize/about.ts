/** What this pass says about itself. */

import { type About, address, enable, nonZero, type PhaseAbout, slot, veto } from "../about.ts";

const SECTION = "general-optimize: Instance Map, Function Map";

const COPIES = [
  "copy propagation",
  "constant propagation",
  "constant folding",
  "peephole",
  "clean-up",
] as const satisfies PhaseAbout["also"];

export const ABOUT = {
  family: "general-optimize",
  summary: "Propagates copies, folds constants and predicates, and removes what becomes dead, in rounds.",
  phases: [
    {
      id: "general-optimize",
      number: 29,
      name: "GeneralOptimize",
      plain: "Copy and constant propagation",
      also: COPIES,
      level: { notes: 2, measured: 1 },
      gates: [enable("general-opt-enable"), veto("skip-general-optimize"), nonZero("membar-flow-control")],
      binary: { functions: [address("0xC5FC50", "execute"), address("sub_908EB0", "body")], section: SECTION },
    },
    {
      id: "general-optimize-mid2",
      number: 46,
      name: "GeneralOptimizeMid2",
      plain: "Local memory to registers",
      also: ["mem2reg", "scalar replacement", "SROA", "register promotion", ...COPIES],
      level: { notes: 2, measured: 1 },
      gates: [slot(46)],
      binary: {
        functions: [address("0xC60840", "execute: calls slot 56 of the backend"), address("sub_7D6DD0", "the slot's no-op")],
        section: SECTION,
      },
    },
    {
      id: "general-optimize-late2",
      number: 65,
      name: "GeneralOptimizeLate2",
      plain: "Repeated copies",
      also: ["copy propagation", "redundant moves", "local copies"],
      level: { notes: 2, measured: 1 },
      gates: [slot(65)],
      binary: { functions: [address("sub_C60550", "execute: calls slot 49 of the backend")], section: SECTION },
    },
  ],
  parts: [{ id: "ori-copy-prop", name: "OriCopyProp" }],
} as const satisfies About;
