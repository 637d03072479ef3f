/** Phase 64: candidates by hash, and the dominators of the current block as words of bits. */

import type { ChainRow, DomSetRow } from "../../../../engine/passes/late-ori-commoning/rows.ts";
import { cx } from "../../../ui/cx.ts";
import { Panel, Row } from "../../../ui/layout.tsx";
import { BitRow, memberText } from "../bit-row.tsx";
import { isObject, numberOf, objectCell, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import { records, view } from "../table.tsx";
import { cellClass, type StructureViewProps } from "../view.ts";

const MOST = 500;

/** A row a hash: its chain, the latest candidate first, each with its register, the register's slot (+92) and the value's number. */
export function EquivalenceTableView(props: StructureViewProps) {
  const { structure, selected, onSelect } = props;
  const rows = [...structure.cells].sort(([a], [b]) => a.localeCompare(b, "en"));
  if (rows.length === 0) {
    return (
      <Panel pad={2}>
        <p className="muted">No candidate has been seen yet.</p>
      </Panel>
    );
  }
  return (
    <Panel pad={2}>
      <ul className={cx(structures.buckets, "mono small")} aria-label="Candidates by hash">
        {rows.slice(0, MOST).map(([hash, value]) => (
          <li key={hash} style={{ display: "contents" }}>
            <button
              type="button"
              className={cellClass(props, hash, structures.bucket)}
              aria-pressed={selected === hash}
              onClick={() => onSelect(hash)}
            >
              {hash}
            </button>
            <Row as="span" wrap gap="hair" pad={["hair", 1]} className={cx(structures.chain, "line-below")}>
              {(Array.isArray(value) ? (value as ChainRow) : []).map((entry, i) =>
                isObject(entry) ? (
                  <span key={showCell(entry.id)} style={{ display: "contents" }}>
                    {i > 0 ? (
                      <span className="muted" aria-hidden="true">
                        →
                      </span>
                    ) : null}
                    <span className={structures.cell}>
                      <span>{showCell(entry.inst)}</span>
                      <small>
                        {showCell(entry.reg)} · slot {showCell(entry.slot)} · number {showCell(entry.number)}
                      </small>
                    </span>
                  </span>
                ) : null,
              )}
            </Row>
          </li>
        ))}
      </ul>
      {rows.length > MOST ? <p className="muted">and {rows.length - MOST} more</p> : null}
    </Panel>
  );
}

/** Words of the set, each with its bits and the numbers of their blocks. */
export const DomSetView = view(
  (cells) =>
    records<DomSetRow>(cells)
      .map(({ key, cell }) => ({ key, word: Number(key), bits: numberOf(cell.bits, 0) }))
      .sort((a, b) => a.word - b.word),
  {
    caption: ({ cells }) => `Dominators of the block with number ${showCell(objectCell(cells, "0")?.block)}`,
    empty: "No block has been queried yet.",
    most: MOST,
    columns: [
      { title: "Word", head: true, cell: ({ word }) => `dom_set[${word}]` },
      { title: "Value", mono: true, cell: ({ bits }) => `0x${(bits >>> 0).toString(16).toUpperCase().padStart(8, "0")}` },
      { title: "Bits 0 to 31", cell: ({ word, bits }) => <BitRow words={[bits]} label={`bits ${memberText([bits], word * 32)}`} /> },
      { title: "Blocks", mono: true, cell: ({ word, bits }) => memberText([bits], word * 32) },
    ],
  },
);
