/** Where the binary has the phase: its vtable, and its functions with what they do and their sizes. */

import type { PhaseRun } from "../../../engine/api/types.ts";
import { PHASE_FACTORY, provenanceOf } from "../../names/provenance.ts";
import { DataTable } from "../../ui/data-table.tsx";

export function SourceBlock({ group, phase }: { readonly group: PhaseRun["group"]; readonly phase: number | null }) {
  const source = provenanceOf(group, phase);
  if (source === null) return null;
  return (
    <details>
      <summary>In the binary</summary>
      <p className="pad muted">
        {source.vtable === null ? "" : `Vtable ${source.vtable}. `}
        {source.isNoOp === null ? "" : `isNoOp says ${source.isNoOp ? "yes, unless a backend sets it" : "no"}. `}
        {group === "ptxas" ? `Made by ${PHASE_FACTORY}. ` : ""}
        {source.functions.length === 0 ? "The reference gives no addresses for its functions. " : ""}
        Section: {source.section}.
      </p>
      {source.functions.length === 0 ? null : (
        <DataTable
          label="Functions"
          rows={source.functions}
          rowKey={({ name }) => name}
          columns={[
            { title: "Function", head: true, mono: true, cell: ({ name }) => name },
            { title: "Bytes", align: "end", cell: ({ bytes }) => bytes ?? "–" },
            { title: "What it is", cell: ({ does }) => does },
          ]}
        />
      )}
    </details>
  );
}
