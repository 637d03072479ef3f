/** Switches: the compare chains of the phase's input, each with its cases and its three strategies, as predicted and as measured. */

import { useState } from "react";
import type { SelectorDistribution, SwitchReport } from "../../../engine/api/types.ts";
import { policyTitle } from "../../names/policies.ts";
import { useActions, useEngineQuery, useSession } from "../../session/hooks.ts";
import { selectPhase } from "../../session/selectors.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { type Column, DataTable } from "../../ui/data-table.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Panel, Stack, Toolbar } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import { Select } from "../../ui/select.tsx";
import { CaseLine } from "../structures/named/switch.tsx";
import { SelectorChoice } from "./selector-choice.tsx";
import styles from "./switches.module.css";

type Where = "phase" | "written";

export function Switches() {
  const run = useSession((s) => s.position.run);
  const name = useSession((s) => selectPhase(s)?.name ?? "this phase");
  const [where, setWhere] = useState<Where>("phase");
  const [head, setHead] = useState<number | null>(null);
  const [distribution, setDistribution] = useState<SelectorDistribution>({ kind: "cases" });
  const moment = where === "phase" && run >= 0 ? { run, step: -1 } : { run: -1, step: null };
  const key = `switches|${moment.run}|${head}|${JSON.stringify(distribution)}`;
  const { data, fresh, error } = useEngineQuery(key, (api) => api.switches(moment, { block: head, distribution }));
  const switches = data?.switches ?? [];
  const report = data?.report ?? null;
  return (
    <>
      <Toolbar>
        <Select
          label="Program"
          value={where}
          options={[
            { value: "phase", title: `input of ${name}` },
            { value: "written", title: "as written" },
          ]}
          onChange={(value) => {
            setWhere(value as Where);
            setHead(null);
          }}
        />
        {switches.length === 0 ? null : (
          <Select
            label="Switch"
            value={String(data?.head ?? "")}
            options={switches.map((s) => ({ value: String(s.head), title: `${s.label} (${plural(s.cases, "case")})` }))}
            onChange={(value) => setHead(Number(value))}
          />
        )}
        {fresh || error !== null ? null : <Badge>measuring…</Badge>}
      </Toolbar>
      {error !== null ? (
        <EmptyState title="The switches could not be measured.">{error}</EmptyState>
      ) : report === null ? (
        data === null ? null : (
          <EmptyState title={where === "phase" ? `The input of ${name} has no switch.` : "The program as written has no switch."}>
            A switch is two or more compares of one register with constants, each followed by a branch.
            {where === "phase" ? (
              <Button variant="link" onClick={() => setWhere("written")}>
                Look at the program as written
              </Button>
            ) : null}
          </EmptyState>
        )
      ) : (
        <Panel aria-busy={!fresh}>
          <Report
            key={`${moment.run}/${data?.head}`}
            report={report}
            policy={data?.policy ?? "notes"}
            blocks={new Map(data?.blocks ?? [])}
            distribution={distribution}
            onDistribution={setDistribution}
          />
        </Panel>
      )}
    </>
  );
}

function Report({
  report,
  policy,
  blocks,
  distribution,
  onDistribution,
}: {
  readonly report: SwitchReport;
  readonly policy: "notes" | "measured";
  readonly blocks: ReadonlyMap<string, number>;
  readonly distribution: SelectorDistribution;
  readonly onDistribution: (distribution: SelectorDistribution) => void;
}) {
  const { selection } = useActions();
  const { facts } = report;
  const pick = (label: string) => {
    const id = blocks.get(label);
    if (id !== undefined) selection.select({ kind: "block", id });
  };
  const link = (label: string) => (
    <Button variant="link" onClick={() => pick(label)}>
      <span className="mono">{label}</span>
    </Button>
  );
  const policies = policy === "notes" ? (["notes", "measured"] as const) : (["measured", "notes"] as const);
  return (
    <>
      <Stack gap={2} pad={[2, 3]}>
        <p>
          Switch on <span className="mono">{report.selector}</span> at {link(report.head)}: {plural(facts.distinct, "case")} from{" "}
          {facts.min} to {facts.max}
          {facts.cases === facts.distinct ? "" : ` (and ${facts.cases - facts.distinct} repeated, which never match)`}, range {facts.range},
          density {facts.density.toFixed(2)}; else {link(report.fallback)}.
        </p>
        <CaseLine cases={report.cases.filter((c) => c.counts)} onPick={pick} />
        <dl className={styles.choices}>
          {policies.map((p) => (
            <div key={p} className={cx("boxed", p === policy && styles.own)}>
              <dt>
                {policyTitle(p)} {p === policy ? <Badge tone="accent">this run</Badge> : null}
              </dt>
              <dd>
                <strong>{report[p].strategy}</strong>
                {report[p].from > 0 ? ` from case ${report[p].from + 1} on` : ""}: {report[p].reason}.
              </dd>
            </div>
          ))}
        </dl>
      </Stack>
      <SelectorChoice distribution={distribution} first={report.cases[0]?.value ?? 0} onChange={onDistribution} />
      <StrategyTable report={report} chosen={report[policy].strategy} />
      <p className="pad muted">
        Lanes: <span className="mono">{laneText(report.selectors)}</span>
      </p>
    </>
  );
}

/** Neighbouring lanes of one value together: `5 ×32`. */
function laneText(selectors: readonly number[]): string {
  const runs: { readonly value: number; count: number }[] = [];
  for (const value of selectors) {
    const last = runs.at(-1);
    if (last?.value === value) last.count++;
    else runs.push({ value, count: 1 });
  }
  return runs.map(({ value, count }) => (count === 1 ? String(value) : `${value} ×${count}`)).join(" ");
}

/** The three strategies of a switch: by the formulas of the reference, and as the interpreter counted them. */
const TITLES = { cascade: "cascade", table: "jump table", tree: "search tree" } as const;

const COLUMNS = [
  ["instructions", "Instructions", "Warp instructions issued by the dispatch, without the case bodies"],
  ["divergencePoints", "Divergence", "Branches at which lanes diverged"],
  ["syncEntries", "Sync", "Deepest nesting of reconvergence points; the hardware's sync stack has 16 to 32 entries"],
] as const;

const MEASURED = { instructions: "instructions", divergencePoints: "divergentBranches", syncEntries: "syncDepth" } as const;

const BODIES = "How many times a case body was entered: the lanes of one body may arrive in several groups";

type StrategyCost = SwitchReport["strategies"][number];

function StrategyTable({ report, chosen }: { readonly report: SwitchReport; readonly chosen: keyof typeof TITLES }) {
  return (
    <DataTable
      caption="Worst case by formula, and as measured on these lanes"
      rows={report.strategies}
      rowKey={({ strategy }) => strategy}
      marks={({ strategy }) => ({ current: strategy === chosen })}
      columns={[
        {
          title: "Strategy",
          head: true,
          nowrap: false,
          cell: ({ strategy, problem }) => (
            <>
              {TITLES[strategy]} {strategy === chosen ? <Badge tone="accent">chosen</Badge> : null}
              {problem === null ? null : <div className="quiet">not measured: {problem}</div>}
            </>
          ),
        },
        ...COLUMNS.map(
          ([key, title, about]): Column<StrategyCost> => ({
            title,
            about,
            align: "end",
            cell: ({ predicted, measured }) => (
              <>
                <span className="muted">{predicted[key]} · </span>
                <strong>{measured === null ? "–" : measured[MEASURED[key]]}</strong>
              </>
            ),
          }),
        ),
        { title: "Table bytes", about: "Size of the jump table in bytes", align: "end", cell: ({ predicted }) => predicted.dataBytes },
        { title: "Bodies", about: BODIES, align: "end", cell: ({ measured }) => measured?.bodies ?? "–" },
      ]}
    />
  );
}
