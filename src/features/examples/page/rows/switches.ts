/** Chains of compares that become tables and trees, and those that stay. */

import type { ExampleRow } from "../../../../app/session/example.ts";

export const SWITCHES: readonly ExampleRow[] = [
  [
    "switch-dense",
    "Dense switch",
    "do-switch-opt-second",
    "Eight consecutive cases.",
    "The population of the bitmap gives the density, and a jump table wins. Change the limits in Knobs to make the tree win.",
  ],
  [
    "switch-sparse",
    "Sparse switch",
    "do-switch-opt-second",
    "Seven cases far apart.",
    "The range is far too wide for a table, so a binary search tree is built in the order of the value tree.",
  ],
  [
    "switch-cascade",
    "Small switch that stays",
    "do-switch-opt-second",
    "The counterpart of the dense switch: four cases.",
    "Up to four cases stay a cascade. Set switch-cascade-max-cases to 3, or choose 'as measured on ptxas 13', and it becomes a table.",
  ],
  [
    "switch-duplicates",
    "Repeated case",
    "do-switch-opt-second",
    "One value is tested twice.",
    "The value's bit is already in the tree: the first target wins, and the second loses its edge.",
  ],
  [
    "switch-extremes",
    "Extremes of int32",
    "do-switch-opt-second",
    "INT_MIN and INT_MAX in one switch.",
    "The range is 4294967296. The tree of values gets nodes far apart: watch the insertions and rotations.",
  ],
  [
    "switch-interleaved",
    "Computation between compares",
    "do-switch-opt-second",
    "A multiplication in the middle of the chain.",
    "It is pure and dead at the earlier cases, so it moves. With SwitchOptExtendedPatternMatch off, the chain ends there.",
  ],
  [
    "switch-profile",
    "Switch with a profile",
    "do-switch-opt-second",
    "Dense enough for a table, but with block weights.",
    "The phase returns at once. Delete the .weight lines and it lowers the switch.",
  ],
  [
    "switch-vote",
    "Switch before a vote",
    "do-switch-opt-second",
    "The default case counts the lanes that reach it together.",
    "Refused: lanes in the gap and lanes out of range would vote separately. Change value 14 to 13 and it is lowered.",
  ],
  [
    "switch-prefix",
    "Far cases, then near ones",
    "do-switch-opt-second",
    "The order of the compares matters to ptxas.",
    "As documented, it becomes one tree; as measured on ptxas 13, a table of the last four. With the near cases moved to the front, nothing is lowered.",
  ],
  [
    "jump-table",
    "Jump table, byte by byte",
    "expand-jmx-computation",
    "The dispatch code that switch lowering produces.",
    "LEA and BRX, the layout of the code, and the four bytes of each entry: its target relative to the table. Gaps hold the default.",
  ],
  [
    "jump-table-unbounded",
    "Jump table without a bound",
    "expand-jmx-computation",
    "The counterpart: the index may be anything.",
    "4 * index could wrap around, so the index is clamped before LEA. The reference does not state this condition.",
  ],
  [
    "forwarding-table",
    "Table through empty blocks",
    "do-switch-opt-first",
    "Table entries and a BSSY that target blocks with nothing but a jump.",
    "Handler A's second half retargets them to the final blocks. Set knob 351 to 1 to stop it after one.",
  ],
];
