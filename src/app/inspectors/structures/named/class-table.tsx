/** Class masks: 64 bits a block, and the accumulator. */

import { cx } from "../../../ui/cx.ts";
import panel from "../../shared/panel.module.css";
import { BitRow, memberText } from "../bit-row.tsx";
import { isObject, numberOf } from "../cells.ts";
import type { StructureViewProps } from "../view.ts";

const MOST = 500;

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
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}
