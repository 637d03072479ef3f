/** Text of instructions and operands for the sentences of copy propagation. */

import type { Func, Inst } from "../ir/types.ts";
import { printOperand } from "../text/print-operand.ts";
import { printInst as print } from "../text/printer.ts";

export const printInst = (fn: Func, inst: Inst): string => print(fn, inst).trim();

/** What a use reads instead: operand `index` of the copy, or of the instruction itself. */
export const printSource = (fn: Func, inst: Inst, index: number): string => printOperand(fn, inst, index);
