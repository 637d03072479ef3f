/** The phase's algorithm as numbered lines; `LINE` names the ones that events refer to. */

export const PSEUDOCODE = [
  "work list := reachable blocks in post-order, so that targets come before the blocks that lead to them",
  "table of seen blocks := empty",
  "while the work list is not empty: take its first block B",
  "  skip B when it is the entry, was removed, or cannot be reached",
  "  key(B) = its instructions, their targets included, and the block it falls into",
  "  look key(B) up in the table",
  "  nothing there, or a block that changed since: enter B",
  "  A is there, with the same instructions and the same targets:",
  "    neither begins with a PHI",
  "    no instruction may see which lanes are along",
  "    each PHI of a target takes the same value from A and from B",
  "    no BSSY names B as its region's end",
  "    send every predecessor of B to A",
  "    remove B",
  "    the predecessors have a new target: put them on the work list again",
] as const;

export const LINE = {
  order: 1,
  table: 2,
  take: 3,
  skip: 4,
  key: 5,
  lookup: 6,
  enter: 7,
  found: 8,
  noPhi: 9,
  convergence: 10,
  phiValues: 11,
  regionEnd: 12,
  redirect: 13,
  remove: 14,
  again: 15,
} as const;
