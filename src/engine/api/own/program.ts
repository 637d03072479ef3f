/** The program that the code of a user's pass or analysis is given. */

import type { Func, Module } from "../../ir/types.ts";
import { printModule } from "../../text/printer.ts";

/** A program as it is passed to the code. */
export interface GuestProgram {
  /** A module with one body for the pass, followed by the functions that it calls, which are unchanged. */
  readonly text: string;
  /** Smallest unused register by class code: the names that the pipeline has used up. */
  readonly nextReg: readonly number[];
}

/** The text that the sandbox is given for a function; `called`: the functions it calls, where it will be executed. */
export function guestProgram(fn: Func, module: Module, called: readonly Func[] = []): GuestProgram {
  return { text: printModule({ ...module, funcs: [fn, ...called], tail: [] }), nextReg: fn.nextReg };
}
