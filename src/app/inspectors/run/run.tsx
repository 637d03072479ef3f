/** Running the program of this moment in the interpreter: arguments, memory, threads. What comes of it is in `report.tsx`. */

import { useEffect, useRef, useState } from "react";
import type { KernelInfo } from "../../../engine/api/types.ts";
import { useSession, useSessionObject } from "../../session/hooks.ts";
import { languageOf } from "../../session/language.ts";
import { provenanceOf } from "../../session/provenance.ts";
import { selectKernel, selectMoment } from "../../session/selectors.ts";
import { useResults, withProvenanceNow } from "../../session/use-result.ts";
import { Button } from "../../ui/button.tsx";
import { messageOf } from "../../ui/failure.ts";
import { TextField } from "../../ui/field.tsx";
import { Row, Stack } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import panel from "../shared/panel.module.css";
import { execInput, guessInput } from "./input.ts";
import { Report, VerdictOfRuns } from "./report.tsx";
import styles from "./run.module.css";
import type { Outcome } from "./verdict.ts";

type Where = "input" | "before" | "here" | "end";

const PLACES = [
  { value: "here", title: "at this step" },
  { value: "before", title: "before this phase" },
  { value: "input", title: "as written" },
  { value: "end", title: "after all phases" },
] as const;

export function Run() {
  const session = useSessionObject();
  const kernel = useSession(selectKernel);
  const moment = useSession(selectMoment);
  const input = useSession((s) => languageOf(session, s)?.input);
  const [chosenThreads, setThreads] = useState<string | null>(null);
  const threads = chosenThreads ?? input?.threads ?? "32";
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
  const inputOf = ({ name, reg, type }: KernelInfo["params"][number]) =>
    values[`${kernel?.name}/${name}`] ?? guessInput(name, reg, type, input?.first);

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
          {input ? null : <TextField label="Special registers" mono value={sregs} onChange={setSregs} />}
        </div>
        <p className="muted">
          {input?.hint ?? (
            <>
              64-bit parameters are buffers; give a size in bytes (<code>4096</code>), <code>hex:…</code> or <code>i32:1,2,3</code>. Other
              parameters: <code>5</code>, <code>f32:1.5</code>. Special registers: <code>%envreg3=1 SR_NSMID=4</code>.
            </>
          )}
        </p>
        <Row wrap gap={2}>
          <Select label="Program" value={where} onChange={setWhere} options={PLACES} />
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
