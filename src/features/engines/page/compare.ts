/** Two engines on the same program: which phases end differently, and with what text. */

import type { Session } from "../../../app/session/session.ts";
import type { OtherEngine } from "../../../app/session/state.ts";
import type { PhaseRun, RunResult } from "../../../engine/api/types.ts";
import { connectEngine } from "../../../worker/client.ts";
import type { AsyncEngine } from "../../../worker/questions.ts";

/** A result, and the program after each of its phases. */
export interface Future {
  readonly result: RunResult;
  textAfter(run: number): Promise<string>;
}

export interface PhaseDifference {
  readonly id: string;
  /** Which of the runs of this phase, from 0. */
  readonly occurrence: number;
  readonly name: string;
  /** null: this engine does not have the phase. */
  readonly ours: PhaseRun | null;
  readonly theirs: PhaseRun | null;
  /** The program after it. */
  readonly texts: readonly [ours: string, theirs: string];
}

export interface Comparison {
  readonly phases: number;
  readonly differences: readonly PhaseDifference[];
}

/** Runs the open program on another engine in the same way as here, and compares phase by phase. Rejects with a sentence. */
export async function compareWith(session: Session, other: OtherEngine, stopped: AbortSignal): Promise<Comparison> {
  const { document, options, run } = session.store.getState();
  const { result, epoch } = run;
  if (result === null || run.stale) throw new Error("There is no result of this program yet.");
  const client = connectEngine(() => ({ worker: new Worker(other.script, { type: "module" }), hello: null }), { retryMs: [] });
  const ended = new Promise<never>((_, reject) => {
    client.onUnavailable((reason) => reject(new Error(`The other engine could not be loaded: ${reason}.`)));
    stopped.addEventListener("abort", () => reject(new Error("The comparison was stopped.")));
  });
  try {
    const theirs = runOn(client.api, document.text, document.format, result, options.pipeline);
    const ours: Future = {
      result,
      textAfter: async (at) => {
        if (session.store.getState().run.epoch !== epoch) throw new Error("The program changed in the meantime.");
        return (await session.api.text({ run: at, step: null })).text;
      },
    };
    return await Promise.race([theirs.then((future) => compareFutures(ours, future)), ended]);
  } finally {
    client.dispose();
  }
}

async function runOn(
  api: AsyncEngine,
  text: string,
  format: Parameters<AsyncEngine["open"]>[2],
  like: RunResult,
  options: Parameters<AsyncEngine["run"]>[2],
): Promise<Future> {
  const opened = await api.open(1, text, format);
  const kernel = opened.kernels.find(({ name }) => name === like.kernel);
  if (!opened.ok || kernel === undefined) {
    const problem = opened.diagnostics.find(({ severity }) => severity === "error");
    throw new Error(
      `The other engine does not accept this program${problem === undefined ? "." : `: line ${problem.line}, ${problem.message}`}`,
    );
  }
  const result = await api.run(1, kernel.name, options);
  return { result, textAfter: async (run) => (await api.text({ run, step: null })).text };
}

/** The phases that end differently. A phase that changes nothing ends as the one before it did: its text is not requested. */
export async function compareFutures(ours: Future, theirs: Future): Promise<Comparison> {
  const rows = aligned(ours.result.phases, theirs.result.phases);
  const [mine, other] = [textOf(ours), textOf(theirs)];
  const differences: PhaseDifference[] = [];
  let before = true;
  for (const { id, occurrence, pair } of rows) {
    const [left, right] = pair;
    const texts = [await mine(left), await other(right)] as const;
    const same = texts[0] === texts[1];
    // Programs that differ already differ after every phase: shown are those that act otherwise, or that part them.
    if ((same ? !before : before) || !actsAlike(left, right)) {
      differences.push({ id, occurrence, name: (left ?? right)?.name ?? id, ours: left, theirs: right, texts });
    }
    before = same;
  }
  return { phases: rows.length, differences };
}

function textOf({ textAfter }: Future): (phase: PhaseRun | null) => Promise<string> {
  let last: string | null = null;
  return async (phase) => {
    if (phase !== null && (phase.changed || last === null)) last = await textAfter(phase.run);
    return last ?? "";
  };
}

/** By what a phase does; the size of what it found is the doing of earlier ones. */
function actsAlike(a: PhaseRun | null, b: PhaseRun | null): boolean {
  if (a === null || b === null) return false;
  const grown = ([before, after]: readonly [number, number]): number => after - before;
  return (
    a.ran === b.ran &&
    a.changed === b.changed &&
    a.rewrites === b.rewrites &&
    grown(a.blocks) === grown(b.blocks) &&
    grown(a.instructions) === grown(b.instructions)
  );
}

interface Row {
  readonly id: string;
  readonly occurrence: number;
  readonly pair: readonly [ours: PhaseRun | null, theirs: PhaseRun | null];
}

/** The phases of both by name and occurrence, in the order of ours; a phase of only the other engine comes after its predecessor there. */
function aligned(ours: readonly PhaseRun[], theirs: readonly PhaseRun[]): Row[] {
  const [mine, other] = [named(ours), named(theirs)];
  const onlyTheirs = new Map<string, Row[]>();
  let before = "";
  for (const [key, { id, occurrence, phase }] of other) {
    if (mine.has(key)) before = key;
    else onlyTheirs.set(before, [...(onlyTheirs.get(before) ?? []), { id, occurrence, pair: [null, phase] }]);
  }
  const rows = [...(onlyTheirs.get("") ?? [])];
  for (const [key, { id, occurrence, phase }] of mine) {
    rows.push({ id, occurrence, pair: [phase, other.get(key)?.phase ?? null] }, ...(onlyTheirs.get(key) ?? []));
  }
  return rows;
}

function named(phases: readonly PhaseRun[]): Map<string, { id: string; occurrence: number; phase: PhaseRun }> {
  const times = new Map<string, number>();
  return new Map(
    phases.map((phase) => {
      const occurrence = times.get(phase.id) ?? 0;
      times.set(phase.id, occurrence + 1);
      return [`${phase.id} ${occurrence}`, { id: phase.id, occurrence, phase }];
    }),
  );
}
