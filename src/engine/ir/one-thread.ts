/** Programs that one thread runs: what an imported Bril program prints is written to one buffer, and what it allocates comes from one region. */

import type { Module } from "./types.ts";

/** What is printed, with the number of bytes in use before it. */
export const OUTPUT_SYMBOL = "bril.output";
/** Cells of `alloc`, with the number of bytes in use before them. */
export const HEAP_SYMBOL = "bril.heap";

/** With more threads the program would have a race, and its results would prove nothing. */
export const runsAlone = ({ symbols }: Pick<Module, "symbols">): boolean =>
  symbols.some(({ name }) => name === OUTPUT_SYMBOL || name === HEAP_SYMBOL);

/** The default number of threads: `usual`, or one. */
export const threadsFor = (module: Pick<Module, "symbols">, usual: number): number => (runsAlone(module) ? 1 : usual);
