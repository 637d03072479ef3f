/** Running the program of this moment in the interpreter: arguments, memory, threads; output, counters, divergence. */

import { type ReactNode, useEffect, useRef, useState } from "react";
import type { ExecReport, KernelInfo } from "../../../engine/api/types.ts";
import { useSession, useSessionObject } from "../../session/hooks.ts";
import { provenanceOf } from "../../session/provenance.ts";
import { selectKernel, selectMoment } from "../../session/selectors.ts";
import { formatOf } from "../../session/source-lines.ts";
import { useResults, withProvenanceNow } from "../../session/use-result.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { DataTable } from "../../ui/data-table.tsx";
import { messageOf } from "../../ui/failure.ts";
import { TextField } from "../../ui/field.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { plural } from "../../ui/plural.ts";
import { Select } from "../../ui/select.tsx";
import { Tip } from "../../ui/tooltip.tsx";
import panel from "../shared/panel.module.css";
import { execInput, guessInput, memoryRows } from "./input.ts";
import styles from "./run.module.css";
import { type Outcome, verdictOf } from "./verdict.ts";

type Where = "input" | "before" | "here" | "end";

export function Run() {
  const session = useSessionObject();
  const kernel = useSession(selectKernel);
  const moment = useSession(selectMoment);
  const bril = useSession((s) => formatOf(s) === "bril");
  const [chosenThreads, setThreads] = useState<string | null>(null);
  // Threads of a Bril program would print into one buffer.
  const threads = chosenThreads ?? (bril ? "1" : "32");
  const [fuel, setFuel] = useState("1000000");
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  const [where, setWhere] = useState<Where>("here");
  const [busy, setBusy] = useState(false);
  const [outcomes, keep] = useResults<Outcome>(2);
  const [sregs, setSregs] = useState("");
  const pane = useRef<HTMLDivElement>(null);
  const prefill = useSession((s) => s.inspectors.runPrefill);
  useEffect(() => {
    if (prefill === null || prefill.kernel !== kernel?.name) return;
    setThreads(prefill.threads);
    setValues((old) => ({ ...old, ...prefill.values }));
    session.patch("inspectors", { runPrefill: null });
  }, [session, prefill, kernel]);
  const params = kernel?.params ?? [];
  const inBank = kernel?.inBank ?? [];
  const bytesOf = ({ name, bytes }: (typeof inBank)[number]) => values[`${kernel?.name}/${name}`] ?? `${bytes}`;
  const inputOf = ({ name, reg, type }: KernelInfo["params"][number]) => values[`${kernel?.name}/${name}`] ?? guessInput(name, reg, type);

  const start = async (at: Where) => {
    const state = session.store.getState();
    const { position, run } = state;
    const owned = withProvenanceNow(session);
    setBusy(true);
    const last = (run.result?.phases.length ?? 0) - 1;
    const target = {
      input: { run: -1, step: null },
      before: { run: position.run, step: -1 },
      here: { run: position.run, step: position.step },
      end: { run: last, step: null },
    }[at];
    try {
      const { args, mem } = execInput(params, inputOf);
      const report = await session.api.exec(target, {
        threads: Number(threads) || 1,
        fuel: Number(fuel) || 1_000_000,
        args,
        mem: [...mem, ...inBank.map((p) => `${p.name}=${bytesOf(p)}`)],
        sregs: sregs.split(/[\s,;]+/).filter((word) => word !== ""),
      });
      const title = { input: "as written", before: "before the phase", here: "at this step", end: "after all phases" }[at];
      const input = JSON.stringify([kernel?.name, threads, fuel, sregs, params.map(inputOf), inBank.map(bytesOf)]);
      const outcome = owned({ where: title, report, input });
      keep(outcome);
      pane.current?.scrollTo({ top: 0 });
      if (outcome.in(provenanceOf(session.store.getState())) !== null) session.actions.run.keepReport(report, title);
    } catch (error) {
      session.actions.notify("error", `The program could not be run: ${messageOf(error)}`);
    } finally {
      setBusy(false);
    }
  };

  return (
    <div ref={pane} className={panel.scroll}>
      <VerdictOfRuns outcomes={outcomes} />
      <Stack
        as="form"
        gap={2}
        pad={[2, 3]}
        aria-label="Run the program"
        onSubmit={(event) => {
          event.preventDefault();
          void start(where);
        }}
      >
        <div className={styles.grid}>
          {params.map((p) => (
            <TextField
              key={p.name}
              label={`${p.name} (${p.type ?? p.reg})`}
              mono
              value={inputOf(p)}
              onChange={(value) => setValues((old) => ({ ...old, [`${kernel?.name}/${p.name}`]: value }))}
            />
          ))}
          {inBank.map((p) => (
            <TextField
              key={p.name}
              label={`${p.name} (${p.bytes} bytes)`}
              mono
              value={bytesOf(p)}
              onChange={(value) => setValues((old) => ({ ...old, [`${kernel?.name}/${p.name}`]: value }))}
            />
          ))}
          <TextField label="Threads (1–1024)" type="number" value={threads} onChange={setThreads} />
          <TextField label="Step limit" type="number" value={fuel} onChange={setFuel} />
          {bril ? null : <TextField label="Special registers" mono value={sregs} onChange={setSregs} />}
        </div>
        <p className="muted">
          {bril ? (
            "Write values as Bril does. The program's output is shown first."
          ) : (
            <>
              64-bit parameters are buffers; give a size in bytes (<code>4096</code>), <code>hex:…</code> or <code>i32:1,2,3</code>. Other
              parameters: <code>5</code>, <code>f32:1.5</code>. Special registers: <code>%envreg3=1 SR_NSMID=4</code>.
            </>
          )}
        </p>
        <Row wrap gap={2}>
          <Select
            label="Program"
            value={where}
            onChange={setWhere}
            options={[
              { value: "here", title: "at this step" },
              { value: "before", title: "before this phase" },
              { value: "input", title: "as written" },
              { value: "end", title: "after all phases" },
            ]}
          />
          <Button type="submit" variant="primary" disabled={busy || moment === null}>
            {busy ? "Running…" : "Run"}
          </Button>
          <Button
            disabled={busy || moment === null}
            onClick={async () => {
              await start("input");
              await start("end");
            }}
          >
            Compare before and after optimization
          </Button>
        </Row>
      </Stack>
      {outcomes.length === 0 ? null : <Report outcomes={outcomes} />}
    </div>
  );
}

/** First of all, in sight without scrolling. */
function VerdictOfRuns({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
  const verdict = verdictOf(outcomes);
  return (
    <p className={cx(styles.verdict, verdict !== null && styles[verdict.tone])} role="status" data-testid="verdict">
      {verdict === null ? null : <Icon name={verdict.tone === "ok" ? "check" : "warning"} />}
      {verdict?.text}
    </p>
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

function Report({ outcomes }: { readonly outcomes: readonly Outcome[] }) {
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
    <figure className={styles.printed}>
      <figcaption>
        Printed {where}: {plural(lines.length, "line")}
        {lines.length > MOST_LINES ? `, the first ${MOST_LINES} of them` : ""}
      </figcaption>
      <pre>{lines.length === 0 ? "nothing" : lines.slice(0, MOST_LINES).join("\n")}</pre>
    </figure>
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
      <button type="button" className={cx(styles.word, styles.standIn)} aria-label={`${value}. ${reason}`}>
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
