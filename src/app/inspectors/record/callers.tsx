/** Who reads the record's bits, and who calls the analysis for them. */

import { DataTable } from "../../ui/data-table.tsx";
import { BIT_READERS, CALL_SITES, CALLERS } from "./readers.ts";

export function Readers() {
  return (
    <>
      <details className="pad">
        <summary>Who reads the bits of +280</summary>
        <DataTable
          rows={BIT_READERS}
          rowKey={({ bit }) => bit}
          columns={[
            { title: "Bit", head: true, cell: ({ bit }) => bit },
            { title: "In ptxas", cell: ({ readers }) => <Lines of={readers} /> },
            { title: "Here", cell: ({ here }) => <Lines of={here} /> },
          ]}
        />
      </details>
      <details className="pad">
        <summary>Who calls the analysis</summary>
        <p className="muted">
          {CALL_SITES.all} calls: {CALL_SITES.incremental} incremental (force = 0), {CALL_SITES.full} of a full rebuild (force = 1). These
          callers are known by name; the others are known only to edit the graph or the list of blocks.
        </p>
        <DataTable
          rows={CALLERS}
          rowKey={({ pass }) => pass}
          columns={[
            { title: "Pass", head: true, cell: ({ pass }) => pass },
            { title: "force", cell: ({ force }) => (force === null ? "not given" : force ? "1" : "0") },
            { title: "Why", cell: ({ why }) => why },
            { title: "Functions", mono: true, cell: ({ functions }) => functions },
          ]}
        />
      </details>
    </>
  );
}

function Lines({ of }: { readonly of: readonly string[] }) {
  return of.map((line) => <div key={line}>{line}</div>);
}
