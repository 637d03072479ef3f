/** Class masks: 64 bits a block, and the accumulator, bit by bit and by the bits' names. */

import { Row } from "../../../ui/layout.tsx";
import { BitRow, memberText } from "../bit-row.tsx";
import { type CellObject, numberOf } from "../cells.ts";
import { records, view } from "../table.tsx";

/** The engine's own table is checked against this one by a test. `stated`: the reference gives the number. */
export const CLASS_BITS: readonly { readonly bit: number; readonly name: string; readonly stated: boolean }[] = [
  { bit: 0, name: "base eligibility", stated: true },
  { bit: 20, name: "address space class, low bit", stated: true },
  { bit: 21, name: "address space class, high bit", stated: true },
  { bit: 25, name: "uniform destination", stated: true },
  { bit: 27, name: "non-volatile memory reference", stated: true },
  { bit: 28, name: "non-invariant address", stated: true },
  { bit: 29, name: "specific addressing mode", stated: true },
  { bit: 32, name: "predicated", stated: false },
  { bit: 33, name: "volatile", stated: false },
];

const ACCUMULATOR = "acc";

export const ClassTableView = view(
  (cells) =>
    records<CellObject>(cells)
      .filter(({ key }) => key !== "meta")
      .map(({ key, cell }) => ({ key, words: [numberOf(cell.lo, 0), numberOf(cell.hi, 0)] }))
      .sort((a, b) => (a.key === ACCUMULATOR ? -1 : b.key === ACCUMULATOR ? 1 : Number(a.key.slice(1)) - Number(b.key.slice(1)))),
  {
    most: 500,
    columns: [
      { title: "Block", head: true, cell: ({ key }) => (key === ACCUMULATOR ? "accumulator" : `order ${key.slice(1)}`) },
      { title: "Bits 0 to 63", cell: ({ words }) => <BitRow words={words} label={`bits ${memberText(words)}`} /> },
      { title: "Set", mono: true, cell: ({ words }) => memberText(words) },
      {
        title: "Classes seen",
        cell: ({ words }) => (
          <Row wrap gap="hair" className="small">
            {CLASS_BITS.filter(({ bit }) => (((words[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1).map(({ bit, name, stated }) => (
              <span key={bit} className="boxed" title={stated ? `bit ${bit}` : `bit ${bit}: named in the reference without a number`}>
                {name}
              </span>
            ))}
          </Row>
        ),
      },
    ],
  },
);
