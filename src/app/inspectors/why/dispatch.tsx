/** What each backend has in the slot that a phase dispatches to; the one of this run is marked, stubs are greyed. */

import type { DispatchRow } from "../../../engine/api/types.ts";
import { Badge } from "../../ui/badge.tsx";
import panel from "../shared/panel.module.css";

export function Dispatch({ rows, target }: { readonly rows: readonly DispatchRow[]; readonly target: string }) {
  const slot = rows[0]?.slot ?? null;
  return (
    <table className={panel.table}>
      <caption>{slot === null ? "By backend" : `Slot ${slot} by backend`}</caption>
      <thead>
        <tr>
          <th scope="col">Backend</th>
          <th scope="col">Holds</th>
          <th scope="col">What it does</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => {
          const own = row.targets.includes(target);
          return (
            <tr key={row.backend} className={row.handler === "no-op" ? "muted" : undefined} aria-current={own ? "true" : undefined}>
              <th scope="row" title={`${row.targets.join(", ")}; vtable ${row.vtable}`}>
                {row.backend} {own ? <Badge tone="accent">this run</Badge> : null}
              </th>
              <td className="mono">
                {HOLDS[row.handler]}
                {row.symbol === null ? "" : ` ${row.symbol}`}
              </td>
              <td>{row.does}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

const HOLDS: Readonly<Record<DispatchRow["handler"], string>> = {
  "no-op": "no-op",
  A: "handler A",
  B: "handler B",
  body: "body",
  hook: "hook",
};
