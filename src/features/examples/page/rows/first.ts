/** First programs: small kernels in C with their PTX. */

import type { ExampleRow } from "../../../../app/session/example.ts";

/** Kernels in C, with the PTX that nvcc 13.0 makes of them: each line of C is before its instructions. */
export const FROM_C: readonly ExampleRow[] = [
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
