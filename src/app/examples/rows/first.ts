/** First programs: what a course draws on the board, in Bril, and small kernels in C beside their PTX. */

import type { OriRow } from "../example.ts";

export const BRIL: readonly OriRow[] = [
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

/** Kernels in C, with the PTX that nvcc 13.0 makes of them: each line of C is before its instructions. */
export const FROM_C: readonly OriRow[] = [
  [
    "sum_positive",
    "Sum of positives · C",
    "general-optimize",
    "A loop with a condition in it.",
    "The condition became a maximum, so no branch is left. Copies of the parameters are propagated into their uses.",
  ],
  ["factorial", "Factorial · C", "general-optimize", "A loop that counts down.", "The test is at the end of the loop, and once before it."],
  ["gcd", "Greatest common divisor · C", "general-optimize", "Two values that replace each other.", "Which copies survive?"],
  [
    "fibonacci",
    "Fibonacci · C",
    "general-optimize",
    "A loop that carries two values along.",
    "Some copies are propagated; those around the loop must stay.",
  ],
  ["count_bits", "Bits of a word · C", "general-optimize", "A loop with a shift.", "The condition became an addition."],
  [
    "is_prime",
    "Is it prime? · C",
    "general-optimize",
    "A loop with a break.",
    "One loop with two exits; its tests read copies of the number.",
  ],
  [
    "bubble_sort",
    "Bubble sort · C",
    "general-optimize",
    "Two loops and a swap.",
    "Which copies of the address are propagated, and which the loop needs.",
  ],
  [
    "find",
    "Binary search · C",
    "optimize-nested-cond-branches",
    "A loop with a three-way branch.",
    "See where the compares of one value are.",
  ],
  [
    "compare_strings",
    "Comparison of strings · C",
    "general-optimize",
    "A loop with two conditions.",
    "The second test runs only when the first is true.",
  ],
  [
    "multiply",
    "Matrix product · C",
    "general-optimize",
    "Three loops.",
    "Bounds and addresses are copies: each use reads the original instead.",
  ],
  [
    "days_in_month",
    "Days of a month · C",
    "do-switch-opt-second",
    "A switch with four equal cases.",
    "nvcc turns it into a bit test: a mask instead of a table.",
  ],
  [
    "count_words",
    "Words of a text · C",
    "general-optimize",
    "A state machine in a variable.",
    "See where the state is a constant, and where it stays a register.",
  ],
];
