/** The fuel: the program after the first N rewrites, and a light for each N. */

import { useEffect, useMemo, useState } from "react";
import { plainName } from "../../../../app/names/phases.ts";
import { useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { nthRewrite, rewritesBefore, stepOfRewrite } from "../../../../app/session/rewrites.ts";
import { selectPhases } from "../../../../app/session/selectors.ts";
import { Badge } from "../../../../app/ui/badge.tsx";
import { Button } from "../../../../app/ui/button.tsx";
import { cx } from "../../../../app/ui/cx.ts";
import { Checkbox } from "../../../../app/ui/field.tsx";
import { Row, Stack } from "../../../../app/ui/layout.tsx";
import type { PhaseRun } from "../../../../engine/api/types.ts";
import type { LightReport } from "../../engine/types.ts";
import { forkBeside } from "../compare-future.ts";
import type { Lights } from "../futures-view.ts";
import { type LightSearch, searchLights } from "../lights.ts";
import { Bisect } from "./bisect.tsx";
import styles from "./fuel.module.css";
import { InputWords } from "./input-words.tsx";

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
        Only the rewrites of this phase{own === undefined ? "" : ` (${plainName(own)}: ${own.rewrites})`}
      </Checkbox>
      {high === low ? (
        <p>{alone ? "This phase performs no rewrites." : "No phase performs a rewrite: there is nothing to stop after."}</p>
      ) : (
        <Slider key={`${epoch} ${low} ${high}`} low={low} high={high} phases={phases} />
      )}
      <Bisect key={`bisect ${epoch}`} />
    </>
  );
}

/** Above this number, rewrites have no single ticks; the lights are still requested. */
const MOST_TICKS = 400;

function Slider({ low, high, phases }: { readonly low: number; readonly high: number; readonly phases: readonly PhaseRun[] }) {
  const session = useSessionObject();
  const [n, setN] = useState(high);
  const [search, setSearch] = useState<LightSearch | null>(null);
  const lights = useSession((s) => s.futuresView.lights);
  useEffect(() => {
    const made = searchLights(session, low, high);
    setSearch(made);
    return () => made.stop();
  }, [session, low, high]);
  const nth = n === 0 ? null : nthRewrite(phases, n);
  const phase = nth === null ? undefined : phases[nth.run];
  const goTo = (to: number): void => {
    setN(to);
    search?.want(to);
    follow(session, phases, to);
  };
  const title =
    n === 0 ? "before all rewrites" : phase === undefined ? "" : `after ${phase.address}#${nth?.own ?? 0} of ${plainName(phase)}`;
  return (
    <Stack gap="hair" className={styles.slider}>
      <label htmlFor="fuel">
        Rewrites performed: <strong>{n}</strong> of {high}, {title}
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
      {search === null || lights === null ? null : <LightRow lights={lights} low={low} high={high} n={n} phases={phases} onPick={goTo} />}
      <Row wrap gap={2}>
        <Button
          disabled={phase === undefined}
          onClick={() => {
            if (phase !== undefined && nth !== null) forkBeside(session, [{ kind: "fuel", run: phase.address, n: nth.own }]);
          }}
        >
          Continue from here without later rewrites
        </Button>
      </Row>
    </Stack>
  );
}

/** Goes to the state after the first `n` rewrites; the last request counts while a phase is on its way. */
function follow(session: ReturnType<typeof useSessionObject>, phases: readonly PhaseRun[], n: number): void {
  const { position } = session.actions;
  const nth = n === 0 ? null : nthRewrite(phases, n);
  if (nth === null) {
    const first = phases.findIndex((p) => p.ran);
    position.goTo(Math.max(0, first), "start");
    return;
  }
  const { epoch } = session.store.getState().run;
  const arrive = (): boolean => {
    const { position: now, run } = session.store.getState();
    if (run.epoch !== epoch || now.run !== nth.run) return true;
    if (now.state === "tracing" || now.trace === null || now.trace.run !== nth.run) return false;
    position.seek(stepOfRewrite(now.trace, nth.own) ?? "end");
    return true;
  };
  position.goTo(nth.run, "end");
  if (arrive()) return;
  const stop = session.store.subscribe(() => {
    if (arrive()) stop();
  });
}

interface LightRowProps {
  readonly lights: Lights;
  readonly low: number;
  readonly high: number;
  readonly n: number;
  readonly phases: readonly PhaseRun[];
  readonly onPick: (n: number) => void;
}

function LightRow({ lights: { known, stopped }, low, high, n, onPick }: LightRowProps) {
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
      <p className="breaks" role="status" data-testid="light">
        {light === null ? "Checking…" : <LightSaid light={light} />}
      </p>
      <p className="muted">
        {known.size < high - low + 1 ? `${known.size} of ${high - low + 1} checked` : `All ${high - low + 1} checked`}: {count("green")}{" "}
        same meaning, {count("red")} different meaning, {count("grey")} undecided
        {stopped === null ? "" : ` (stopped: ${stopped})`}.{" "}
        {red.length === 0 ? null : (
          <Button variant="link" onClick={() => onPick(Math.min(...red))}>
            Go to the first red one
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
          <Badge tone="error">different meaning</Badge> {light.reason} <InputWords input={light.input} />
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
