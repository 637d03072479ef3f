/** Chains of compares that become tables and trees, and those that stay. */

import type { OriRow } from "../example.ts";

export const SWITCHES: readonly OriRow[] = [
  [
    "switch-dense",
    "Dense switch",
    "do-switch-opt-second",
    "Eight consecutive cases.",
    "The bitmap population gives the density; a jump table wins. Move the limits in Knobs and see the tree win.",
  ],
  [
    "switch-sparse",
    "Sparse switch",
    "do-switch-opt-second",
    "Seven cases far apart.",
    "The range is far too wide for a table: a binary search tree is built, in the order of the value tree.",
  ],
  [
    "switch-cascade",
    "Small switch that stays",
    "do-switch-opt-second",
    "The twin of the dense switch: four cases.",
    "Up to four cases stay a cascade. Set switch-cascade-max-cases to 3, or run as measured on ptxas 13, and it becomes a table.",
  ],
  [
    "switch-duplicates",
    "Repeated case",
    "do-switch-opt-second",
    "One value is tested twice.",
    "The bit is in the tree of values already: the first target wins, and the second one loses its edge.",
  ],
  [
    "switch-extremes",
    "Extremes of int32",
    "do-switch-opt-second",
    "INT_MIN and INT_MAX in one switch.",
    "The range is 4294967296. The tree of values gets nodes far apart: watch it being inserted into and rotated.",
  ],
  [
    "switch-interleaved",
    "Computation between compares",
    "do-switch-opt-second",
    "A multiplication in the middle of the chain.",
    "It is pure and dead at the earlier cases, so it moves. With SwitchOptExtendedPatternMatch off the chain ends there.",
  ],
  [
    "switch-profile",
    "Switch with a profile",
    "do-switch-opt-second",
    "Dense enough for a table, but with block weights.",
    "The phase returns at once. Delete the .weight lines and run it again.",
  ],
  [
    "switch-vote",
    "Switch before a vote",
    "do-switch-opt-second",
    "The default counts the lanes that came with it.",
    "Refused: lanes in the gap and lanes out of range would vote apart. Make value 14 a 13 and it is lowered.",
  ],
  [
    "switch-prefix",
    "Far cases, then near ones",
    "do-switch-opt-second",
    "The order of the compares matters to ptxas.",
    "As documented it becomes one tree; as measured on ptxas 13, a table of the last four. Move the near cases to the front: nothing is lowered.",
  ],
  [
    "jump-table",
    "Jump table, byte by byte",
    "expand-jmx-computation",
    "The dispatch that switch lowering leaves.",
    "LEA and BRX, the text layout, and each entry's four bytes: its target relative to the table. The gap holds the default.",
  ],
  [
    "jump-table-unbounded",
    "Jump table without a bound",
    "expand-jmx-computation",
    "The twin: the index may be anything.",
    "4 * index could wrap around, so the index is clamped before LEA: a condition that the reference does not state.",
  ],
  [
    "forwarding-table",
    "Table through empty blocks",
    "do-switch-opt-first",
    "Entries and a BSSY that lead to blocks which only jump on.",
    "Handler A's second half names the final blocks. Give knob 351 the value 1 to stop it after one.",
  ],
];
