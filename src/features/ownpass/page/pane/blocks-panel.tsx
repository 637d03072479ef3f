/** An analysis's result for each block of the shown program, next to the built-in one: as on the graph, in a table. */

import { useActions, useSession } from "../../../../app/session/hooks.ts";
import { Badge } from "../../../../app/ui/badge.tsx";
import { Button } from "../../../../app/ui/button.tsx";
import { DataTable } from "../../../../app/ui/data-table.tsx";
import { Stack } from "../../../../app/ui/layout.tsx";
import type { OwnBlock } from "../../../../engine/api/types.ts";
import { selectAnalysis } from "../analysis.ts";

/** A table of all blocks of a large program would be slow to draw. */
const MOST_ROWS = 500;

export function Blocks() {
  const analysis = useSession(selectAnalysis);
  const { selection } = useActions();
  const on = useSession((s) => s.ownpass.on);
  if (analysis === null)
    return (
      <p className="pad">{on ? "The analysis has not reported yet." : "Press Run to see what the analysis reports for each block."}</p>
    );
  const { blocks, of, name } = analysis;
  return (
    <Stack fill scroll>
      <DataTable
        testId="pass-blocks"
        rows={blocks}
        rowKey={({ label }) => label}
        most={MOST_ROWS}
        more="blocks"
        columns={[
          {
            title: "block",
            head: true,
            cell: ({ id, label }) => (
              <Button variant="link" onClick={() => selection.select({ kind: "block", id })}>
                {label}
              </Button>
            ),
          },
          {
            key: "theirs",
            title: name,
            mono: true,
            breaks: true,
            cell: ({ theirs, same }) => (
              <>
                {of === null || same ? null : <Badge tone="error">≠ differs</Badge>} {theirs}
              </>
            ),
          },
          ...(of === null ? [] : [{ key: "ours", title: `our ${of}`, mono: true, cell: ({ ours }: OwnBlock) => ours }]),
        ]}
      />
    </Stack>
  );
}
