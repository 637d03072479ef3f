/** What each backend has in the slot that a phase dispatches to; the one of this run is marked, stubs are greyed. */

import type { DispatchRow } from "../../../engine/api/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { DataTable } from "../../ui/data-table.tsx";

export function Dispatch({ rows, target }: { readonly rows: readonly DispatchRow[]; readonly target: string }) {
  const slot = rows[0]?.slot ?? null;
  const isOwn = ({ targets }: DispatchRow): boolean => targets.includes(target);
  return (
    <DataTable
      caption={slot === null ? "By backend" : `Slot ${slot} by backend`}
      rows={rows}
      rowKey={({ backend }) => backend}
      marks={(row) => ({ muted: row.handler === "no-op", current: isOwn(row) })}
      columns={[
        {
          title: "Backend",
          head: true,
          tip: ({ targets, vtable }) => `${targets.join(", ")}; vtable ${vtable}`,
          cell: (row) => (
            <>
              {row.backend} {isOwn(row) ? <Badge tone="accent">this run</Badge> : null}
            </>
          ),
        },
        { title: "Holds", mono: true, cell: ({ handler, symbol }) => `${HOLDS[handler]}${symbol === null ? "" : ` ${symbol}`}` },
        { title: "What it does", cell: ({ does }) => does },
      ]}
    />
  );
}

const HOLDS: Readonly<Record<DispatchRow["handler"], string>> = {
  "no-op": "no-op",
  A: "handler A",
  B: "handler B",
  body: "body",
  hook: "hook",
};
