/** The fuel: the program after the first N rewrites, a light for each N, and the first one after which it means something else. */

import { useEffect, useMemo, useState } from "react";
import { useStore } from "zustand";
import type { BisectReport, ExecReport, InputText, LightReport, PhaseRun, RungReport } from "../../../engine/api/types.ts";
import { TextDiff } from "../../editor/text-diff.tsx";
import { loadIntoRun } from "../../inspectors/run/run-wish.ts";
import panel from "../../inspectors/shared/panel.module.css";
import { useActions, useEngineQuery, useSession, useSessionObject } from "../../session/hooks.ts";
import { selectKernel, selectPhases } from "../../session/selectors.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { messageOf } from "../../ui/failure.ts";
import { Checkbox } from "../../ui/field.tsx";
import { plural } from "../../ui/plural.ts";
import styles from "../futures.module.css";
import { LIGHT_INPUTS, type LightSearch, searchLights } from "../lights.ts";
import { rewritesBefore, rungOf, stepOfRewrite } from "../rewrites.ts";

export function Fuel() {
  const phases = useSession(selectPhases);
  const epoch = useSession((s) => s.run.epoch);
  const run = useSession((s) => s.position.run);
  const [alone, setAlone] = useState(false);
  const before = useMemo(() => rewritesBefore(phases), [phases]);
  const total = phases.reduce((n, p) => n + p.rewrites, 0);
  const own = phases[run];
  const low = alone ? (before[run] ?? 0) : 0;
  const high = alone ? low + (own?.rewrites ?? 0) : total;
  return (
    <>
      <Checkbox checked={alone} onChange={setAlone}>
        Only the rewrites of this phase{own === undefined ? "" : ` (${own.name}: ${own.rewrites})`}
      </Checkbox>
      {high === low ? (
        <p>{alone ? "This phase rewrites nothing." : "No phase rewrites anything here: there is nothing to stop after."}</p>
      ) : (
        <Slider key={`${epoch} ${low} ${high}`} low={low} high={high} phases={phases} />
      )}
      <Bisect key={`bisect ${epoch}`} />
    </>
  );
}

/** More rewrites than this have no tick of their own; the lights are asked for all the same. */
const MOST_TICKS = 400;

function Slider({ low, high, phases }: { readonly low: number; readonly high: number; readonly phases: readonly PhaseRun[] }) {
  const session = useSessionObject();
  const { futures } = useActions();
  const [n, setN] = useState(high);
  const [search, setSearch] = useState<LightSearch | null>(null);
  useEffect(() => {
    const made = searchLights(session, low, high);
    setSearch(made);
    return () => made.stop();
  }, [session, low, high]);
  const rung = n === 0 ? null : rungOf(phases, n);
  const phase = rung === null ? undefined : phases[rung.run];
  const goTo = (to: number): void => {
    setN(to);
    search?.want(to);
    follow(session, phases, to);
  };
  const title = n === 0 ? "before all rewrites" : phase === undefined ? "" : `after ${phase.address}#${rung?.own ?? 0} of ${phase.name}`;
  return (
    <div className={styles.slider}>
      <label htmlFor="fuel">
        Rewrites that happen: <strong>{n}</strong> of {high}, {title}
      </label>
      <input
        id="fuel"
        type="range"
        min={low}
        max={high}
        value={n}
        aria-valuetext={`${n} of ${high}, ${title}`}
        onChange={(event) => goTo(Number(event.target.value))}
      />
      {search === null ? null : <LightRow search={search} low={low} high={high} n={n} phases={phases} onPick={goTo} />}
      <div className={styles.row}>
        <Button
          disabled={phase === undefined}
          onClick={() => {
            if (phase !== undefined && rung !== null) futures.fork([{ kind: "fuel", run: phase.address, n: rung.own }]);
          }}
        >
          Go on from here without later rewrites
        </Button>
      </div>
    </div>
  );
}

/** Goes to the state after the first `n` rewrites; the last wish counts while a phase is on its way. */
function follow(session: ReturnType<typeof useSessionObject>, phases: readonly PhaseRun[], n: number): void {
  const { position } = session.actions;
  const rung = n === 0 ? null : rungOf(phases, n);
  if (rung === null) {
    const first = phases.findIndex((p) => p.ran);
    position.goTo(Math.max(0, first), "start");
    return;
  }
  const { epoch } = session.store.getState().run;
  const arrive = (): boolean => {
    const { position: now, run } = session.store.getState();
    if (run.epoch !== epoch || now.run !== rung.run) return true;
    if (now.state === "tracing" || now.trace === null || now.trace.run !== rung.run) return false;
    position.seek(stepOfRewrite(now.trace, rung.own) ?? "end");
    return true;
  };
  position.goTo(rung.run, "end");
  if (arrive()) return;
  const stop = session.store.subscribe(() => {
    if (arrive()) stop();
  });
}

interface LightRowProps {
  readonly search: LightSearch;
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly phases: readonly PhaseRun[];
  readonly onPick: (n: number) => void;
}

function LightRow({ search, low, high, n, onPick }: LightRowProps) {
  const { known, stopped } = useStore(search.store);
  const light = known.get(n) ?? null;
  const count = (colour: LightReport["colour"]): number => [...known.values()].filter((l) => l.colour === colour).length;
  const ticks = high - low + 1 > MOST_TICKS ? [] : Array.from({ length: high - low + 1 }, (_, i) => low + i);
  const red = [...known.values()].filter((l) => l.colour === "red").map((l) => l.n);
  return (
    <>
      <div
        className={styles.lights}
        role="img"
        aria-label={`Lights: ${count("green")} green, ${count("red")} red, ${count("grey")} undecided, of ${high - low + 1}`}
        data-testid="lights"
        data-known={known.size}
      >
        {ticks.map((tick) => (
          <span key={tick} className={cx(styles.light, colourOf(known.get(tick)))} data-light={known.get(tick)?.colour} />
        ))}
      </div>
      <p className={styles.said} role="status" data-testid="light">
        {light === null ? "Looking…" : <LightSaid light={light} />}
      </p>
      <p className="muted">
        {known.size < high - low + 1 ? `${known.size} of ${high - low + 1} lights` : `All ${high - low + 1} lights`}: {count("green")} same
        meaning, {count("red")} other meaning, {count("grey")} undecided
        {stopped === null ? "" : ` (stopped: ${stopped})`}.{" "}
        {red.length === 0 ? null : (
          <Button variant="link" onClick={() => onPick(Math.min(...red))}>
            To the first red one
          </Button>
        )}
      </p>
    </>
  );
}

const colourOf = (light: LightReport | undefined): string | undefined => (light === undefined ? undefined : styles[light.colour]);

function LightSaid({ light }: { readonly light: LightReport }) {
  switch (light.colour) {
    case "green":
      return (
        <>
          <Badge tone="ok">same meaning</Badge> {light.reason}
        </>
      );
    case "red":
      return (
        <>
          <Badge tone="error">other meaning</Badge> {light.reason} <InputWords input={light.input} />
        </>
      );
    case "grey":
      return (
        <>
          <Badge>undecided</Badge> {light.reason}
        </>
      );
  }
}

function InputWords({ input }: { readonly input: InputText | null }) {
  if (input === null) return null;
  return (
    <span className="mono">
      · {plural(input.threads, "thread")} {[...input.args, ...input.mem].map((w) => (w.length > 60 ? `${w.slice(0, 57)}…` : w)).join(" ")}
      {input.note === null ? "" : ` (${input.note})`}
    </span>
  );
}

type Found = BisectReport | { readonly error: string } | "busy" | null;

function Bisect() {
  const session = useSessionObject();
  const [found, setFound] = useState<Found>(null);
  const start = (scan: boolean): void => {
    setFound("busy");
    session.api.bisect(LIGHT_INPUTS, 1, scan).then(
      (report) => setFound(report ?? { error: "nothing has run" }),
      (error: unknown) => setFound({ error: messageOf(error) }),
    );
  };
  return (
    <>
      <div className={styles.row}>
        <Button variant="primary" disabled={found === "busy"} onClick={() => start(false)}>
          {found === "busy" ? "Looking…" : "Find the first wrong rewrite"}
        </Button>
      </div>
      {found === null || found === "busy" ? null : "error" in found ? (
        <p role="alert">It could not be looked for: {found.error}</p>
      ) : (
        <Wrong report={found} onScan={() => start(true)} />
      )}
    </>
  );
}

function Wrong({ report, onScan }: { readonly report: BisectReport; readonly onScan: () => void }) {
  const { first, counterexample, undecided, looked, rewrites, scanned, monotone } = report;
  if (undecided !== null) return <p role="status">Nothing can be said: {undecided}.</p>;
  if (first === null)
    return (
      <p role="status" data-testid="bisected">
        No wrong rewrite: the end means what the program as written means. {looked} of {rewrites + 1} programs were looked at.{" "}
        {scanned ? null : (
          <Button variant="link" onClick={onScan}>
            Look at every one
          </Button>
        )}
      </p>
    );
  return (
    <>
      <p role="status" className={styles.said} data-testid="bisected">
        <Badge tone="error">{first.address}</Badge> is the first wrong rewrite, {first.total} of {rewrites}: {first.sentence}
      </p>
      <p className={styles.said}>
        {counterexample?.difference} <InputWords input={counterexample?.input ?? null} />
      </p>
      {monotone ? null : <p>Later programs mean the same again: there is more than one such rewrite, or one hides another.</p>}
      {scanned || monotone ? null : (
        <Button variant="link" onClick={onScan}>
          Look at every one
        </Button>
      )}
      <Sides first={first} input={counterexample?.input ?? null} />
    </>
  );
}

/** Both programs around the wrong rewrite, and what each does on the input that shows it. */
function Sides({ first, input }: { readonly first: NonNullable<BisectReport["first"]>; readonly input: InputText | null }) {
  const session = useSessionObject();
  const { position } = useActions();
  const kernel = useSession(selectKernel)?.name ?? null;
  const request = input === null ? null : { threads: input.threads, fuel: 100_000, args: input.args, mem: input.mem };
  const { data, error } = useEngineQuery(JSON.stringify(["rung", first.total, request]), (api) => api.rung(first.total, request));
  const { step } = first;
  return (
    <>
      <div className={styles.row}>
        <Button onClick={() => position.goTo(first.run, step ?? "end")}>Go to the step</Button>
        {input === null || kernel === null ? null : (
          <Button onClick={() => loadIntoRun(session, kernel, input)} title={input.note ?? undefined}>
            Load the input into Run
          </Button>
        )}
      </div>
      {input === null ? <p>The verifier rejects the program after it, so no input is run on both.</p> : null}
      {error === null ? null : <p role="alert">Both programs could not be shown: {error}</p>}
      {data === null ? null : (
        <>
          <p>Before and after the rewrite:</p>
          <div className={styles.diff}>
            <TextDiff left={data.before} right={data.after} />
          </div>
          {data.runs === null ? null : <Runs runs={data.runs} />}
        </>
      )}
    </>
  );
}

function Runs({ runs: { before, after } }: { readonly runs: NonNullable<RungReport["runs"]> }) {
  const rows = [
    ["Ends", sayEnd(before), sayEnd(after)],
    ...Object.keys(before.memory).map((name) => [`Memory of ${name}`, before.memory[name] ?? "", after.memory[name] ?? ""]),
    // A kernel returns nothing.
    ...([before, after].some(({ returns }) => returns.some(hasValues)) ? [["Returns", sayReturns(before), sayReturns(after)]] : []),
    ["Warp instructions", String(before.counters.warpInstructions), String(after.counters.warpInstructions)],
    ["Divergent branches", String(before.counters.divergentBranches), String(after.counters.divergentBranches)],
  ] as const;
  return (
    <table className={cx(panel.table, styles.runs)} data-testid="two-runs">
      <caption>Both on that input</caption>
      <thead>
        <tr>
          <th scope="col">Outcome</th>
          <th scope="col">Before</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(([title, a = "", b = ""]) => {
          const from = cutFrom(a, b);
          return (
            <tr key={title} className={cx(a !== b && panel.changed)}>
              <th scope="row">{title}</th>
              <td className="mono">{cut(a, from)}</td>
              <td className="mono">{cut(b, from)}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

type Returned = ExecReport["returns"][number];

const hasValues = (returned: Returned): boolean => Object.keys(returned).length > 0;
const sayValues = (returned: Returned): string =>
  hasValues(returned)
    ? Object.entries(returned)
        .map(([name, value]) => `${name} = ${value}`)
        .join(", ")
    : "nothing";

/** What each thread returned. */
function sayReturns({ returns }: ExecReport): string {
  const [only] = returns;
  if (only !== undefined && returns.length === 1) return sayValues(only);
  return returns.map((returned, thread) => `thread ${thread}: ${sayValues(returned)}`).join("; ");
}

const sayEnd = (report: ExecReport): string => (report.status === "ok" ? "normally" : report.message);

const MOST_SHOWN = 80;
const cut = (text: string, from: number): string =>
  `${from > 0 ? "…" : ""}${text.slice(from, from + MOST_SHOWN)}${text.length > from + MOST_SHOWN ? "…" : ""}`;

/** Where the cut of both begins: at the start, or so that the first difference is in sight. Even, because memory has two digits a byte. */
function cutFrom(a: string, b: string): number {
  let same = 0;
  while (same < a.length && a[same] === b[same]) same++;
  return a === b || same < MOST_SHOWN ? 0 : (same - MOST_SHOWN / 4) & ~1;
}
