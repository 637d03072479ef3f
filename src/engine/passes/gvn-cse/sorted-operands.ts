/** Slot 79 of the backend up to version 28671: exchangeable operands sorted by their numbers, and marked. The key that all versions use is sorted, too. */

import { commutes, exchangeable, operandText, type ReadNumber, sourceTexts } from "../../analysis/expression-text.ts";
import type { BlockId } from "../../ir/ids.ts";
import type { Inst } from "../../ir/types.ts";
import { isDefOperand } from "../../ir/visit.ts";
import type { Remarks } from "../../remark/remarks.ts";
import { line } from "../../remark/rules.ts";
import type { ShownTable } from "../../remark/shown.ts";
import type { SortedRow } from "./rows.ts";

/** The line of the hook. */
export const SORTED = {
  sorted: line(
    "    up to version 28671: the backend sorts exchangeable operands by number, and marks them // slot 79; 0x60000000 and 0x40000000",
    {
      kind: "value-number",
      step: {
        kept: "the operands of '{inst}' are in the order of their numbers: {operands}",
        exchanged: "the operands of '{inst}' are sorted by number for its key: {operands}",
      },
    },
  ),
};

/** Source: copy-propagation-and-cse, "Per-Dominated-Block CSE". Which operand gets which mark is chosen. */
const FIRST_MARK = 0x6000_0000;
const SECOND_MARK = 0x4000_0000;

const hex = (mark: number): string => `0x${mark.toString(16)}`;

export class SortedOperands {
  private readonly remark: Remarks;
  private readonly view: ShownTable<SortedRow>;

  constructor(remark: Remarks) {
    this.remark = remark;
    this.view = remark.shown.table<SortedRow>("sorted-operands", "Sorted operands and their marks (slot 79)");
  }

  tell(block: BlockId, inst: Inst, read: ReadNumber): void {
    if (!exchangeable(inst)) return;
    const written = inst.ops.flatMap((operand, i) => (isDefOperand(inst, i) ? [] : [operandText(operand, read)]));
    const sorted = sourceTexts(inst, read).slice(0, commutes(inst) ? 3 : 2);
    const [first = "", second = "", third] = sorted;
    const row = { first, firstMark: hex(FIRST_MARK), second, secondMark: hex(SECOND_MARK) };
    this.view.set(inst.id, () => (third === undefined ? row : { ...row, third }));
    const said = { inst, operands: sorted.join(", "), block, node: this.view.node(inst.id) };
    this.remark.step(SORTED.sorted, sorted.every((text, i) => text === written[i]) ? "kept" : "exchanged", said);
  }
}
