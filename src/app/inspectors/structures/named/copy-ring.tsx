/** The six-slot ring of copy pairs: slots in a circle, the next one marked. */

import { cx } from "../../../ui/cx.ts";
import { plural } from "../../../ui/plural.ts";
import { numberOf, objectCell, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const SLOTS = [0, 1, 2, 3, 4, 5];

export function CopyRingView({ structure, focused, selected, onSelect }: StructureViewProps) {
  const next = numberOf(structure.cells.get("next"));
  const evictions = numberOf(structure.cells.get("evictions"), 0);
  return (
    <div className={structures.canvas}>
      <div className={structures.items}>
        {SLOTS.map((i) => {
          const key = `slot${i}`;
          const slot = objectCell(structure.cells, key);
          return (
            <button
              key={key}
              type="button"
              className={cx(
                structures.cell,
                focused.has(key) && structures.focused,
                structure.touched.has(key) && structures.touched,
                selected === key && structures.selected,
              )}
              onClick={() => onSelect(key)}
            >
              <small>
                slot {i}
                {i === next ? " ← next" : ""}
              </small>
              {slot === null ? (
                <span className="muted">empty</span>
              ) : (
                <span>
                  {showCell(slot.dest)} ← {showCell(slot.source)}
                </span>
              )}
              <small>{slot === null ? "–" : `${plural(numberOf(slot.count, 0), "pair")}${slot.changed === true ? ", fired" : ""}`}</small>
            </button>
          );
        })}
      </div>
      <p className={styles.note}>
        A new pair goes into the marked slot and evicts what stands there: {plural(evictions, "pair")} evicted in this block so far.
      </p>
    </div>
  );
}
