/** Options of cicc's BranchFolding. */

import type { KnobRow } from "./knob-row.ts";

const CONFIG = "branch-folding-and-tail-merge: Configuration";
const UPSTREAM = "branch-folding-and-tail-merge: Differences from Upstream LLVM";

export const CICC_KNOBS = [
  {
    key: "disable-branch-fold",
    name: "disable-branch-fold",
    type: "flag",
    default: false,
    readBy: ["branch-folding"],
    doc: "If set, the whole pass is skipped.",
    source: CONFIG,
  },
  {
    key: "enable-tail-merge",
    name: "enable-tail-merge",
    type: "int",
    default: -1,
    min: -1,
    max: 1,
    words: { unset: -1, off: 0, false: 0, on: 1, true: 1 },
    readBy: ["branch-folding"],
    doc: "Forces tail merging on or off; unset uses the target's default, which is on in cicc and off upstream.",
    source: CONFIG,
  },
  {
    key: "tail-merge-threshold",
    name: "tail-merge-threshold",
    type: "int",
    default: 150,
    readBy: ["branch-folding"],
    doc: "How many candidate blocks one merge round may consider.",
    source: CONFIG,
  },
  {
    key: "tail-merge-size",
    name: "tail-merge-size",
    type: "int",
    default: 3,
    min: 0,
    readBy: ["branch-folding"],
    doc: "Minimum number of common instructions at the end of two blocks for a merge.",
    source: CONFIG,
  },
  {
    key: "branch-fold-placement",
    name: "branch-fold-placement",
    type: "flag",
    default: true,
    readBy: ["branch-folding"],
    doc: "Branch folding during block placement, a separate invocation before this one: shown but not modelled.",
    source: CONFIG,
  },
  {
    key: "ifcvt-branch-fold",
    name: "ifcvt-branch-fold",
    type: "flag",
    default: true,
    readBy: [],
    doc: "Branch folding inside the if-converter, which is not modelled.",
    source: CONFIG,
  },
  {
    key: "enable-hoist-common-code",
    name: "EnableHoistCommonCode",
    type: "flag",
    default: true,
    readBy: ["branch-folding"],
    doc: "Lets identical heads of two successors move into their predecessor.",
    source: "branch-folding-and-tail-merge: HoistCommonCode",
  },
  {
    key: "upstream-llvm20",
    type: "flag",
    default: false,
    readBy: ["branch-folding"],
    doc: "Behaves like LLVM 20: no tail merging for a target that requires a structured CFG, no reserved-register gate, no priorities.",
    source: UPSTREAM,
  },
  {
    key: "disable-nvptx-require-structured-cfg",
    name: "disable-nvptx-require-structured-cfg",
    type: "flag",
    default: false,
    readBy: ["branch-folding"],
    doc: "Drops the structured-CFG requirement of the target, so that upstream mode merges tails too.",
    source: "branch-folding-and-tail-merge: Structured CFG Preservation Proof",
  },
] as const satisfies readonly KnobRow[];
