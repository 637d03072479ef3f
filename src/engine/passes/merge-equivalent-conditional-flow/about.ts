/** What this pass says about itself. */

import { type About, type PhaseAbout, policyGate } from "../about.ts";

const MERGING = {
  plain: "Merging equal blocks",
  also: ["identical code folding", "block deduplication", "tail merging", "cross jumping"],
  level: { notes: 2, measured: 2, chosen: true },
  gates: [
    policyGate(({ policy }) =>
      policy === "notes"
        ? { ok: true, sentence: "policy 'notes' merges equal blocks" }
        : { ok: false, sentence: "policy 'measured': ptxas 13.0.88 was never seen to merge equal blocks" },
    ),
  ],
} as const satisfies Partial<PhaseAbout>;

export const ABOUT = {
  family: "merge-equivalent-conditional-flow",
  summary: "Merges blocks with identical instructions and targets. The real compiler was never seen to do it.",
  phases: [
    { id: "merge-equivalent-conditional-flow", number: 133, name: "MergeEquivalentConditionalFlow", ...MERGING },
    { id: "late-merge-equivalent-conditional-flow", number: 136, name: "LateMergeEquivalentConditionalFlow", ...MERGING },
  ],
} as const satisfies About;
