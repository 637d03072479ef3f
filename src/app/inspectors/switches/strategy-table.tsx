/** The three strategies of a switch: by the formulas of the reference, and as the interpreter counted them. */

import type { SwitchReport } from "../../../engine/api/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { type Column, DataTable } from "../../ui/data-table.tsx";

const TITLES = { cascade: "cascade", table: "jump table", tree: "search tree" } as const;

const COLUMNS = [
  ["instructions", "Instructions", "Warp instructions issued by the dispatch, without the case bodies"],
  ["divergencePoints", "Divergence", "Branches at which lanes diverged"],
  ["syncEntries", "Sync", "Deepest nesting of reconvergence points; the hardware's sync stack has 16 to 32 entries"],
] as const;

const MEASURED = { instructions: "instructions", divergencePoints: "divergentBranches", syncEntries: "syncDepth" } as const;

const BODIES = "How many times a case body was entered: the lanes of one body may arrive in several groups";

type StrategyCost = SwitchReport["strategies"][number];

export function StrategyTable({ report, chosen }: { readonly report: SwitchReport; readonly chosen: keyof typeof TITLES }) {
  return (
    <DataTable
      caption="Worst case by formula, and as measured on these lanes"
      rows={report.strategies}
      rowKey={({ strategy }) => strategy}
      marks={({ strategy }) => ({ current: strategy === chosen })}
      columns={[
        {
          title: "Strategy",
          head: true,
          nowrap: false,
          cell: ({ strategy, problem }) => (
            <>
              {TITLES[strategy]} {strategy === chosen ? <Badge tone="accent">chosen</Badge> : null}
              {problem === null ? null : <div className="quiet">not measured: {problem}</div>}
            </>
          ),
        },
        ...COLUMNS.map(
          ([key, title, about]): Column<StrategyCost> => ({
            title,
            about,
            align: "end",
            cell: ({ predicted, measured }) => (
              <>
                <span className="muted">{predicted[key]} · </span>
                <strong>{measured === null ? "–" : measured[MEASURED[key]]}</strong>
              </>
            ),
          }),
        ),
        { title: "Table bytes", about: "Size of the jump table in bytes", align: "end", cell: ({ predicted }) => predicted.dataBytes },
        { title: "Bodies", about: BODIES, align: "end", cell: ({ measured }) => measured?.bodies ?? "–" },
      ]}
    />
  );
}
