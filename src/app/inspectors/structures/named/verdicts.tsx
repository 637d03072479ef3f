/** Lists of conditions with a verdict each: merge gates by pair, and the conditions of EQUIV. */

import type { EquivPairRow, EquivVerdictRow } from "../../../../engine/passes/late-ori-commoning/rows.ts";
import type { CellValue } from "../../../session/moment.ts";
import { Badge } from "../../../ui/badge.tsx";
import { cx } from "../../../ui/cx.ts";
import panel from "../../shared/panel.module.css";
import { type CellObject, isObject, objectCell, showCell } from "../cells.ts";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const MOST = 200;

function Check({ name, ok, sentence }: { readonly name: string; readonly ok: boolean; readonly sentence: string }) {
  return (
    <div className={styles.check}>
      <span>
        <Badge tone={ok ? "ok" : "warn"}>{ok ? "yes" : "no"}</Badge>
      </span>
      <b>{name}</b>
      <span>{sentence}</span>
    </div>
  );
}

/** Each pair of merge candidates with the gates it came to; the first that refuses is the last one. */
export function GatesView({ structure, focused }: StructureViewProps) {
  const pairs = [...structure.cells];
  return (
    <div className={structures.canvas}>
      {pairs.length === 0 ? <p className="muted">No pair of candidates had the same hash yet.</p> : null}
      {pairs.slice(-MOST).map(([pair, value]) => (
        <section key={pair} className={cx(styles.pair, structure.touched.has(pair) && panel.changed, focused.has(pair) && panel.current)}>
          <h4>{pair}</h4>
          {(Array.isArray(value) ? (value as readonly CellValue[]) : []).map((gate, i) =>
            isObject(gate) ? (
              <Check key={`${pair}-${i.toString()}`} name={showCell(gate.gate)} ok={gate.ok === true} sentence={showCell(gate.sentence)} />
            ) : null,
          )}
        </section>
      ))}
      {pairs.length > MOST ? (
        <p className="muted">
          The last {MOST} of {pairs.length} pairs.
        </p>
      ) : null}
    </div>
  );
}

function Condition({ name, value }: { readonly name: string; readonly value: CellObject }) {
  const { verdict, why, values } = value as Partial<EquivVerdictRow>;
  const ok = verdict === "yes";
  const [candidate, current] = values ?? [];
  return (
    <tbody className={styles.condition}>
      <tr>
        <td rowSpan={2}>
          <b>{name}</b> <Badge tone={ok ? "ok" : "warn"}>{ok ? "yes" : "no"}</Badge>
        </td>
        <td>
          <code>{showCell(candidate ?? null)}</code>
        </td>
        <td>
          <code>{showCell(current ?? null)}</code>
        </td>
      </tr>
      <tr>
        <td colSpan={2} className="muted">
          {showCell(why ?? null)}
        </td>
      </tr>
    </tbody>
  );
}

/** The seven conditions for one pair of instructions. */
export function EquivView({ structure }: StructureViewProps) {
  const pair = objectCell(structure.cells, "pair") as Partial<EquivPairRow> | null;
  const conditions = [...structure.cells].filter(([key]) => key !== "pair").sort(([a], [b]) => a.localeCompare(b, "en"));
  return (
    <div className={structures.canvas}>
      {pair === null ? (
        <p className="muted">No pair has been compared yet.</p>
      ) : (
        <p className={styles.note}>
          <code>{showCell(pair.existing ?? null)}</code> against <code>{showCell(pair.current ?? null)}</code>
        </p>
      )}
      {conditions.length === 0 ? null : (
        <table className={panel.table}>
          <caption className="visually-hidden">The conditions with the values compared</caption>
          <thead>
            <tr>
              <th scope="col">condition</th>
              <th scope="col">candidate</th>
              <th scope="col">instruction</th>
            </tr>
          </thead>
          {conditions.map(([name, value]) => (isObject(value) ? <Condition key={name} name={name} value={value} /> : null))}
        </table>
      )}
    </div>
  );
}
