/** Phase 64: candidates by hash, and the dominators of the block at hand as words of bits. */

import type { ChainRow, DomSetRow } from "../../../../engine/passes/late-ori-commoning/rows.ts";
import { cx } from "../../../ui/cx.ts";
import panel from "../../shared/panel.module.css";
import { BitRow, memberText } from "../bit-row.tsx";
import { isObject, numberOf, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";

const MOST = 500;

/** A row a hash: its chain, the latest candidate first, each with its register, the register's slot (+92) and the value's number. */
export function EquivalenceTableView({ structure, focused, selected, onSelect }: StructureViewProps) {
  const rows = [...structure.cells].sort(([a], [b]) => a.localeCompare(b, "en"));
  if (rows.length === 0) {
    return (
      <div className={structures.canvas}>
        <p className="muted">No candidate has been seen yet.</p>
      </div>
    );
  }
  return (
    <div className={structures.canvas}>
      <ul className={structures.buckets} aria-label="Candidates by hash">
        {rows.slice(0, MOST).map(([hash, value]) => (
          <li key={hash} style={{ display: "contents" }}>
            <button
              type="button"
              className={cx(
                structures.bucket,
                focused.has(hash) && structures.focused,
                structure.touched.has(hash) && structures.touched,
                selected === hash && structures.selected,
              )}
              aria-pressed={selected === hash}
              onClick={() => onSelect(hash)}
            >
              {hash}
            </button>
            <span className={structures.chain}>
              {(Array.isArray(value) ? (value as ChainRow) : []).map((entry, i) =>
                isObject(entry) ? (
                  <span key={showCell(entry.id)} style={{ display: "contents" }}>
                    {i > 0 ? (
                      <span className={structures.arrow} aria-hidden="true">
                        →
                      </span>
                    ) : null}
                    <span className={cx(structures.cell, structures.still)}>
                      <span>{showCell(entry.inst)}</span>
                      <small>
                        {showCell(entry.reg)} · slot {showCell(entry.slot)} · number {showCell(entry.number)}
                      </small>
                    </span>
                  </span>
                ) : null,
              )}
            </span>
          </li>
        ))}
      </ul>
      {rows.length > MOST ? <p className="muted">and {rows.length - MOST} more</p> : null}
    </div>
  );
}

/** Words of the set, each with its bits and the numbers of the blocks that they stand for. */
export function DomSetView({ structure, focused }: StructureViewProps) {
  const rows = [...structure.cells].sort(([a], [b]) => Number(a) - Number(b));
  const [first] = rows;
  const block = first === undefined || !isObject(first[1]) ? null : (first[1] as Partial<DomSetRow>).block;
  return (
    <div className={panel.scroll}>
      <table className={panel.table}>
        <caption>
          {block === null || block === undefined ? "No block has been queried yet" : `Dominators of the block with number ${block}`}
        </caption>
        <thead>
          <tr>
            <th scope="col">Word</th>
            <th scope="col">Value</th>
            <th scope="col">Bits 0 to 31</th>
            <th scope="col">Blocks</th>
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, MOST).map(([word, value]) => {
            const bits = isObject(value) ? numberOf(value.bits, 0) : 0;
            const members = memberText([bits], Number(word) * 32);
            return (
              <tr key={word} className={cx(structure.touched.has(word) && panel.changed, focused.has(word) && panel.current)}>
                <th scope="row">dom_set[{word}]</th>
                <td className="mono">0x{(bits >>> 0).toString(16).toUpperCase().padStart(8, "0")}</td>
                <td>
                  <BitRow words={[bits]} label={`bits ${members}`} />
                </td>
                <td className="mono">{members}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {rows.length > MOST ? <p className={cx(panel.pad, "muted")}>and {rows.length - MOST} more</p> : null}
    </div>
  );
}
