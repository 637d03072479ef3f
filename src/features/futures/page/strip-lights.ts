/** What the strip of phases marks of futures: where others begin, and the lights of all rewrites for each phase. */

import type { PhaseMark, PhaseMarks } from "../../../app/session/feature.ts";
import { rewritesBefore } from "../../../app/session/rewrites.ts";
import { selectPhases } from "../../../app/session/selectors.ts";
import type { SessionState } from "../../../app/session/state.ts";
import type { PhaseRun } from "../../../engine/api/types.ts";
import type { LightReport } from "../engine/types.ts";
import type { FuturesView } from "./futures-view.ts";
import { type FutureTree, forkRun, titleOf } from "./tree.ts";

type StripLight = LightReport["colour"];

/**
 * A colour for each run: red if a program after one of its rewrites has a different meaning from the original; null if
 * nothing is rewritten, or not all is known.
 */
function coloursOf(phases: readonly PhaseRun[], known: ReadonlyMap<number, LightReport>): readonly (StripLight | null)[] {
  const before = rewritesBefore(phases);
  return phases.map(({ rewrites }, run) => {
    const start = before[run] ?? 0;
    const own = Array.from({ length: rewrites }, (_, i) => known.get(start + i + 1)?.colour);
    if (own.length === 0) return null;
    if (own.includes("red")) return "red";
    if (own.includes(undefined)) return null;
    return own.includes("green") ? "green" : "grey";
  });
}

const LIGHT_WORDS: Readonly<Record<StripLight, string>> = {
  green: "Every rewrite keeps the program's meaning",
  red: "One of its rewrites changes the program's meaning",
  grey: "The inputs tried cannot decide whether its rewrites are right",
};

let last: readonly [FutureTree, readonly PhaseRun[], FuturesView["lights"], PhaseMarks] | null = null;

export function phaseMarks(state: SessionState): PhaseMarks {
  const tree = state.futures;
  const phases = selectPhases(state);
  const lights = state.futuresView.lights?.epoch === state.run.epoch ? state.futuresView.lights : null;
  if (last === null || last[0] !== tree || last[1] !== phases || last[2] !== lights)
    last = [tree, phases, lights, marksOf(tree, phases, lights)];
  return last[3];
}

function marksOf(tree: FutureTree, phases: readonly PhaseRun[], lights: FuturesView["lights"]): PhaseMarks {
  const colours = lights === null ? [] : coloursOf(phases, lights.known);
  const forks = new Map<number, string[]>();
  for (const future of tree.list) {
    const at = forkRun(tree, future, phases);
    if (at !== null) forks.set(at, [...(forks.get(at) ?? []), titleOf(tree, future.id)]);
  }
  const marks = phases.map(({ run }): readonly PhaseMark[] => {
    const [titles, light] = [forks.get(run), colours[run] ?? null];
    return [
      ...(titles === undefined ? [] : [{ shape: "fork", says: `Other futures from here: ${titles.join("; ")}` } as const]),
      ...(light === null ? [] : [{ shape: light, says: LIGHT_WORDS[light] }]),
    ];
  });
  return new Map([...marks.entries()].filter(([, of]) => of.length > 0));
}
