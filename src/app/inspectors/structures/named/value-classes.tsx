/** Value numbers as classes: everything that has one number, with its leader first. */

import { useMemo } from "react";
import { useActions } from "../../../session/hooks.ts";
import { cx } from "../../../ui/cx.ts";
import { valueHue } from "../../../ui/value-hue.ts";
import panel from "../../shared/panel.module.css";
import { isObject, numberOf, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const MOST = 400;

interface Member {
  readonly key: string;
  readonly reg: string;
  readonly block: string;
}

export function ValueClassesView({ structure, focused }: StructureViewProps) {
  const actions = useActions();
  const classes = useMemo(() => {
    const found = new Map<number, Member[]>();
    for (const [key, value] of structure.cells) {
      if (!isObject(value)) continue;
      const number = numberOf(value.number);
      const member = { key, reg: showCell(value.reg), block: showCell(value.block) };
      const known = found.get(number);
      if (known === undefined) found.set(number, [member]);
      else known.push(member);
    }
    // What is computed more than once is what one comes to see.
    return [...found].sort((a, b) => b[1].length - a[1].length || a[0] - b[0]);
  }, [structure.cells]);
  return (
    <div className={panel.scroll}>
      <table className={panel.table}>
        <thead>
          <tr>
            <th scope="col">Number</th>
            <th scope="col">Held by, leader first</th>
          </tr>
        </thead>
        <tbody>
          {classes.slice(0, MOST).map(([number, members]) => (
            <tr
              key={number}
              className={cx(
                members.some((m) => structure.touched.has(m.key)) && panel.changed,
                members.some((m) => focused.has(m.key)) && panel.current,
              )}
            >
              <th scope="row" className="mono">
                <span className={styles.swatch} style={{ background: valueHue(number) }} />
                {number}
              </th>
              <td>
                <div className={structures.items}>
                  {members.map((m) => (
                    <button
                      key={m.key}
                      type="button"
                      className={structures.cell}
                      onClick={() => actions.selection.select({ kind: "inst", id: Number(m.key) })}
                    >
                      {m.reg} in {m.block}
                    </button>
                  ))}
                </div>
              </td>
            </tr>
          ))}
        </tbody>
      </table>
      {classes.length > MOST ? <p className={cx(panel.pad, "muted")}>and {classes.length - MOST} more numbers</p> : null}
    </div>
  );
}
