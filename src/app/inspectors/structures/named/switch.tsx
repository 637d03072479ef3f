/** A switch's case line with its gaps, and the three strategies side by side. */

import type { CaseRow, ChosenRow, OtherRow, StrategyRow, SwitchFactsRow } from "../../../../engine/passes/do-switch-opt/rows.ts";
import { policyTitle } from "../../../names/policies.ts";
import { cx } from "../../../ui/cx.ts";
import { Row, Stack } from "../../../ui/layout.tsx";
import { plural } from "../../../ui/plural.ts";
import { isObject, numberOf, objectCell, showCell } from "../cells.ts";
import { TableView } from "../list-view.tsx";
import { Note, view } from "../table.tsx";
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
      <Stack pad={2} rigid scroll role="img" aria-label={`Cases: ${cases.map((c) => showCell(c.value)).join(", ")}`}>
        <CaseLine cases={cases.map((c) => ({ value: numberOf(c.value, 0), target: showCell(c.target) }))} />
      </Stack>
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
    <Row wrap gap="hair" className={styles.line}>
      {line.map(({ key, text, target, title }) =>
        onPick === undefined || target === null ? (
          <span key={key} className={cx(styles.tick, "mono small", target === null && styles.gap)} title={title}>
            {text}
          </span>
        ) : (
          <button
            key={key}
            type="button"
            className={cx(styles.tick, styles.pick, "mono small hovers")}
            title={title}
            onClick={() => onPick(target)}
          >
            {text}
          </button>
        ),
      )}
      {sorted.length > MOST_DRAWN ? <span className={cx(styles.tick, "mono small")}>and {sorted.length - MOST_DRAWN} more</span> : null}
    </Row>
  );
}

interface Strategy {
  readonly key: string;
  readonly title: string;
  readonly cell: Partial<StrategyRow>;
}

export const StrategyView = view(
  (cells) =>
    STRATEGIES.map(([key, title]): Strategy => ({ key, title, cell: (objectCell(cells, key) as Partial<StrategyRow> | null) ?? {} })),
  {
    label: "Worst case of each strategy, by the reference's formulas",
    marks: ({ cell }) => ({ selected: cell.chosen === true }),
    columns: [
      { title: "Strategy", head: true, cell: ({ title, cell }) => `${title}${cell.chosen === true ? " ✓ chosen" : ""}` },
      { title: "instructions", align: "end", cell: ({ cell }) => showCell(cell.instructions) },
      { title: "divergence points", align: "end", cell: ({ cell }) => showCell(cell.divergencePoints) },
      {
        title: "sync entries",
        align: "end",
        cell: ({ cell: { syncEntries, syncStack = "fits" } }) => (
          <>
            {showCell(syncEntries)}
            {syncStack === "fits" ? null : <div className="muted">{syncStack}</div>}
          </>
        ),
      },
      { title: "bytes of data", align: "end", cell: ({ cell }) => showCell(cell.dataBytes) },
    ],
    above: ({ structure }) => {
      const facts = objectCell(structure.cells, "facts") as Partial<SwitchFactsRow> | null;
      if (facts === null) return null;
      return (
        <Note>{`Switch on ${showCell(facts.selector)} at ${showCell(facts.head)}: ${showCell(facts.cases)} cases from ${showCell(facts.min)} to ${showCell(facts.max)}, range ${showCell(facts.range)}, density ${showCell(facts.density)}; else ${showCell(facts.fallback)}.`}</Note>
      );
    },
    below: ({ structure }) => {
      const chosen = objectCell(structure.cells, "chosen") as Partial<ChosenRow> | null;
      const other = objectCell(structure.cells, "other") as Partial<OtherRow> | null;
      return (
        <>
          {chosen === null ? null : (
            <Note>{`Chosen ${policyTitle(showCell(chosen.policy))}: ${showCell(chosen.strategy)}, since ${showCell(chosen.reason)}.`}</Note>
          )}
          {other === null ? null : <Note>{`Otherwise, ${policyTitle(showCell(other.policy))}: ${showCell(other.answer)}.`}</Note>}
        </>
      );
    },
  },
);
