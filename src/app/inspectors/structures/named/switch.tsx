/** A switch's case line with its gaps, and the three strategies side by side. */

import type { CaseRow, ChosenRow, OtherRow, StrategyRow, SwitchFactsRow } from "../../../../engine/passes/do-switch-opt/rows.ts";
import { policyTitle } from "../../../names/policies.ts";
import { cx } from "../../../ui/cx.ts";
import { plural } from "../../../ui/plural.ts";
import { isObject, numberOf, objectCell, showCell } from "../cells.ts";
import { TableView } from "../list-view.tsx";
import structures from "../structures.module.css";
import type { StructureViewProps } from "../view.ts";
import styles from "./named.module.css";

const STRATEGIES = [
  ["cascade", "cascade of compares"],
  ["table", "jump table"],
  ["tree", "search tree"],
] as const;

/** Cases drawn one by one; longer runs of them, and longer gaps, are said as numbers. */
const MOST_DRAWN = 120;

export function CaseLineView(props: StructureViewProps) {
  const rows: readonly Partial<CaseRow>[] = [...props.structure.cells.values()].filter(isObject);
  const cases = rows.filter((c) => c.counts === true);
  return (
    <>
      <div
        className={structures.canvas}
        style={{ flex: "none" }}
        role="img"
        aria-label={`Cases: ${cases.map((c) => showCell(c.value)).join(", ")}`}
      >
        <CaseLine cases={cases.map((c) => ({ value: numberOf(c.value, 0), target: showCell(c.target) }))} />
      </div>
      <TableView {...props} />
    </>
  );
}

/** Cases in the order of their values, the gaps between them in words. `onPick` makes each case a button. */
export function CaseLine({
  cases,
  onPick,
}: {
  readonly cases: readonly { readonly value: number; readonly target: string }[];
  readonly onPick?: (target: string) => void;
}) {
  const sorted = [...cases].sort((a, b) => a.value - b.value);
  const line: { readonly key: string; readonly text: string; readonly target: string | null; readonly title: string }[] = [];
  let before: number | null = null;
  for (const { value, target } of sorted.slice(0, MOST_DRAWN)) {
    const missing: number = before === null ? 0 : value - before - 1;
    if (missing > 0)
      line.push({
        key: `gap-${value}`,
        text: missing === 1 ? "·" : `· ${missing} ·`,
        target: null,
        title: `${plural(missing, "value leads", "values lead")} to the default`,
      });
    line.push({ key: `case-${value}`, text: String(value), target, title: `${value} leads to ${target}` });
    before = value;
  }
  return (
    <div className={styles.line}>
      {line.map(({ key, text, target, title }) =>
        onPick === undefined || target === null ? (
          <span key={key} className={cx(styles.tick, target === null && styles.gap)} title={title}>
            {text}
          </span>
        ) : (
          <button key={key} type="button" className={cx(styles.tick, styles.pick)} title={title} onClick={() => onPick(target)}>
            {text}
          </button>
        ),
      )}
      {sorted.length > MOST_DRAWN ? <span className={styles.tick}>and {sorted.length - MOST_DRAWN} more</span> : null}
    </div>
  );
}

export function StrategyView({ structure }: StructureViewProps) {
  const facts = objectCell(structure.cells, "facts") as Partial<SwitchFactsRow> | null;
  const chosen = objectCell(structure.cells, "chosen") as Partial<ChosenRow> | null;
  const other = objectCell(structure.cells, "other") as Partial<OtherRow> | null;
  return (
    <div className={structures.canvas}>
      {facts === null ? null : (
        <p className={styles.note}>
          Switch on {showCell(facts.selector)} at {showCell(facts.head)}: {showCell(facts.cases)} cases from {showCell(facts.min)} to{" "}
          {showCell(facts.max)}, range {showCell(facts.range)}, density {showCell(facts.density)}; else {showCell(facts.fallback)}.
        </p>
      )}
      <table className={styles.table}>
        <caption className="visually-hidden">Worst case of each strategy, by the reference's formulas</caption>
        <thead>
          <tr>
            <th scope="col">Strategy</th>
            <th scope="col" className={styles.number}>
              instructions
            </th>
            <th scope="col" className={styles.number}>
              divergence points
            </th>
            <th scope="col" className={styles.number}>
              sync entries
            </th>
            <th scope="col" className={styles.number}>
              bytes of data
            </th>
          </tr>
        </thead>
        <tbody>
          {STRATEGIES.map(([key, title]) => {
            const row = objectCell(structure.cells, key) as Partial<StrategyRow> | null;
            return (
              <tr key={key} className={cx(row?.chosen === true && styles.chosen)}>
                <th scope="row">
                  {title}
                  {row?.chosen === true ? " ✓ chosen" : ""}
                </th>
                <td className={styles.number}>{showCell(row?.instructions)}</td>
                <td className={styles.number}>{showCell(row?.divergencePoints)}</td>
                <td className={styles.number}>
                  {showCell(row?.syncEntries)}
                  {row?.syncStack === undefined || row.syncStack === "fits" ? null : <div className={styles.note}>{row.syncStack}</div>}
                </td>
                <td className={styles.number}>{showCell(row?.dataBytes)}</td>
              </tr>
            );
          })}
        </tbody>
      </table>
      {chosen === null ? null : (
        <p className={styles.note}>
          Chosen {policyTitle(showCell(chosen.policy))}: {showCell(chosen.strategy)}, since {showCell(chosen.reason)}.
        </p>
      )}
      {other === null ? null : (
        <p className={styles.note}>
          Otherwise, {policyTitle(showCell(other.policy))}: {showCell(other.answer)}.
        </p>
      )}
    </div>
  );
}
