/** Running the program of this moment in the interpreter: arguments, memory, threads. The result is in `report.tsx`. */

import { useEffect, useRef, useState } from "react";
import type { ExecRequest, Moment } from "../../../engine/api/types.ts";
import { useSession, useSessionObject } from "../../session/hooks.ts";
import { type LanguageInput, languageOf } from "../../session/language.ts";
import { provenanceOf } from "../../session/provenance.ts";
import { selectKernel, selectMoment } from "../../session/selectors.ts";
import type { SessionState } from "../../session/state.ts";
import { useResults, withProvenanceNow } from "../../session/use-result.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { messageOf } from "../../ui/failure.ts";
import { TextField } from "../../ui/field.tsx";
import { Panel, Row, Stack } from "../../ui/layout.tsx";
import { Select } from "../../ui/select.tsx";
import { execInput, guessInput } from "./input.ts";
import { Report, VerdictOfRuns } from "./report.tsx";
import styles from "./run.module.css";
import type { Outcome } from "./verdict.ts";

type Where = "input" | "before" | "here" | "end";

const PLACES = [
  { value: "here", title: "at this step", said: "at this step" },
  { value: "before", title: "before this phase", said: "before the phase" },
  { value: "input", title: "as written", said: "as written" },
  { value: "end", title: "after all phases", said: "after all phases" },
] as const;

function momentOf(where: Where, { position, run }: SessionState): Moment {
  switch (where) {
    case "input":
      return { run: -1, step: null };
    case "before":
      return { run: position.run, step: -1 };
    case "here":
      return { run: position.run, step: position.step };
    case "end":
      return { run: (run.result?.phases.length ?? 0) - 1, step: null };
  }
}

export function Run() {
  const session = useSessionObject();
  const canRun = useSession(selectMoment) !== null;
  const given = useGiven();
  const [where, setWhere] = useState<Where>("here");
  const [busy, setBusy] = useState(false);
  const [outcomes, keep] = useResults<Outcome>(2);
  const pane = useRef<HTMLDivElement>(null);

  const start = async (at: Where) => {
    const state = session.store.getState();
    const owned = withProvenanceNow(session);
    setBusy(true);
    try {
      const report = await session.api.exec(momentOf(at, state), given.request());
      const title = PLACES.find(({ value }) => value === at)?.said ?? "";
      const outcome = owned({ where: title, report, input: given.key });
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
    <Panel ref={pane}>
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
        <Fields given={given} />
        <Row wrap gap={2}>
          <Select label="Program" value={where} onChange={setWhere} options={PLACES} />
          <Button type="submit" variant="primary" disabled={busy || !canRun}>
            {busy ? "Running…" : "Run"}
          </Button>
          <Button
            disabled={busy || !canRun}
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
    </Panel>
  );
}

/** A parameter or a buffer, as a field. */
interface Field {
  readonly name: string;
  readonly label: string;
  readonly value: string;
  set(value: string): void;
}

interface Given {
  /** Of a language that says what its programs are given. */
  readonly language: LanguageInput | undefined;
  readonly params: readonly Field[];
  readonly buffers: readonly Field[];
  readonly threads: string;
  readonly fuel: string;
  readonly sregs: string;
  /** All of it, to tell whether two runs had the same. */
  readonly key: string;
  set(given: Partial<Record<"threads" | "fuel" | "sregs", string>>): void;
  request(): ExecRequest;
}

/** What a run is given: typed, or guessed from the kernel's parameters. */
function useGiven(): Given {
  const session = useSessionObject();
  const kernel = useSession(selectKernel);
  const prefill = useSession((s) => s.inspectors.runPrefill);
  const language = useSession((s) => languageOf(session, s)?.input);
  const [typed, setTyped] = useState<{ threads?: string; fuel: string; sregs: string }>({ fuel: "1000000", sregs: "" });
  const [values, setValues] = useState<Readonly<Record<string, string>>>({});
  useEffect(() => {
    if (prefill === null || prefill.kernel !== kernel?.name) return;
    setTyped((old) => ({ ...old, threads: prefill.threads }));
    setValues((old) => ({ ...old, ...prefill.values }));
    session.patch("inspectors", { runPrefill: null });
  }, [session, prefill, kernel]);
  const field = (name: string, label: string, guess: string): Field => {
    const key = `${kernel?.name}/${name}`;
    return { name, label, value: values[key] ?? guess, set: (value) => setValues((old) => ({ ...old, [key]: value })) };
  };
  const params = (kernel?.params ?? []).map(({ name, reg, type }) =>
    field(name, `${name} (${type ?? reg})`, guessInput(name, reg, type, language?.first)),
  );
  const buffers = (kernel?.inBank ?? []).map(({ name, bytes }) => field(name, `${name} (${bytes} bytes)`, `${bytes}`));
  const { threads = language?.threads ?? "32", fuel, sregs } = typed;
  const valuesOf = (fields: readonly Field[]): readonly string[] => fields.map(({ value }) => value);
  return {
    language,
    params,
    buffers,
    threads,
    fuel,
    sregs,
    key: JSON.stringify([kernel?.name, threads, fuel, sregs, valuesOf(params), valuesOf(buffers)]),
    set: (given) => setTyped((old) => ({ ...old, ...given })),
    request() {
      const { args, mem } = execInput(kernel?.params ?? [], ({ name }) => params.find((field) => field.name === name)?.value ?? "");
      return {
        threads: Number(threads) || 1,
        fuel: Number(fuel) || 1_000_000,
        args,
        mem: [...mem, ...buffers.map(({ name, value }) => `${name}=${value}`)],
        sregs: sregs.split(/[\s,;]+/).filter((word) => word !== ""),
      };
    },
  };
}

function Fields({ given }: { readonly given: Given }) {
  const { language, params, buffers, threads, fuel, sregs, set } = given;
  return (
    <>
      <div className={cx(styles.grid, "breaks")}>
        {[...params, ...buffers].map(({ name, label, value, set }) => (
          <TextField key={name} label={label} mono value={value} onChange={set} />
        ))}
        <TextField label="Threads (1–1024)" type="number" value={threads} onChange={(threads) => set({ threads })} />
        <TextField label="Step limit" type="number" value={fuel} onChange={(fuel) => set({ fuel })} />
        {language !== undefined ? null : <TextField label="Special registers" mono value={sregs} onChange={(sregs) => set({ sregs })} />}
      </div>
      <p className="muted">
        {language?.hint ?? (
          <>
            64-bit parameters are buffers; give a size in bytes (<code>4096</code>), <code>hex:…</code> or <code>i32:1,2,3</code>. Other
            parameters: <code>5</code>, <code>f32:1.5</code>. Special registers: <code>%envreg3=1 SR_NSMID=4</code>.
          </>
        )}
      </p>
    </>
  );
}
