/** Text of instructions and operands for the sentences of copy propagation. */

import type { Func, Inst, Operand } from "../ir/types.ts";
import { GUARD_INDEX } from "../ir/visit.ts";
import { printOperand } from "../text/print-operand.ts";
import { printInst as print } from "../text/printer.ts";

export const printInst = (fn: Func, inst: Inst): string => print(fn, inst).trim();

/** An operand as it stands in operand `index` of the instruction (-1: its guard). */
export function printOperandText(fn: Func, inst: Inst, index: number, source: Operand): string {
  return printOperand(fn, { ...inst, ops: [source] }, 0) || (index === GUARD_INDEX ? "a predicate" : "a value");
}
