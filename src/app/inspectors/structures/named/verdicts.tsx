/** Lists of conditions with a verdict each: merge gates by pair, and the conditions of EQUIV. */

import type { EquivPairRow, EquivVerdictRow } from "../../../../engine/passes/late-ori-commoning/rows.ts";
import type { CellValue } from "../../../session/moment.ts";
import { Badge } from "../../../ui/badge.tsx";
import { cx } from "../../../ui/cx.ts";
import { Panel, Stack } from "../../../ui/layout.tsx";
import { isObject, objectCell, showCell } from "../cells.ts";
import { Note, records, view } from "../table.tsx";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const MOST = 200;
/** The row of what is compared. */
const PAIR = "pair";

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
    <Panel pad={2}>
      {pairs.length === 0 ? <p className="muted">No pair of candidates had the same hash yet.</p> : null}
      {pairs.slice(-MOST).map(([pair, value]) => (
        <Stack
          as="section"
          gap="hair"
          pad={[2, 0]}
          key={pair}
          className={cx("line-below", structure.touched.has(pair) && "is-changed", focused.has(pair) && "is-current")}
        >
          <h4>{pair}</h4>
          {(Array.isArray(value) ? (value as readonly CellValue[]) : []).map((gate, i) =>
            isObject(gate) ? (
              <Check key={`${pair}-${i.toString()}`} name={showCell(gate.gate)} ok={gate.ok === true} sentence={showCell(gate.sentence)} />
            ) : null,
          )}
        </Stack>
      ))}
      {pairs.length > MOST ? (
        <p className="muted">
          The last {MOST} of {pairs.length} pairs.
        </p>
      ) : null}
    </Panel>
  );
}

/** The seven conditions for one pair of instructions. */
export const EquivView = view(
  (cells) =>
    records<EquivVerdictRow>(cells)
      .filter(({ key }) => key !== PAIR)
      .sort((a, b) => a.key.localeCompare(b.key, "en")),
  {
    label: "The conditions with the values compared",
    empty: ({ cells }) => (cells.has(PAIR) ? "No condition has been checked yet." : "No pair has been compared yet."),
    above: ({ structure }) => {
      const pair = objectCell(structure.cells, PAIR) as Partial<EquivPairRow> | null;
      if (pair === null) return null;
      return (
        <Note>
          <code>{showCell(pair.existing ?? null)}</code> against <code>{showCell(pair.current ?? null)}</code>
        </Note>
      );
    },
    columns: [
      {
        title: "condition",
        head: true,
        cell: ({ key, cell: { verdict } }) => (
          <>
            {key} <Badge tone={verdict === "yes" ? "ok" : "warn"}>{verdict === "yes" ? "yes" : "no"}</Badge>
          </>
        ),
      },
      { title: "candidate", mono: true, breaks: true, cell: ({ cell: { values } }) => showCell(values?.[0] ?? null) },
      { title: "instruction", mono: true, cell: ({ cell: { values } }) => showCell(values?.[1] ?? null) },
    ],
    detail: ({ cell: { why } }) => <span className="muted">{showCell(why ?? null)}</span>,
  },
);
