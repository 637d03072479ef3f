/** Who reads the record's bits, and who calls the analysis for them. */

import panel from "../shared/panel.module.css";
import { BIT_READERS, CALL_SITES, CALLERS } from "./readers.ts";
import styles from "./record.module.css";

export function Readers() {
  return (
    <>
      <details className={styles.more}>
        <summary>Who reads the bits of +280</summary>
        <table className={panel.table}>
          <thead>
            <tr>
              <th scope="col">Bit</th>
              <th scope="col">In ptxas</th>
              <th scope="col">Here</th>
            </tr>
          </thead>
          <tbody>
            {BIT_READERS.map(({ bit, readers, here }) => (
              <tr key={bit}>
                <th scope="row">{bit}</th>
                <td>
                  <Lines of={readers} />
                </td>
                <td>
                  <Lines of={here} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
      <details className={styles.more}>
        <summary>Who calls the analysis</summary>
        <p className="muted">
          {CALL_SITES.all} calls: {CALL_SITES.incremental} incremental (force = 0), {CALL_SITES.full} of a full rebuild (force = 1). These
          callers are known by name; the others are known only to edit the graph or the list of blocks.
        </p>
        <table className={panel.table}>
          <thead>
            <tr>
              <th scope="col">Pass</th>
              <th scope="col">force</th>
              <th scope="col">Why</th>
              <th scope="col">Functions</th>
            </tr>
          </thead>
          <tbody>
            {CALLERS.map(({ functions, pass, force, why }) => (
              <tr key={pass}>
                <th scope="row">{pass}</th>
                <td>{force === null ? "not given" : force ? "1" : "0"}</td>
                <td>{why}</td>
                <td className="mono">{functions}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </>
  );
}

function Lines({ of }: { readonly of: readonly string[] }) {
  return of.map((line) => <div key={line}>{line}</div>);
}
