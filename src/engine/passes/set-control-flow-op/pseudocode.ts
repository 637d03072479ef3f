/** The pseudocode of SetControlFlowOpLastInBB. */

export const PSEUDOCODE: readonly string[] = [
  "branches = 0, splits = 0",
  "for each block b in layout order:",
  "  tail = the instructions at the end of b that redirect or end control",
  "  for each instruction of b before the tail:",
  "    it must not redirect control: report it if it does",
  "  if the tail is empty:",
  "    b runs on into the next block: nothing to check",
  "  if the tail is one instruction:",
  "    it ends b",
  "  if the tail is two:",
  "    a conditional BRA and the BRA of its else edge close b together",
  "  branches += length of the tail",
  "  if b is LABEL.n and the block right before it is LABEL or LABEL.(n-1):",
  "    b was split off behind that block's branch: splits += 1",
  "nothing is rewritten; report branches and splits",
];

export const LINE = {
  start: 1,
  block: 2,
  tail: 3,
  scan: 4,
  inside: 5,
  empty: 6,
  falls: 7,
  one: 8,
  oneEnds: 9,
  two: 10,
  pair: 11,
  count: 12,
  label: 13,
  split: 14,
  report: 15,
} as const;
