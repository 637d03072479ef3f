/** The order of the phases: the open phase at every other place, with the resulting program. */

import { useEffect, useRef } from "react";
import { plainName } from "../../../../app/names/phases.ts";
import { useSession, useSessionObject } from "../../../../app/session/hooks.ts";
import { selectKernel, selectPhase, selectPhases } from "../../../../app/session/selectors.ts";
import type { Session } from "../../../../app/session/session.ts";
import { Button } from "../../../../app/ui/button.tsx";
import { DataTable } from "../../../../app/ui/data-table.tsx";
import { messageOf } from "../../../../app/ui/failure.ts";
import { Row } from "../../../../app/ui/layout.tsx";
import { plural } from "../../../../app/ui/plural.ts";
import type { ComparedSide, Intervention, PhaseRun } from "../../../../engine/api/types.ts";
import { carried, interventionOf, orderNow, orderOf, targetsOf } from "../carry/places.ts";
import { forkBeside } from "../compare-future.ts";
import styles from "./order.module.css";
import { Breaks, PutIn } from "./put-in.tsx";
import { useSearch } from "./use-search.ts";

interface Place {
  readonly move: Intervention | null;
  readonly title: string;
  readonly side: ComparedSide | null;
  readonly problem: string | null;
  /** What the order breaks, a sentence each. */
  readonly breaks: readonly string[];
}

const MOVES = ["future.leave-out", "future.insert", "future.earlier", "future.later"] as const;

export function Order() {
  const session = useSessionObject();
  const phase = useSession(selectPhase);
  const epoch = useSession((s) => s.run.epoch);
  return (
    <>
      <p>{phase === null ? "Nothing has run yet." : `Drag ${plainName(phase)} in the strip, or try all positions here.`}</p>
      <Row wrap gap={2}>
        {MOVES.map((id) => {
          const command = session.command(id);
          return command === null ? null : (
            <Button key={id} disabled={!command.enabled(session.store.getState())} onClick={() => command.run(session)}>
              {command.title}
            </Button>
          );
        })}
      </Row>
      {phase?.modelled === true ? <PutIn key={`put in ${epoch} ${phase.run}`} phase={phase} /> : null}
      {phase?.modelled === true ? <EveryPlace key={`${epoch} ${phase.run}`} phase={phase} /> : null}
    </>
  );
}

function EveryPlace({ phase }: { readonly phase: PhaseRun }) {
  const session = useSessionObject();
  const phases = useSession(selectPhases);
  const {
    answer: places,
    busy,
    start,
    stop,
  } = useSearch<readonly Place[]>((show, signal) =>
    tryPlaces(session, phase, phases, signal, show).catch((error: unknown) =>
      session.actions.notify("error", `The places could not be tried: ${messageOf(error)}`),
    ),
  );
  const verdict = useRef<HTMLParagraphElement>(null);
  const done = places !== null && !busy;
  useEffect(() => {
    if (done) verdict.current?.scrollIntoView({ block: "start" });
  }, [done]);
  return (
    <>
      <Row wrap gap={2}>
        {busy ? <Button onClick={stop}>Stop</Button> : <Button onClick={start}>Try this phase at every place</Button>}
        {/* Not read out place by place. */}
        {busy ? <span aria-hidden="true">{plural(places?.length ?? 0, "place")} tried…</span> : null}
      </Row>
      <p ref={verdict} role="status" data-testid="places-verdict">
        {places === null || busy ? "" : verdictOf(places)}
      </p>
      {places === null || places.length === 0 ? null : <Places tried={places} />}
    </>
  );
}

function Places({ tried }: { readonly tried: readonly Place[] }) {
  const session = useSessionObject();
  const most = Math.max(1, ...tried.map((p) => p.side?.executed?.warpInstructions ?? 0));
  return (
    <DataTable
      testId="places"
      rows={tried}
      rowKey={({ title }) => title}
      marks={({ move }) => ({ current: move === null })}
      columns={[
        {
          title: "Place",
          head: true,
          cell: ({ move, title }) =>
            move === null ? (
              title
            ) : (
              <Button variant="link" onClick={() => forkBeside(session, [move])}>
                {title}
              </Button>
            ),
        },
        { title: "Instructions", align: "end", cell: ({ side }) => side?.size.instructions },
        { title: "Warp instructions executed", cell: ({ side }) => (side === null ? null : <Executed of={side} most={most} />) },
        {
          title: "Meaning",
          tip: ({ side }) => side?.meaning.reason,
          cell: ({ side }) => (side === null ? null : <Meaning of={side} />),
        },
      ]}
      detail={({ problem, breaks }) =>
        problem === null && breaks.length === 0 ? null : (
          <>
            {problem}
            <Breaks sentences={breaks} />
          </>
        )
      }
    />
  );
}

/** `most`: where its bar has the full width. */
function Executed({ of: { executed }, most }: { readonly of: ComparedSide; readonly most: number }) {
  const width = `${Math.round((100 * (executed?.warpInstructions ?? 0)) / most)}px`;
  return (
    <>
      <span className={styles.placeBar} style={{ width }} aria-hidden="true" /> {executed?.warpInstructions.toLocaleString("en") ?? "–"}
    </>
  );
}

function Meaning({ of: { meaning } }: { readonly of: ComparedSide }) {
  const said = { green: "same", red: "different", grey: "undecided" }[meaning.colour];
  return meaning.colour === "red" ? <span className="tone-error">{said}</span> : said;
}

const placeName = (phase: PhaseRun | undefined): string =>
  phase === undefined ? "" : `${/^\d/.test(phase.address) ? `${phase.address} ` : ""}${plainName(phase)}`;

/** The result in one line: how many positions keep the meaning, and the one that executes least. */
function verdictOf(places: readonly Place[]): string {
  const tried = `${plural(places.length, "place")} tried.`;
  const wrong = places.filter(({ side }) => side?.meaning.colour === "red").length;
  const executed = ({ side }: Place): number => (side?.meaning.colour === "red" ? null : side?.executed?.warpInstructions) ?? Infinity;
  const [home] = places;
  if (home === undefined) return tried;
  const best = places.reduce((least, place) => (executed(place) < executed(least) ? place : least), home);
  const meaning =
    wrong === 0 ? "None changes the program's meaning." : `${plural(wrong, "place changes", "places change")} the program's meaning.`;
  if (executed(best) === Infinity) return `${tried} ${meaning}`;
  const where = best === home ? "No other place executes fewer" : `The fewest are executed ${best.title}`;
  const before = best === home || executed(home) === Infinity ? "" : `, ${executed(home).toLocaleString("en")} where it is`;
  return `${tried} ${meaning} ${where}: ${executed(best).toLocaleString("en")} warp instructions${before}.`;
}

/** Where it is, then before each other phase that is modelled, then after the last. */
async function tryPlaces(
  session: Session,
  phase: PhaseRun,
  phases: readonly PhaseRun[],
  signal: AbortSignal,
  show: (tried: readonly Place[]) => void,
): Promise<void> {
  let tried: readonly Place[] = [];
  show(tried);
  const state = session.store.getState();
  const kernel = selectKernel(state)?.name ?? "";
  const { pipeline } = state.options;
  const base = pipeline.interventions ?? [];
  const found = carried(phases, phase.run);
  if (found === null) return;
  const { others, home } = found;
  const last = others.at(-1);
  const targets = targetsOf(found).filter((target) => target.kind === "move" && target.place !== home);
  const sentences = await session.api.orderBreaks(
    orderNow(found),
    targets.map((target) => orderOf(found, target)),
  );
  const moves: readonly (readonly [Intervention | null, string, readonly string[]])[] = [
    [null, "where it is", []],
    ...targets.map((target, i): readonly [Intervention | null, string, readonly string[]] => {
      const before = target.kind === "out" ? undefined : others[target.place];
      const title = before === undefined ? `after ${placeName(last)}` : `before ${placeName(before)}`;
      return [interventionOf(found, target), title, sentences[i] ?? []];
    }),
  ];
  for (const [move, title, breaks] of moves) {
    const options = { ...pipeline, interventions: move === null ? base : [...base, move] };
    const compared = await session.api.compareFutures(kernel, pipeline, options);
    if (signal.aborted) return;
    const [side, problem] = typeof compared === "string" ? [null, compared] : [compared.b, null];
    tried = [...tried, { move, title, side, problem, breaks }];
    show(tried);
  }
}
