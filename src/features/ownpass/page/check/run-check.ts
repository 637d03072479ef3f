/** Runs Check, Compare and the tests of the file in separate threads: the tab may be left meanwhile. */

import { examplesOf } from "../../../../app/session/example.ts";
import type { Session } from "../../../../app/session/session.ts";
import { messageOf } from "../../../../app/ui/failure.ts";
import type { GivenProgram } from "../../engine/check/check.ts";
import type { AnalysisChecked, Checked, CheckJob, Compared, Unusable } from "../../engine/check/check-bench.ts";
import { openSandbox } from "../sandbox.ts";
import { type BenchClient, startBench } from "./bench-client.ts";
import type { CheckSettings, CheckState, Found } from "./check-state.ts";

const MOST_PROGRAMS = 100_000;

export function setSettings({ store, patch }: Session, part: Partial<CheckSettings>): void {
  patch("passCheck", { settings: { ...store.getState().passCheck.settings, ...part } });
}

/** How far it is; nothing where it has ended. */
function progressed({ store, patch }: Session, part: Partial<CheckState["running"]>): void {
  const { running } = store.getState().passCheck;
  if (running !== null) patch("passCheck", { running: { ...running, ...part } });
}

/** A number of programs that can be chosen. */
export const programCount = (n: number): number => (Number.isFinite(n) ? Math.min(MOST_PROGRAMS, Math.max(0, Math.round(n))) : 0);

let bench: BenchClient | null = null;
let testing: BenchClient | null = null;
const benchOf = (): BenchClient => {
  bench ??= startBench(async () => openSandbox());
  return bench;
};
async function jobOf(session: Session, source: string): Promise<CheckJob> {
  const { document, passCheck } = session.store.getState();
  const { settings } = passCheck;
  const given: GivenProgram[] = [];
  const open = document.good;
  if (settings.current && open !== null)
    given.push({ name: document.title, text: open.ori === "" ? await session.api.printed() : open.ori });
  // An example that is open unchanged would count twice.
  if (settings.examples) given.push(...(await smallExamples(session)).filter(({ text }) => !settings.current || text !== document.text));
  return { source, given, count: settings.count, seed: settings.seed };
}

/** The small programs among the examples; kernels of real compilers would take the time of all others together. */
async function smallExamples(session: Session): Promise<readonly GivenProgram[]> {
  const small = examplesOf(session).filter(({ group, format }) => format === "ori" && group !== "Sizes");
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
  const { document, passCheck } = session.store.getState();
  if (passCheck.running !== null) return null;
  session.patch("passCheck", { running: { kind, done: 0, of: 0, failures: 0, cancelled: false }, error: null });
  const revision = passCheck.settings.current ? document.revision : null;
  try {
    const answer = await work(await jobOf(session, source), (done, of, failures) => progressed(session, { done, of, failures }));
    session.patch("passCheck", { ...keep({ source, revision, answer }), running: null });
    return answer;
  } catch (error) {
    session.patch("passCheck", { running: null, error: messageOf(error) });
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
  const { against } = session.store.getState().passCheck.settings;
  return begin(
    "compare",
    session,
    source,
    (job, progress) => benchOf().compare({ ...job, against }, progress),
    (compared) => ({ compared }),
  );
};

export function cancelCheck(session: Session): void {
  bench?.cancel();
  progressed(session, { cancelled: true });
}

let wanted: string | null = null;
let busy = false;

/** Runs the tests of the file; of sources that come faster than answers, the last. */
export async function runTests(session: Session, source: string): Promise<void> {
  wanted = source;
  if (busy) return;
  busy = true;
  testing ??= startBench(async () => openSandbox());
  while (wanted !== null) {
    const now: string = wanted;
    wanted = null;
    try {
      const answer = await testing.tests({ source: now });
      session.patch("passCheck", { tested: { source: now, revision: null, answer } });
    } catch (error) {
      session.patch("passCheck", {
        tested: { source: now, revision: null, answer: { kind: "unusable", line: 0, message: messageOf(error) } },
      });
    }
  }
  busy = false;
}
