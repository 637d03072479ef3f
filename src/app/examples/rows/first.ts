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
    "general-optimize",
    "Euclid's loop, in a function.",
    "The call is inlined; a division stops the run when it divides by 0.",
  ],
  [
    "nested-loops",
    "Nested loops · Bril",
    "general-optimize",
    "A table of products: a loop in a loop.",
    "The loop nest, and the 1 that both loops add: a constant that becomes part of the addition.",
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
    "A branch is turned round, so that the block after it follows; two blocks end alike.",
  ],
];

/** Kernels in C, with the PTX that nvcc 13.0 makes of them: each line of C stands before its instructions. */
export const FROM_C: readonly OriRow[] = [
  [
    "sum_positive",
    "Sum of positives · C",
    "general-optimize",
    "A loop with a condition in it.",
    "The condition became a maximum: no branch is left of it. Copies of the parameters go into their readers.",
  ],
  ["factorial", "Factorial · C", "general-optimize", "A loop that counts down.", "The test stands at the end, and once before the loop."],
  ["gcd", "Greatest common divisor · C", "general-optimize", "Two values that take each other's place.", "What the copies become."],
  [
    "fibonacci",
    "Fibonacci · C",
    "general-optimize",
    "A loop that moves two values on.",
    "Copies that are followed, and those around the loop that no pass may drop.",
  ],
  ["count_bits", "Bits of a word · C", "general-optimize", "A loop that shifts.", "The condition became an addition."],
  [
    "is_prime",
    "Is it prime? · C",
    "general-optimize",
    "A loop with a break.",
    "Two exits from one loop; its tests read copies of the number.",
  ],
  [
    "bubble_sort",
    "Bubble sort · C",
    "general-optimize",
    "Two loops and a swap.",
    "Which copies of the address are followed, and which the loop needs.",
  ],
  ["find", "Binary search · C", "optimize-nested-cond-branches", "A loop with three ways on.", "Where the compares of one value stand."],
  [
    "compare_strings",
    "Comparison of strings · C",
    "general-optimize",
    "A loop with two conditions.",
    "The second test runs only when the first one holds.",
  ],
  [
    "multiply",
    "Matrix product · C",
    "general-optimize",
    "Three loops.",
    "Bounds and addresses that are copies: each reader takes the original.",
  ],
  [
    "days_in_month",
    "Days of a month · C",
    "do-switch-opt-second",
    "A switch with four cases alike.",
    "nvcc makes a bit test of it: a mask instead of a table.",
  ],
  [
    "count_words",
    "Words of a text · C",
    "general-optimize",
    "A state machine in a variable.",
    "Where the state is a constant, and where it stays a register.",
  ],
];
