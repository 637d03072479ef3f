/** The six-slot ring of copy pairs: slots in a circle, the next one marked. */

import { Panel, Row } from "../../../ui/layout.tsx";
import { plural } from "../../../ui/plural.ts";
import { numberOf, objectCell, showCell } from "../cells.ts";
import { RecordBytes } from "../record-bytes.tsx";
import { SLOT_BASE, SLOT_BYTES, slotRecord } from "../record-layouts.ts";
import structures from "../structures.module.css";
import { cellClass, type StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const SLOTS = [0, 1, 2, 3, 4, 5];

export function CopyRingView(props: StructureViewProps) {
  const { structure, selected, onSelect } = props;
  const next = numberOf(structure.cells.get("next"));
  const selectedSlot = selected !== null && /^slot\d$/.test(selected) ? Number(selected.slice(4)) : null;
  const evictions = numberOf(structure.cells.get("evictions"), 0);
  return (
    <Panel pad={2}>
      <Row wrap gap={1} className="mono">
        {SLOTS.map((i) => {
          const key = `slot${i}`;
          const slot = objectCell(structure.cells, key);
          return (
            <button key={key} type="button" className={cellClass(props, key, structures.cell)} onClick={() => onSelect(key)}>
              <small>
                slot {i} · +0x{(SLOT_BASE + SLOT_BYTES * i).toString(16)}
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
      </Row>
      <p className={styles.note}>
        A new pair is stored in the marked slot and evicts the pair there: {plural(evictions, "pair")} evicted in this block so far. The
        context has 0x168 bytes: +0 the compilation, +8 and +9 bits 2 and 3 of +1396, +0xc the next slot ({next}), then the slots.
      </p>
      <RecordBytes
        record={selectedSlot === null ? null : slotRecord(selectedSlot, objectCell(structure.cells, `slot${selectedSlot}`))}
        pick="Select a slot to see its bytes."
      />
    </Panel>
  );
}
