/** Value numbering in several modes on the same input: counts, and instruction by instruction what each mode takes or misses. */

import { useMemo } from "react";
import type { GvnModeReport } from "../../../engine/api/types.ts";
import { conditionName } from "../../names/conditions.ts";
import { useActions, useEngineQuery } from "../../session/hooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import panel from "../shared/panel.module.css";
import { CONDITION_TITLES, LEADS } from "./fate.ts";
import styles from "./values.module.css";

/** Instructions listed; the rest is counted. */
const MOST_ROWS = 300;

const MODE_NAMES: Readonly<Record<number, string>> = {
  0: "none",
  1: "each block by itself",
  2: "dominator chain",
  3: "scoped walk, all dominators",
  4: "scoped walk, all dominators",
  5: "scoped walk, extended blocks",
  6: "scoped walk, all dominators",
};

const COUNTS = [
  ["movs", "MOVs made"],
  ["removed", "removed"],
  ["joins", "joins"],
] as const;

interface Row {
  readonly inst: number;
  readonly block: number;
  readonly label: string;
  readonly text: string;
}

export function ValueModes({ run }: { readonly run: number }) {
  const { selection } = useActions();
  const { data, fresh, error } = useEngineQuery(`modes|${run}`, (api) => api.gvnModes(run));
  const rows = useMemo(() => rowsOf(data ?? []), [data]);
  if (error !== null) return <EmptyState title="The modes could not be compared.">{error}</EmptyState>;
  if (data === null) return <EmptyState title="Running each mode…" />;
  const cells = data.map((mode) => new Map([...mode.replaced, ...mode.missed].map((r) => [r.inst, r] as const)));
  return (
    <div className={panel.scroll} aria-busy={!fresh}>
      <table className={panel.table}>
        <caption>Each mode on the input of this phase, ignoring its gates</caption>
        <thead>
          <tr>
            <th scope="col">Knob 402</th>
            {data.map((mode) => (
              <th key={`${mode.policy}${mode.asked}`} scope="col">
                {mode.asked}, '{mode.policy}' {mode.current ? <Badge tone="accent">this run</Badge> : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            <th scope="row" className={styles.head}>
              runs as
            </th>
            {data.map((mode) => (
              <td key={`${mode.policy}${mode.asked}`}>
                mode {mode.mode}, {mode.policy === "measured" && mode.mode > 1 ? "across blocks" : (MODE_NAMES[mode.mode] ?? "")}
              </td>
            ))}
          </tr>
          {COUNTS.map(([key, title]) => (
            <tr key={key}>
              <th scope="row" className={styles.head}>
                {title}
              </th>
              {data.map((mode) => (
                <td key={`${mode.policy}${mode.asked}`} className="num">
                  {mode[key]}
                </td>
              ))}
            </tr>
          ))}
          {rows.length > 0 ? null : (
            <tr>
              <th scope="row" className={styles.head}>
                why
              </th>
              {data.map((mode) => (
                <td key={`${mode.policy}${mode.asked}`}>{mode.problem}</td>
              ))}
            </tr>
          )}
          {rows.slice(0, MOST_ROWS).map((row) => (
            <tr key={row.inst}>
              <th scope="row" className={styles.head}>
                <button type="button" className={styles.link} onClick={() => selection.select({ kind: "inst", id: row.inst })}>
                  <code>{row.text}</code>
                </button>{" "}
                <span className="muted">{row.label}</span>
              </th>
              {data.map((mode, i) => (
                <td key={`${mode.policy}${mode.asked}`}>
                  <Outcome entry={cells[i]?.get(row.inst)} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > MOST_ROWS ? <p className={cx(panel.pad, "muted")}>and {rows.length - MOST_ROWS} more instructions</p> : null}
    </div>
  );
}

type Entry = GvnModeReport["replaced"][number] | GvnModeReport["missed"][number];

function Outcome({ entry }: { readonly entry: Entry | undefined }) {
  if (entry === undefined) return null;
  if ("after" in entry) {
    return entry.after === null ? (
      <Badge tone="ok">removed</Badge>
    ) : (
      <>
        <Badge tone="ok">✓</Badge> <code>{entry.after}</code>
      </>
    );
  }
  // A number of its own there: what the other mode found equal, this one did not.
  if (LEADS.has(entry.condition) || entry.condition === "") {
    return (
      <>
        <Badge tone="warn" title={entry.why}>
          missed
        </Badge>{" "}
        <span className="muted">{entry.condition === "" ? "not examined" : "new number here"}</span>
      </>
    );
  }
  return (
    <>
      <Badge tone="warn" title={`${entry.condition}: ${CONDITION_TITLES[entry.condition] ?? entry.why}`}>
        missed: {conditionName(entry.condition).plain}
      </Badge>{" "}
      <span className="muted">{entry.why}</span>
    </>
  );
}

/** Every instruction that some mode replaces, in program order as far as one mode's lists tell it. */
function rowsOf(modes: readonly GvnModeReport[]): readonly Row[] {
  const rows = new Map<number, Row>();
  for (const { replaced } of modes)
    for (const { inst, block, label, before } of replaced) rows.set(inst, { inst, block, label, text: before });
  return [...rows.values()].sort((a, b) => a.block - b.block || a.inst - b.inst);
}
