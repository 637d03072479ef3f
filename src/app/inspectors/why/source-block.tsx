/** Where the binary has the phase: its vtable, and its functions with what they do and their sizes. */

import { PHASE_FACTORY, provenanceOf } from "../../names/provenance.ts";
import { cx } from "../../ui/cx.ts";
import panel from "../shared/panel.module.css";
import styles from "./why.module.css";

export function SourceBlock({ group, phase }: { readonly group: "ptxas" | "cicc"; readonly phase: number | null }) {
  const source = provenanceOf(group, phase);
  if (source === null) return null;
  return (
    <details className={styles.gates}>
      <summary>In the binary</summary>
      <p className={cx(panel.pad, "muted")}>
        {source.vtable === null ? "" : `Vtable ${source.vtable}. `}
        {source.isNoOp === null ? "" : `isNoOp says ${source.isNoOp ? "yes, unless a backend sets it" : "no"}. `}
        {group === "ptxas" ? `Made by ${PHASE_FACTORY}. ` : ""}
        {source.functions.length === 0 ? "The reference gives no addresses for its functions. " : ""}
        Section: {source.section}.
      </p>
      {source.functions.length === 0 ? null : (
        <table className={panel.table} aria-label="Functions">
          <thead>
            <tr>
              <th scope="col">Function</th>
              <th scope="col">Bytes</th>
              <th scope="col">What it is</th>
            </tr>
          </thead>
          <tbody>
            {source.functions.map(({ name, bytes, does }) => (
              <tr key={name}>
                <th scope="row" className="mono">
                  {name}
                </th>
                <td className="num">{bytes ?? "–"}</td>
                <td>{does}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
