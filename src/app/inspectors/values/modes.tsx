/** Value numbering in several modes on the same input: counts, and instruction by instruction what each mode takes or misses. */

import { type ReactNode, useMemo } from "react";
import type { GvnModeReport } from "../../../engine/api/types.ts";
import { conditionName } from "../../names/conditions.ts";
import { useActions, useEngineQuery } from "../../session/hooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel } from "../../ui/layout.tsx";
import { CONDITION_TITLES, LEADS } from "./value-outcome.ts";

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
  const outcomes = rows.map(
    ({ inst, label, text }): ModeRow => ({
      key: inst,
      head: (
        <>
          <Button variant="link" onClick={() => selection.select({ kind: "inst", id: inst })}>
            <code>{text}</code>
          </Button>{" "}
          <span className="muted">{label}</span>
        </>
      ),
      cell: (_, i) => <Outcome entry={cells[i]?.get(inst)} />,
    }),
  );
  return (
    <Panel aria-busy={!fresh}>
      <DataTable
        caption="Each mode on the input of this phase, ignoring its gates"
        rows={[...ABOUT_MODES, ...(rows.length > 0 ? outcomes : [WHY_NOT])]}
        rowKey={({ key }) => key}
        most={ABOUT_MODES.length + MOST_ROWS}
        more="instructions"
        columns={[
          { title: "Knob 402", head: true, nowrap: false, cell: ({ head }) => head },
          ...data.map((mode, i) => ({
            key: `${mode.policy}${mode.asked}`,
            title: (
              <>
                {mode.asked}, '{mode.policy}' {mode.current ? <Badge tone="accent">this run</Badge> : null}
              </>
            ),
            cell: ({ cell }: ModeRow) => cell(mode, i),
          })),
        ]}
      />
    </Panel>
  );
}

/** A row of the comparison: of each mode, or of an instruction in each mode. */
interface ModeRow {
  readonly key: string | number;
  readonly head: ReactNode;
  readonly cell: (mode: GvnModeReport, index: number) => ReactNode;
}

const ABOUT_MODES: readonly ModeRow[] = [
  {
    key: "runs as",
    head: "runs as",
    cell: ({ mode, policy }) => `mode ${mode}, ${policy === "measured" && mode > 1 ? "across blocks" : (MODE_NAMES[mode] ?? "")}`,
  },
  ...COUNTS.map(([key, head]): ModeRow => ({ key, head, cell: (mode) => mode[key] })),
];
const WHY_NOT: ModeRow = { key: "why", head: "why", cell: ({ problem }) => problem };

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
  // A separate number there: this mode did not find equal what the other did.
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
