/** What could be otherwise, from here: commands of steps, phases and futures. */

import { plainName } from "../../../app/names/phases.ts";
import { always, type Command, onShown } from "../../../app/session/command.ts";
import { selectEarlier, selectEarlierRun } from "../../../app/session/provenance.ts";
import { type RewriteAt, rewriteAt } from "../../../app/session/rewrites.ts";
import { selectKernel, selectPhase, selectRecorded } from "../../../app/session/selectors.ts";
import type { Session } from "../../../app/session/session.ts";
import type { SessionState } from "../../../app/session/state.ts";
import { messageOf } from "../../../app/ui/failure.ts";
import { compareFuture } from "./compare-future.ts";
import type { EditHere } from "./futures-view.ts";
import { futureOf, ROOT } from "./tree.ts";

function atRewrite(id: string, title: string, keys: readonly string[], run: (session: Session, state: SessionState) => void): Command {
  return onShown({
    id: `future.${id}`,
    title,
    menu: null,
    keys,
    enabled: (s) => whyNoRewrite(s) === null,
    otherwise: (s) => whyNoRewrite(s) ?? "",
    run: (session) => run(session, session.store.getState()),
  });
}

/** Why the open phase cannot be left out, moved or run again; null when it can. */
function whyNoPhase(s: SessionState): string | null {
  const phase = selectPhase(s);
  if (s.view.embed) return "An embedded view shows only one future.";
  if (phase === null) return "Nothing has run yet.";
  if (selectRecorded(s)) return "This is a recorded trace: it has only one future.";
  return phase.modelled ? null : `${plainName(phase)} is not modelled: with and without it the program is the same.`;
}

function ofPhase(id: string, title: string, keys: readonly string[], run: (session: Session, state: SessionState) => void): Command {
  return onShown({
    id: `future.${id}`,
    title,
    menu: null,
    keys,
    enabled: (s) => whyNoPhase(s) === null,
    otherwise: (s) => whyNoPhase(s) ?? "",
    run: (session) => run(session, session.store.getState()),
  });
}

/** The next modelled phase on a side of the open one, by address. */
function neighbour(s: SessionState, direction: 1 | -1): string | null {
  const phases = s.run.result?.phases ?? [];
  for (let i = s.position.run + direction; i >= 0 && i < phases.length; i += direction) {
    const phase = phases[i];
    if (phase?.modelled === true) return phase.address;
  }
  return null;
}

function movePhase(session: Session, state: SessionState, direction: 1 | -1): void {
  const phase = selectPhase(state);
  const beside = neighbour(state, direction);
  if (phase === null) return;
  if (beside === null) {
    session.actions.notify("info", direction === 1 ? `${plainName(phase)} is the last phase.` : `${plainName(phase)} is the first phase.`);
    return;
  }
  session.actions.futures.fork([{ kind: "move", run: phase.address, at: { side: direction === 1 ? "after" : "before", run: beside } }]);
}

const place = (which: string, title: string): Command => ({
  id: `future.show-${which}`,
  title,
  menu: null,
  keys: [],
  enabled: (s) => !s.view.embed,
  run: (session) => session.actions.view.open(which),
});

const hasFork = (s: SessionState): boolean => s.futures.list.length > 0;

export const FUTURE_COMMANDS: readonly Command[] = [
  {
    id: "future.what-if",
    title: "What if …?",
    found: "experiment, alternative, try",
    menu: "step",
    separated: true,
    keys: ["W"],
    enabled: (s) => !s.view.embed,
    run: (session) => session.actions.view.open("what-if"),
  },
  {
    ...atRewrite("skip", "Skip this rewrite", ["X"], (session, state) => {
      const [phase, here] = [selectPhase(state), rewriteHere(state)];
      if (phase !== null && here !== null) session.actions.futures.fork([{ kind: "skip", run: phase.address, n: here.n }]);
    }),
    separated: true,
  },
  atRewrite("stop-before", "Stop before this rewrite", ["Shift+X"], (session, state) => {
    const [phase, here] = [selectPhase(state), rewriteHere(state)];
    if (phase !== null && here !== null) session.actions.futures.fork([{ kind: "fuel", run: phase.address, n: here.before }]);
  }),
  {
    ...ofPhase("edit", "Edit the program at this step and continue…", ["Mod+Shift+X"], (session, state) => {
      void editAt(session, state, state.position.step);
    }),
  },
  {
    ...ofPhase("another-value", "Change a knob from here on…", [], (session, state) => {
      const phase = selectPhase(state);
      if (phase !== null) session.patch("futuresView", { value: { run: phase.address, id: phase.id, title: plainName(phase) } });
    }),
    found: "set, option, threshold, parameter",
  },
  {
    ...ofPhase("leave-out", "Switch this phase off", [], (session, state) => forkPhase(session, state, "leave-out")),
    found: "leave out, disable, omit",
    separated: true,
  },
  {
    ...ofPhase("insert", "Run this phase twice", [], (session, state) => forkPhase(session, state, "insert")),
    found: "repeat, run again",
  },
  ofPhase("earlier", "Move this phase one place earlier", ["Alt+Shift+ArrowLeft"], (session, state) => movePhase(session, state, -1)),
  ofPhase("later", "Move this phase one place later", ["Alt+Shift+ArrowRight"], (session, state) => movePhase(session, state, 1)),
  ofPhase("edit-before", "Edit the program before this phase and continue…", [], (session, state) => void editAt(session, state, -1)),
  ofPhase("put-in", "Insert another phase here…", [], (session) => session.actions.view.open("order")),
  place("tree", "All runs"),
  { ...place("compare", "Compare two runs"), run: compareFuture },
  place("fuel", "Fuel: stop after a chosen rewrite, check each stop"),
  place("conditions", "Conditions of this phase: drop one to see why it is needed"),
  place("order", "Phase order: try this phase at every place"),
  onShown({
    id: "future.next",
    title: "Next future",
    menu: null,
    keys: ["J"],
    enabled: hasFork,
    otherwise: () => "There is only one future. Press X at a rewrite to make one without it.",
    run: (session) => session.actions.futures.openNext(1),
  }),
  onShown({
    id: "future.previous",
    title: "Previous future",
    menu: null,
    keys: ["Shift+J"],
    enabled: hasFork,
    otherwise: () => "There is only one future. Press X at a rewrite to make one without it.",
    run: (session) => session.actions.futures.openNext(-1),
  }),
  onShown({
    id: "future.root",
    title: "Back to the original run",
    menu: null,
    keys: [],
    enabled: (s) => s.futures.open !== ROOT,
    run: (session) => session.actions.futures.open(ROOT),
  }),
  {
    id: "future.rename",
    title: "Rename the open future…",
    menu: null,
    keys: [],
    enabled: (s) => s.futures.open !== ROOT,
    run: (session) => {
      session.actions.view.open("tree");
      session.patch("futuresView", { renaming: session.store.getState().futures.open });
    },
  },
  {
    id: "future.pin",
    title: "Pin the open future",
    menu: null,
    keys: [],
    enabled: (s) => s.futures.open !== ROOT,
    checked: (s) => futureOf(s.futures, s.futures.open)?.pinned === true,
    run: (session) => {
      const { futures } = session.store.getState();
      const open = futureOf(futures, futures.open);
      if (open !== null) session.actions.futures.pin(open.id, !open.pinned);
    },
  },
  {
    id: "future.remove",
    title: "Remove the open future",
    found: "delete the future",
    menu: null,
    keys: [],
    enabled: (s) => s.futures.open !== ROOT,
    run: (session) => session.actions.futures.remove(session.store.getState().futures.open),
  },
  {
    id: "future.clear",
    title: "Remove all futures that are neither pinned nor open",
    found: "delete futures, clean up",
    menu: null,
    keys: [],
    enabled: hasFork,
    run: (session) => session.actions.futures.clear(),
  },
  {
    id: "future.undo",
    title: "Undo the last change to the futures",
    menu: null,
    keys: [],
    enabled: always,
    run: (session) => session.actions.futures.undo(),
  },
];

function forkPhase(session: Session, state: SessionState, what: "leave-out" | "insert"): void {
  const phase = selectPhase(state);
  if (phase === null) return;
  const { address: run, id } = phase;
  session.actions.futures.fork([what === "leave-out" ? { kind: what, run } : { kind: what, id, at: { side: "after", run } }]);
}

/** Opens the program at a step of the open phase (-1: before it) as a text that can be changed. */
async function editAt(session: Session, state: SessionState, step: number): Promise<void> {
  const phase = selectPhase(state);
  const kernel = selectKernel(state);
  if (phase === null || kernel === null) return;
  const { epoch, result } = state.run;
  const steps = state.position.trace?.steps ?? 0;
  // At its end the phase is done: the next one takes the text.
  const next = step >= 0 && step >= steps - 1 ? result?.phases[phase.run + 1] : undefined;
  const where: EditHere["where"] = step < 0 ? "before" : next === undefined ? "at" : "after";
  try {
    const { text } = await session.api.text({ run: phase.run, step });
    const now = session.store.getState();
    if (now.run.epoch !== epoch || selectEarlierRun(now)) return;
    session.patch("futuresView", {
      edit: { run: (next ?? phase).address, title: plainName(phase), where, step, kernel: kernel.name, text },
    });
  } catch (error) {
    session.actions.notify("error", `The program could not be printed: ${messageOf(error)}`);
  }
}

/** The rewrite at the open step, and why nothing can be done otherwise there. */
function rewriteHere({ position }: SessionState): RewriteAt | null {
  const { trace, step, moment } = position;
  const event = moment?.step === step ? moment.event : null;
  return rewriteAt(trace, step, event?.kind === "match" && event.facts.verdict === "yes");
}

/** Why nothing can be done otherwise at this step; null when something can. */
function whyNoRewrite(state: SessionState): string | null {
  const { trace, step, state: at } = state.position;
  if (state.view.embed) return "An embedded view shows only one future.";
  if (trace === null || selectEarlier(state))
    return at === "tracing" ? "The steps of this phase are still being recorded." : "This phase has no steps.";
  if (trace.rewrites === null) return "This is a recorded trace: it has only one future.";
  const here = rewriteHere(state);
  if (here?.refused === true) return `This future already refuses rewrite ${here.n}.`;
  if (here !== null) return null;
  const next = trace.rewrites.from.find((from) => from > step);
  return next === undefined
    ? "No rewrite of this phase is at this step or after it."
    : `This step is not part of a rewrite: the next rewrite begins at step ${next + 1}.`;
}
