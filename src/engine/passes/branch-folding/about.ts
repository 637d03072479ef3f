/** What this pass says about itself. */

import { type About, address, policyGate, veto } from "../about.ts";

/** A compiler wrote the PTX and folded its branches; ptxas is measured on it without folding again. */
const CICC_IS_DONE = policyGate(({ policy, afterCicc }) => {
  if (!afterCicc) return null;
  if (policy === "notes") return { ok: true, sentence: "policy 'notes' runs it on PTX, too" };
  const sentence = "policy 'measured': PTX has been through cicc, and ptxas begins after it; it runs where a list of phases names it";
  return { ok: false, sentence };
});

export const ABOUT = {
  family: "branch-folding",
  summary: "Merges common tails of blocks, simplifies branches, hoists common heads, until nothing changes (cicc, before PTX is written).",
  phases: [
    {
      id: "branch-folding",
      number: null,
      name: "BranchFolding",
      otherNames: ["branch-folder"],
      remark: "runs in cicc, before the PTX is written that ptxas reads",
      plain: "Branch folding",
      also: ["tail merging", "cross jumping", "common tails", "code hoisting", "branch simplification", "LLVM BranchFolder"],
      level: { notes: 1, measured: 1, chosen: true },
      gates: [CICC_IS_DONE, veto("disable-branch-fold")],
      binary: {
        functions: [
          address("sub_2F36310", "entry: the fixed point"),
          address("sub_2F336B0", "a block, with a frame of 792 bytes", 11347),
          address("sub_2F31250", "tests whether a branch can be folded"),
          address("sub_2F33020", "looks candidates up"),
          address("sub_2DAC790", "the vtable of NVPTXInstrInfo, compared at 0x2F337A3"),
          address("sub_2E88A90", "queries the reserved registers, at 0x2F3427B"),
        ],
        section: "branch-folding-and-tail-merge: Function Map",
      },
    },
  ],
} as const satisfies About;
