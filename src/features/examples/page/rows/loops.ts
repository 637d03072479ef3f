/** Loops, reducible and not. */

import type { ExampleRow } from "../../../../app/session/example.ts";

export const LOOPS: readonly ExampleRow[] = [
  [
    "sum-positive",
    "Sum of positives",
    "ori-do-predication",
    "One loop with a conditional inside.",
    "Watch the analysis find the loop. In If-conversion the branch inside it becomes a guarded add; Why says what that depends on.",
  ],
  [
    "loop-nest",
    "Loop nest with an exit",
    "analyze-control-flow",
    "Two nested loops; a negative entry leaves both.",
    "IN_LOOP is set on an RPO interval. Compare it with the natural loop: the exit block may be in one but not in the other.",
  ],
  [
    "irreducible",
    "Irreducible loop",
    "analyze-control-flow",
    "A loop that can be entered in two places.",
    "The retreating edge's target does not dominate its source: the RPO violation latch is set, and loop-sensitive phases do nothing.",
  ],
  [
    "divergent-loop",
    "Divergent loop",
    "do-switch-opt-first",
    "Collatz steps: lanes leave at different times.",
    "Run it with 32 threads and look at the divergence counters. The BSSY region cannot be removed.",
  ],
];
