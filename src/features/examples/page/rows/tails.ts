/** Equal tails, dead blocks and the order of blocks. */

import type { ExampleRow } from "../../../../app/session/example.ts";

export const TAILS: readonly ExampleRow[] = [
  [
    "common-tails",
    "Common tails",
    "branch-folding",
    "Three arms with the same end.",
    "Tails are hashed, compared in pairs, and merged if the gates agree.",
  ],
  [
    "phis-in-the-way",
    "PHIs in the way",
    "branch-folding",
    "The counterpart: PHIs, which BranchFolding does not accept.",
    "Tails and Why offer to replace the PHIs with copies in the predecessors; then the common tail is merged.",
  ],
  [
    "jump-to-jump",
    "Jumps to jumps",
    "ori-branch-opt",
    "Empty blocks, two of which jump to each other.",
    "Chains are threaded; the cycle guard stops the phase from following the endless pair.",
  ],
  [
    "unreachable-chain",
    "Unreachable chain",
    "ori-branch-opt",
    "A branch that is never taken.",
    "The constant condition is removed, then the cascade over predecessor counts deletes one block after another.",
  ],
  [
    "if-chain-weights",
    "A profile",
    "ori-do-predication",
    "Blocks with weights.",
    "The blocks show their weights; some decisions depend on them.",
  ],
  [
    "jump-over-jump",
    "Jump over a jump",
    "ori-branch-opt",
    "A condition around an unconditional branch.",
    "As measured on ptxas 13, the condition is inverted; as documented, there is no such rewrite, and the refusal says so.",
  ],
];
