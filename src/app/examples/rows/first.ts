/** First programs: what a course draws on the board, in Bril, and small kernels in C beside their PTX. */

import type { OriRow } from "../example.ts";

export const BRIL: readonly OriRow[] = [
  ["sum", "Sum · Bril", null, "The sum of 1 to n.", "One loop: its header, its latch, and the way out."],
  [
    "factorial",
    "Factorial · Bril",
    null,
    "A function that calls itself.",
    "Two kernels to choose from: main, and the function that stays one.",
    "factorial",
  ],
  [
    "gcd",
    "Greatest common divisor · Bril",
    "general-optimize-early",
    "Euclid's loop, in a function.",
    "The call is inlined; a division stops the run when it divides by 0.",
  ],
  [
    "nested-loops",
    "Nested loops · Bril",
    "gvn-cse",
    "A table of products: a loop in a loop.",
    "The loop nest, and a product that every turn computes again.",
  ],
  [
    "short-circuit",
    "Short circuit · Bril",
    "optimize-nested-cond-branches",
    "Three conditions, the last of which reads memory.",
    "Which of them may become one, and why the last one may not.",
  ],
  [
    "state-machine",
    "State machine · Bril",
    "branch-folding",
    "Two states that are two places in the program.",
    "Two blocks that end alike.",
  ],
];

/** Kernels in C, with the PTX that nvcc 13.0 makes of them: each line of C stands before its instructions. */
export const FROM_C: readonly OriRow[] = [
  [
    "sum_positive",
    "Sum of positives · C",
    null,
    "A loop with a condition in it.",
    "The condition became a maximum: no branch is left of it.",
  ],
  ["factorial", "Factorial · C", null, "A loop that counts down.", "The test stands at the end, and once before the loop."],
  ["gcd", "Greatest common divisor · C", null, "Two values that take each other's place.", "What the copies become."],
  [
    "fibonacci",
    "Fibonacci · C",
    "general-optimize-early",
    "A loop that moves two values on.",
    "Copies round the loop that no pass may drop.",
  ],
  ["count_bits", "Bits of a word · C", "general-optimize", "A loop that shifts.", "The condition became an addition."],
  ["is_prime", "Is it prime? · C", "ori-branch-opt", "A loop with a break.", "Two ways out of one loop."],
  ["bubble_sort", "Bubble sort · C", "gvn-cse", "Two loops and a swap.", "Loads of the neighbours, and which of them are the same."],
  ["find", "Binary search · C", "optimize-nested-cond-branches", "A loop with three ways on.", "Where the compares of one value stand."],
  [
    "compare_strings",
    "Comparison of strings · C",
    null,
    "A loop with two conditions.",
    "The second test runs only when the first one holds.",
  ],
  ["multiply", "Matrix product · C", "gvn-cse", "Three loops.", "Addresses that are computed again."],
  [
    "days_in_month",
    "Days of a month · C",
    "do-switch-opt-second",
    "A switch with four cases alike.",
    "nvcc makes a bit test of it: a mask instead of a table.",
  ],
  ["count_words", "Words of a text · C", "branch-folding", "A state machine in a variable.", "What is left of the state."],
];
