/** Value numbers as a phase shows them in its observed structure: read by the graph, the text and the inspectors. */

import type { ValueNumberRow } from "../../engine/passes/gvn-cse/rows.ts";
import type { CellValue } from "./moment.ts";

/** Instruction to its value number. */
export type ValueNumbers = ReadonlyMap<number, number>;

/** The structure in which a phase shows the number of each instruction. */
export const VALUE_STRUCTURE = "value-numbers";

/** The class of a cell of that structure: the number of the expression; where there is none, of the register's value. null: no such cell. */
export function valueClass(cell: CellValue | undefined): number | null {
  if (typeof cell !== "object" || cell === null || Array.isArray(cell)) return null;
  const { key = -1, number = -1 } = cell as Partial<ValueNumberRow>;
  return key >= 0 ? key : number >= 0 ? number : null;
}

/** As `valueNumbers`, from the cells of the structure. */
export function structureNumbers(cells: ReadonlyMap<string, CellValue>): ValueNumbers {
  const numbers = new Map<number, number>();
  for (const [inst, cell] of cells) {
    const number = valueClass(cell);
    if (number !== null) numbers.set(Number(inst), number);
  }
  return numbers;
}
