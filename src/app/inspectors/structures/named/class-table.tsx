/** Class masks: 64 bits a block, and the accumulator, bit by bit and by the bits' names. */

import { cx } from "../../../ui/cx.ts";
import panel from "../../shared/panel.module.css";
import { BitRow, memberText } from "../bit-row.tsx";
import { isObject, numberOf } from "../cells.ts";
import styles from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";

const MOST = 500;

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

export function ClassTableView({ structure, focused }: StructureViewProps) {
  const rows = [...structure.cells]
    .filter(([key]) => key !== "meta")
    .sort(([a], [b]) => (a === "acc" ? -1 : b === "acc" ? 1 : Number(a.slice(1)) - Number(b.slice(1))));
  return (
    <div className={panel.scroll}>
      <table className={panel.table}>
        <thead>
          <tr>
            <th scope="col">Block</th>
            <th scope="col">Bits 0 to 63</th>
            <th scope="col">Set</th>
            <th scope="col">Classes seen</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST).map(([key, value]) => {
            const words = isObject(value) ? [numberOf(value.lo, 0), numberOf(value.hi, 0)] : [0, 0];
            const members = memberText(words);
            return (
              <tr key={key} className={cx(structure.touched.has(key) && panel.changed, focused.has(key) && panel.current)}>
                <th scope="row">{key === "acc" ? "accumulator" : `order ${key.slice(1)}`}</th>
                <td>
                  <BitRow words={words} label={`bits ${members}`} />
                </td>
                <td className="mono">{members}</td>
                <td>
                  <span className={styles.names}>
                    {CLASS_BITS.filter(({ bit }) => (((words[bit >> 5] ?? 0) >>> (bit & 31)) & 1) === 1).map(({ bit, name, stated }) => (
                      <span
                        key={bit}
                        className={styles.framed}
                        title={stated ? `bit ${bit}` : `bit ${bit}: named in the reference without a number`}
                      >
                        {name}
                      </span>
                    ))}
                  </span>
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
