/** The three strategies of a switch: by the formulas of the notes, and as the interpreter counted them. */

import type { SwitchReport } from "../../../engine/api/types.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import panel from "../shared/panel.module.css";
import styles from "./switches.module.css";

const TITLES = { cascade: "cascade of compares", table: "jump table", tree: "search tree" } as const;

export function StrategyTable({ report, chosen }: { readonly report: SwitchReport; readonly chosen: keyof typeof TITLES }) {
  return (
    <table className={panel.table}>
      <caption className="visually-hidden">Cost of each strategy: worst case by formula, and measured on these lanes</caption>
      <thead>
        <tr>
          <th scope="col" rowSpan={2}>
            Strategy
          </th>
          <th scope="colgroup" colSpan={2} className={styles.pair}>
            Instructions
          </th>
          <th scope="colgroup" colSpan={2} className={styles.pair}>
            Divergence
          </th>
          <th scope="colgroup" colSpan={2} className={styles.pair}>
            Sync depth
          </th>
          <th
            scope="col"
            rowSpan={2}
            className={panel.number}
            title="How often a case's body was started: lanes of one body may come in groups"
          >
            Bodies
          </th>
        </tr>
        <tr className={styles.second}>
          {["i", "d", "s"].flatMap((column) => [
            <th key={`${column}-formula`} scope="col" className={panel.number} title="Worst case, by the formulas of the notes">
              formula
            </th>,
            <th key={`${column}-measured`} scope="col" className={panel.number} title="Counted by the interpreter for one warp">
              measured
            </th>,
          ])}
        </tr>
      </thead>
      <tbody>
        {report.strategies.map(({ strategy, predicted, measured, problem }) => (
          <tr key={strategy} className={cx(strategy === chosen && panel.current)}>
            <th scope="row" className={styles.strategy}>
              {TITLES[strategy]} {strategy === chosen ? <Badge tone="accent">chosen</Badge> : null}
            </th>
            {measured === null ? (
              <>
                <td className={panel.number}>{predicted.instructions}</td>
                <td colSpan={6}>not measured: {problem}</td>
              </>
            ) : (
              <>
                <td className={panel.number}>{predicted.instructions}</td>
                <td className={cx(panel.number, styles.measured)}>{measured.instructions}</td>
                <td className={panel.number}>{predicted.divergencePoints}</td>
                <td className={cx(panel.number, styles.measured)}>{measured.divergentBranches}</td>
                <td className={panel.number}>{predicted.syncEntries}</td>
                <td className={cx(panel.number, styles.measured)}>{measured.syncDepth}</td>
                <td className={panel.number}>{measured.bodies}</td>
              </>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
