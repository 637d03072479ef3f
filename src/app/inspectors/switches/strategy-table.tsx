/** The three strategies of a switch: by the formulas of the reference, and as the interpreter counted them. */

import type { SwitchReport } from "../../../engine/api/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import panel from "../shared/panel.module.css";
import styles from "./switches.module.css";

const TITLES = { cascade: "cascade", table: "jump table", tree: "search tree" } as const;

const COLUMNS = [
  ["instructions", "Instructions", "Warp instructions issued by the dispatch, without the case bodies"],
  ["divergencePoints", "Divergence", "Branches at which lanes diverged"],
  ["syncEntries", "Sync", "Deepest nesting of reconvergence points; the hardware's sync stack has 16 to 32 entries"],
] as const;

const MEASURED = { instructions: "instructions", divergencePoints: "divergentBranches", syncEntries: "syncDepth" } as const;

export function StrategyTable({ report, chosen }: { readonly report: SwitchReport; readonly chosen: keyof typeof TITLES }) {
  return (
    <table className={cx(panel.table, styles.costs)}>
      <caption>Worst case by formula, and as measured on these lanes</caption>
      <thead>
        <tr>
          <th scope="col">Strategy</th>
          {COLUMNS.map(([key, title, about]) => (
            <th key={key} scope="col" className={panel.number} title={about}>
              {title}
            </th>
          ))}
          <th scope="col" className={panel.number} title="Size of the jump table in bytes">
            Table bytes
          </th>
          <th
            scope="col"
            className={panel.number}
            title="How many times a case body was entered: the lanes of one body may arrive in several groups"
          >
            Bodies
          </th>
        </tr>
      </thead>
      <tbody>
        {report.strategies.map(({ strategy, predicted, measured, problem }) => (
          <tr key={strategy} className={cx(strategy === chosen && panel.current)}>
            <th scope="row" className={styles.strategy}>
              {TITLES[strategy]} {strategy === chosen ? <Badge tone="accent">chosen</Badge> : null}
              {problem === null ? null : <div className={styles.problem}>not measured: {problem}</div>}
            </th>
            {COLUMNS.map(([key]) => (
              <td key={key} className={panel.number}>
                <span className="muted">{predicted[key]} · </span>
                <span className={styles.measured}>{measured === null ? "–" : measured[MEASURED[key]]}</span>
              </td>
            ))}
            <td className={panel.number}>{predicted.dataBytes}</td>
            <td className={panel.number}>{measured?.bodies ?? "–"}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
