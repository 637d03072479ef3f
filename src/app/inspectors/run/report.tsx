/** What a run came to: the verdict on two, what they printed and counted, executions by block, memory. */

import type { ReactNode } from "react";
import type { ExecReport } from "../../../engine/api/types.ts";
import { useSession } from "../../session/hooks.ts";
import { selectMoment } from "../../session/selectors.ts";
import { Badge } from "../../ui/badge.tsx";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import { Tip } from "../../ui/tooltip.tsx";
import { memoryRows } from "./input.ts";
import styles from "./run.module.css";
import { type Outcome, verdictOf } from "./verdict.ts";

/** First of all, in sight without scrolling. */
export function VerdictOfRuns({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const verdict = verdictOf(outcomes);
  return (
    <Row
      as="p"
      align="start"
      gap={2}
      className={cx(styles.verdict, "large strong", verdict !== null && `soft-${verdict.tone}`)}
      role="status"
      data-testid="verdict"
    >
      {verdict === null ? null : <Icon name={verdict.tone === "ok" ? "check" : "warning"} />}
      {verdict?.text}
    </Row>
  );
}

const COUNTERS: readonly (readonly [keyof ExecReport["counters"], string])[] = [
  ["warpInstructions", "instructions issued (warp)"],
  ["laneInstructions", "instructions (lanes)"],
  ["branches", "branches"],
  ["divergentBranches", "divergent branches"],
  ["maxSyncDepth", "deepest sync stack (the hardware has 16 to 32 entries)"],
  ["loads", "loads"],
  ["stores", "stores"],
];

interface Counted {
  readonly title: string;
  readonly cell: (report: ExecReport) => ReactNode;
}

const COUNTED: readonly Counted[] = [
  { title: "ended", cell: ({ status }) => <Badge tone={status === "ok" ? "ok" : "error"}>{status}</Badge> },
  ...COUNTERS.map(([key, title]): Counted => ({ title, cell: ({ counters }) => counters[key].toLocaleString("en") })),
];

export function Report({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const [latest, earlier] = outcomes;
  return (
    <div aria-live="polite">
      {latest === undefined ? null : <Printed outcome={latest} />}
      {earlier === undefined ? null : <Printed outcome={earlier} />}
      <DataTable
        caption="Result"
        rows={COUNTED}
        rowKey={({ title }) => title}
        columns={[
          { title: "Counted", cell: ({ title }) => title },
          ...outcomes.map((outcome, i) => ({
            key: String(i),
            title: outcome.where,
            align: "end" as const,
            cell: ({ cell }: Counted) => cell(outcome.report),
          })),
        ]}
      />
      {outcomes.map((o, i) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: two results, newest first
        <div key={i}>
          {o.report.status === "ok" ? null : (
            <p className="pad">
              {o.where}: {o.report.message}
              {o.report.at === null
                ? ""
                : ` (block ${o.report.at.block}, instruction ${o.report.at.instruction}, lane ${o.report.at.lane})`}
            </p>
          )}
          {o.report.diagnostics.map((d) => (
            <p className="pad" key={`${d.code}${d.message}`}>
              {d.message}
            </p>
          ))}
        </div>
      ))}
      {latest === undefined ? null : (
        <>
          <Heat report={latest.report} />
          <Memory report={latest.report} />
        </>
      )}
    </div>
  );
}

/** Lines shown of what a program printed. */
const MOST_LINES = 500;

function Printed({ outcome: { where, report } }: { readonly outcome: Outcome }) {
  const lines = report.output;
  if (lines === undefined) return null;
  return (
    <Stack as="figure" gap={1} pad={[2, 3]}>
      <figcaption className="quiet">
        Printed {where}: {plural(lines.length, "line")}
        {lines.length > MOST_LINES ? `, the first ${MOST_LINES} of them` : ""}
      </figcaption>
      <pre className={cx(styles.printed, "code-box")}>{lines.length === 0 ? "nothing" : lines.slice(0, MOST_LINES).join("\n")}</pre>
    </Stack>
  );
}

function Heat({ report }: { readonly report: ExecReport }) {
  const blocks = useSession((s) => selectMoment(s)?.blocks ?? null);
  const union = useSession((s) => s.position.graph?.blocks ?? null);
  const labelOf = (id: number): string => blocks?.get(id)?.label ?? union?.find((b) => b.id === id)?.label ?? `block ${id}`;
  if (report.heat.length === 0) return null;
  const most = Math.max(...report.heat.map((h) => h.executions), 1);
  return (
    <DataTable
      caption="Executions of each block"
      rows={report.heat}
      rowKey={({ block }) => block}
      columns={[
        { title: "Block", mono: true, cell: ({ block }) => labelOf(block) },
        { title: "Times", align: "end", cell: ({ executions }) => executions },
        { title: "Diverged", align: "end", cell: ({ divergences }) => divergences },
        {
          title: "Share",
          cell: ({ executions }) => <span className={styles.bar} style={{ width: `${(executions / most) * 100}%` }} />,
        },
      ]}
    />
  );
}

type StandInSource = NonNullable<ExecReport["standIns"]>["sources"][number];

/** A word of memory; a made-up one can be focused, and shows its provenance. */
function Word({ value, why }: { readonly value: number; readonly why: StandInSource | null }) {
  if (why === null) return <span className={styles.word}>{value}</span>;
  const reason = `Stand-in: depends on ${why.what}${why.line > 0 ? ` (line ${why.line})` : ""}`;
  return (
    <Tip text={reason}>
      <button type="button" className={cx(styles.word, styles.standIn, "soft-warn")} aria-label={`${value}. ${reason}`}>
        {value}
      </button>
    </Tip>
  );
}

function Memory({ report }: { readonly report: ExecReport }) {
  const buffers = Object.entries(report.memory);
  return buffers.map(([name, bytes]) => (
    <DataTable
      key={name}
      caption={`Memory of ${name}`}
      mono
      untitled
      rows={memoryRows(bytes, report.standIns?.memory[name])}
      rowKey={({ offset }) => offset}
      columns={[
        { title: "Offset", head: true, cell: ({ offset }) => `+${offset}` },
        {
          title: "Words",
          cell: ({ words }) =>
            words.map(({ offset, value, source }) => (
              <Word key={offset} value={value} why={source === null ? null : (report.standIns?.sources[source] ?? null)} />
            )),
        },
      ]}
    />
  ));
}
