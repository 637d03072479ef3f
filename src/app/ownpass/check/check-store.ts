/** What Check and Compare are at and have found: outlives the tab, which may be left while they run. */

import { createStore } from "zustand/vanilla";
import type { GivenProgram } from "../../../ownpass/check.ts";
import type { AnalysisChecked, Checked, CheckJob, Compared, Tested, Unusable } from "../../../ownpass/check-bench.ts";
import type { Session } from "../../session/session.ts";
import { messageOf } from "../../ui/failure.ts";
import { openSandbox } from "../sandbox.ts";
import { type BenchClient, startBench } from "./bench-client.ts";

const MOST_PROGRAMS = 100_000;

export interface CheckSettings {
  readonly count: number;
  readonly seed: number;
  /** The program that is open. */
  readonly current: boolean;
  readonly examples: boolean;
  /** Id of our phase. */
  readonly against: string;
}

/** An answer, the source that it is about, and the text of the open program that was among those tried; null: none was. */
export interface Found<T> {
  readonly source: string;
  readonly revision: number | null;
  readonly answer: T | Unusable;
}

export interface CheckState {
  readonly settings: CheckSettings;
  readonly running: {
    readonly kind: "check" | "compare";
    readonly done: number;
    readonly of: number;
    readonly failures: number;
    readonly cancelled: boolean;
  } | null;
  readonly checked: Found<Checked | AnalysisChecked> | null;
  readonly compared: Found<Compared> | null;
  readonly tested: Found<Tested> | null;
  /** Why there is no answer at all. */
  readonly error: string | null;
}

export const checkStore = createStore<CheckState>()(() => ({
  settings: { count: 200, seed: 1, current: true, examples: true, against: "ori-perform-live-dead-first" },
  running: null,
  checked: null,
  compared: null,
  tested: null,
  error: null,
}));

export function setSettings(part: Partial<CheckSettings>): void {
  checkStore.setState(({ settings }) => ({ settings: { ...settings, ...part } }));
}

/** A number of programs that can be asked for. */
export const programCount = (n: number): number => (Number.isFinite(n) ? Math.min(MOST_PROGRAMS, Math.max(0, Math.round(n))) : 0);

let bench: BenchClient | null = null;
let testing: BenchClient | null = null;
const benchOf = (): BenchClient => {
  bench ??= startBench(async () => openSandbox());
  return bench;
};
async function jobOf(session: Session, source: string): Promise<CheckJob> {
  const { settings } = checkStore.getState();
  const given: GivenProgram[] = [];
  const { document } = session.store.getState();
  const open = document.good;
  if (settings.current && open !== null)
    given.push({ name: document.title, text: open.ori === "" ? await session.api.printed() : open.ori });
  // An example that is open unchanged would count twice.
  if (settings.examples) given.push(...(await examplePrograms()).filter(({ text }) => !settings.current || text !== document.text));
  return { source, given, count: settings.count, seed: settings.seed };
}

/** The small programs of the gallery; kernels of real compilers would take the time of all others together. */
async function examplePrograms(): Promise<readonly GivenProgram[]> {
  const { EXAMPLES } = await import("../../examples/catalogue.ts");
  const small = EXAMPLES.filter(({ group, format }) => format === "ori" && group !== "Sizes");
  return Promise.all(small.map(async ({ title, load }) => ({ name: title, text: await load() })));
}

/** Runs one of the two; a press while it runs does nothing. */
async function begin<T extends Checked | AnalysisChecked | Compared>(
  kind: "check" | "compare",
  session: Session,
  source: string,
  work: (job: CheckJob, progress: (done: number, of: number, failures: number) => void) => Promise<T | Unusable>,
  keep: (found: Found<T>) => Partial<CheckState>,
): Promise<T | Unusable | null> {
  if (checkStore.getState().running !== null) return null;
  checkStore.setState({ running: { kind, done: 0, of: 0, failures: 0, cancelled: false }, error: null });
  const revision = checkStore.getState().settings.current ? session.store.getState().document.revision : null;
  try {
    const answer = await work(await jobOf(session, source), (done, of, failures) => {
      checkStore.setState(({ running }) => (running === null ? {} : { running: { ...running, done, of, failures } }));
    });
    checkStore.setState({ ...keep({ source, revision, answer }), running: null });
    return answer;
  } catch (error) {
    checkStore.setState({ running: null, error: messageOf(error) });
    return null;
  }
}

export const runCheck = (session: Session, source: string): Promise<Checked | AnalysisChecked | Unusable | null> =>
  begin(
    "check",
    session,
    source,
    (job, progress) => benchOf().check(job, progress),
    (checked) => ({ checked }),
  );

export const runCompare = (session: Session, source: string): Promise<Compared | Unusable | null> => {
  const { against } = checkStore.getState().settings;
  return begin(
    "compare",
    session,
    source,
    (job, progress) => benchOf().compare({ ...job, against }, progress),
    (compared) => ({ compared }),
  );
};

export function cancelCheck(): void {
  bench?.cancel();
  checkStore.setState(({ running }) => (running === null ? {} : { running: { ...running, cancelled: true } }));
}

let wanted: string | null = null;
let busy = false;

/** Runs the tests of the file; of sources that come faster than answers, the last. */
export async function runTests(source: string): Promise<void> {
  wanted = source;
  if (busy) return;
  busy = true;
  testing ??= startBench(async () => openSandbox());
  while (wanted !== null) {
    const now: string = wanted;
    wanted = null;
    try {
      const answer = await testing.tests({ source: now });
      checkStore.setState({ tested: { source: now, revision: null, answer } });
    } catch (error) {
      checkStore.setState({ tested: { source: now, revision: null, answer: { kind: "unusable", line: 0, message: messageOf(error) } } });
    }
  }
  busy = false;
}
