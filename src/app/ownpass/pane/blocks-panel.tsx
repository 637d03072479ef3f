/** What an analysis says of each block of the program that is shown, beside what ours says: the same as on the graph, as a table. */

import type { OwnBlock } from "../../../engine/api/types.ts";
import { useActions, useSession } from "../../session/hooks.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { selectAnalysis } from "../analysis.ts";
import styles from "./pane.module.css";

/** A table of all blocks of a large program would be slow to draw. */
const MOST_ROWS = 500;

export function Blocks() {
  const analysis = useSession(selectAnalysis);
  const on = useSession((s) => s.ownpass.on);
  if (analysis === null)
    return (
      <p className={styles.pad}>
        {on ? "The analysis has not reported yet." : "Press Run to see what the analysis reports for each block."}
      </p>
    );
  const { blocks, of, name } = analysis;
  const shown = blocks.slice(0, MOST_ROWS);
  return (
    <div className={styles.scroll}>
      <div className={styles.pad}>
        <table className={styles.table} data-testid="pass-blocks">
          <thead>
            <tr>
              <th scope="col">block</th>
              <th scope="col">{name}</th>
              {of === null ? null : <th scope="col">our {of}</th>}
            </tr>
          </thead>
          <tbody>
            {shown.map((block) => (
              <Row key={block.label} block={block} compared={of !== null} />
            ))}
          </tbody>
        </table>
        {blocks.length > shown.length ? (
          <p className="muted">
            The first {shown.length} of {blocks.length} blocks.
          </p>
        ) : null}
      </div>
    </div>
  );
}

function Row({ block, compared }: { readonly block: OwnBlock; readonly compared: boolean }) {
  const { selection } = useActions();
  const { id, label, theirs, ours, same } = block;
  return (
    <tr>
      <th scope="row">
        <Button variant="link" onClick={() => selection.select({ kind: "block", id })}>
          {label}
        </Button>
      </th>
      <td className={styles.names}>
        {compared && !same ? <Badge tone="error">≠ differs</Badge> : null} {theirs}
      </td>
      {compared ? <td className={styles.names}>{ours}</td> : null}
    </tr>
  );
}
