/** First programs: what a course draws on the board. */

import type { ExampleRow } from "../../../app/session/example.ts";

export const ROWS: readonly ExampleRow[] = [
  ["sum", "Sum · Bril", null, "The sum of 1 to n.", "One loop: its header, its latch and its exit."],
  [
    "factorial",
    "Factorial · Bril",
    null,
    "A function that calls itself.",
    "Two kernels to choose from: main, and the function, which is not inlined.",
    "factorial",
  ],
  [
    "gcd",
    "Greatest common divisor · Bril",
    "general-optimize",
    "Euclid's loop, in a function.",
    "The call is inlined; dividing by 0 stops the run.",
  ],
  [
    "nested-loops",
    "Nested loops · Bril",
    "general-optimize",
    "A table of products: a loop in a loop.",
    "The loop nest, and the 1 that both loops add: the constant is folded into the addition.",
  ],
  [
    "short-circuit",
    "Short circuit · Bril",
    "optimize-nested-cond-branches",
    "Three conditions, the last of which reads memory.",
    "Which of them may be combined, and why the last one may not.",
  ],
  [
    "state-machine",
    "State machine · Bril",
    "branch-folding",
    "The two states are two places in the program.",
    "A branch is inverted so that its block falls through; two blocks end in the same way.",
  ],
];
