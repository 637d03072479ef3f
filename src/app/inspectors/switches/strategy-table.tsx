/** The three strategies of a switch: by the formulas of the reference, and as the interpreter counted them. */

import type { SwitchReport } from "../../../engine/api/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import panel from "../shared/panel.module.css";
import styles from "./switches.module.css";

const TITLES = { cascade: "cascade", table: "jump table", tree: "search tree" } as const;

const COLUMNS = [
  ["instructions", "Instructions", "Instructions issued for the warp by the dispatch, case bodies left out"],
  ["divergencePoints", "Divergence", "Branches at which lanes went apart"],
  ["syncEntries", "Sync", "Deepest nesting of places where lanes wait for each other; the hardware's sync stack has 16 to 32 entries"],
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
          <th scope="col" className={panel.number} title="Bytes of the jump table's data">
            Table bytes
          </th>
          <th scope="col" className={panel.number} title="How often a case's body was started: lanes of one body may come in groups">
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
