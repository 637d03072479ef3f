/** The order of the phases: the open phase at every other place, with what becomes of the program there. */

import { useEffect, useRef, useState } from "react";
import type { FutureSide, Intervention, PhaseRun } from "../../../engine/api/types.ts";
import { commandById } from "../../commands/commands.ts";
import panel from "../../inspectors/shared/panel.module.css";
import { useActions, useSession, useSessionObject } from "../../session/hooks.ts";
import { selectKernel, selectPhase, selectPhases } from "../../session/selectors.ts";
import type { Session } from "../../session/session.ts";
import { Button } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { messageOf } from "../../ui/failure.ts";
import { plural } from "../../ui/plural.ts";
import styles from "../futures.module.css";

interface Place {
  readonly move: Intervention | null;
  readonly title: string;
  readonly side: FutureSide | null;
  readonly problem: string | null;
}

const MOVES = ["future.leave-out", "future.insert", "future.earlier", "future.later"] as const;

export function Order() {
  const session = useSessionObject();
  const phase = useSession(selectPhase);
  const epoch = useSession((s) => s.run.epoch);
  return (
    <>
      <p>
        {phase === null ? "Nothing has run yet." : `${phase.name}:`} the menus and keys move it one place; here it can be tried at every
        place.
      </p>
      <div className={styles.row}>
        {MOVES.map((id) => {
          const command = commandById(id);
          return command === null ? null : (
            <Button key={id} disabled={!command.enabled(session.store.getState())} onClick={() => command.run(session)}>
              {command.title}
            </Button>
          );
        })}
      </div>
      {phase?.modelled === true ? <EveryPlace key={`${epoch} ${phase.run}`} phase={phase} /> : null}
    </>
  );
}

function EveryPlace({ phase }: { readonly phase: PhaseRun }) {
  const session = useSessionObject();
  const { futures } = useActions();
  const phases = useSession(selectPhases);
  const [places, setPlaces] = useState<readonly Place[] | null>(null);
  const [busy, setBusy] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const stop = (): void => {
    running.current?.abort();
    setBusy(false);
  };
  const start = (): void => {
    const own = new AbortController();
    running.current = own;
    setBusy(true);
    setPlaces([]);
    const add = (place: Place): void => setPlaces((old) => [...(old ?? []), place]);
    tryPlaces(session, phase, phases, own.signal, add).then(
      () => own.signal.aborted || setBusy(false),
      (error: unknown) => {
        setBusy(false);
        session.actions.notify("error", `The places could not be tried: ${messageOf(error)}`);
      },
    );
  };
  const most = Math.max(1, ...(places ?? []).map((p) => p.side?.executed?.warpInstructions ?? 0));
  return (
    <>
      <div className={styles.row}>
        {busy ? <Button onClick={stop}>Stop</Button> : <Button onClick={start}>Try every place of this phase</Button>}
        <span role="status">{places === null ? "" : `${plural(places.length, "place")} tried${busy ? "…" : "."}`}</span>
      </div>
      {places === null || places.length === 0 ? null : (
        <table className={panel.table} data-testid="places">
          <thead>
            <tr>
              <th scope="col">Place</th>
              <th scope="col">Instructions</th>
              <th scope="col">Warp instructions executed</th>
              <th scope="col">Meaning</th>
            </tr>
          </thead>
          <tbody>
            {places.map(({ move, title, side, problem }) => (
              <tr key={title} className={cx(move === null && panel.current)}>
                <th scope="row">
                  {move === null ? (
                    title
                  ) : (
                    <Button variant="link" onClick={() => futures.fork([move])}>
                      {title}
                    </Button>
                  )}
                </th>
                {side === null ? (
                  <td colSpan={3}>{problem}</td>
                ) : (
                  <>
                    <td className={panel.number}>{side.size.instructions}</td>
                    <td>
                      <span
                        className={styles.placeBar}
                        style={{ width: `${Math.round((100 * (side.executed?.warpInstructions ?? 0)) / most)}px` }}
                        aria-hidden="true"
                      />{" "}
                      {side.executed?.warpInstructions.toLocaleString("en") ?? "–"}
                    </td>
                    <td className={side.meaning.colour === "red" ? styles.bad : undefined} title={side.meaning.reason}>
                      {{ green: "same", red: "other", grey: "undecided" }[side.meaning.colour]}
                    </td>
                  </>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

/** Where it is, then before each other phase that is modelled, then after the last. */
async function tryPlaces(
  session: Session,
  phase: PhaseRun,
  phases: readonly PhaseRun[],
  signal: AbortSignal,
  add: (place: Place) => void,
): Promise<void> {
  const state = session.store.getState();
  const kernel = selectKernel(state)?.name ?? "";
  const { pipeline } = state.options;
  const base = pipeline.interventions ?? [];
  const others = phases.filter((p) => p.modelled && p.run !== phase.run);
  const last = others.at(-1);
  const moves: readonly (readonly [Intervention | null, string])[] = [
    [null, "where it is"],
    ...others.map((p): readonly [Intervention, string] => [
      { kind: "move", run: phase.address, at: { side: "before", run: p.address } },
      `before ${p.address} ${p.name}`,
    ]),
    ...(last === undefined
      ? []
      : [[{ kind: "move", run: phase.address, at: { side: "after", run: last.address } }, `after ${last.address} ${last.name}`] as const]),
  ];
  for (const [move, title] of moves) {
    const options = { ...pipeline, interventions: move === null ? base : [...base, move] };
    const found = await session.api.compareFutures(kernel, pipeline, options);
    if (signal.aborted) return;
    add(typeof found === "string" ? { move, title, side: null, problem: found } : { move, title, side: found.b, problem: null });
  }
}
