/** Equal tails, dead blocks and the order of blocks. */

import type { OriRow } from "../example.ts";

export const TAILS: readonly OriRow[] = [
  [
    "common-tails",
    "Common tails",
    "branch-folding",
    "Three arms with the same end.",
    "Tails are hashed, compared pairwise, and kept once, if the gates agree.",
  ],
  [
    "phis-in-the-way",
    "PHIs in the way",
    "branch-folding",
    "The twin: PHIs, which BranchFolding declines.",
    "Tails and Why offer to take the PHIs out: copies on the ways into their blocks, then the common tail is merged.",
  ],
  [
    "jump-to-jump",
    "Jumps to jumps",
    "ori-branch-opt",
    "Empty blocks, and two that chase each other.",
    "Chains are threaded; the cycle guard keeps the endless pair from being followed for ever.",
  ],
  [
    "unreachable-chain",
    "Unreachable chain",
    "ori-branch-opt",
    "A branch never taken.",
    "The constant condition goes, then the cascade over predecessor counts deletes block after block.",
  ],
  [
    "if-chain-weights",
    "A profile",
    "ori-do-predication",
    "Block weights attached.",
    "Weights show on the blocks; some decisions read them.",
  ],
  [
    "jump-over-jump",
    "Jump over a jump",
    "ori-branch-opt",
    "A condition around an unconditional branch.",
    "As measured on ptxas 13 the condition is inverted; as documented there is no such rewrite, and it says so.",
  ],
];
