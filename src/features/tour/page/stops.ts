/** The guided tour as one table: the text of its coach marks, where they are, the state of the page when each begins, and what each waits for. */

import type { GraphView } from "../../../app/graph/graph-view.ts";
import { firstDecision, toChange } from "../../../app/session/navigate.ts";
import { selectPhase } from "../../../app/session/selectors.ts";
import type { Session } from "../../../app/session/session.ts";
import type { Pane, SessionState } from "../../../app/session/state.ts";
import type { TraceInfo } from "../../../engine/api/types.ts";

/** A place for a mark. A stop has several: a narrow window does not show them all. */
export interface Anchor {
  /** The element that the mark hangs on. */
  readonly at: string;
  /** The element to press, where it is a different one. */
  readonly press?: string;
  /** What must be done first to make the better place visible. */
  readonly first?: string;
  /** Taken only where the mark has room above it: below it is what there is to look at. */
  readonly above?: true;
}

export interface Stop {
  readonly id: string;
  readonly title: string;
  /** What there is to see. */
  readonly tells: string;
  /** What to do; empty after the last. */
  readonly asks: string;
  /** The key that does it. */
  readonly keys: string | null;
  readonly side: "top" | "bottom" | "right";
  /** The best first. */
  readonly anchors: readonly Anchor[];
  readonly begins: Stand;
  /** Whether what it requests is done. */
  readonly done: (state: SessionState) => boolean;
}

/** The state of the page. */
interface Stand {
  readonly step: "rewrite" | "changed" | "next phase";
  readonly place?: string;
  readonly mode?: GraphView["mode"];
  /** In front, where there is room for one pane only. */
  readonly pane: Pane;
}

export const TOUR_EXAMPLE = "two-adds";
const PHASE = "gvn-cse";

const stepButton = (id: string): string => `#pane-timeline [data-command="${id}"]`;
const SENTENCE = '#pane-timeline [data-testid="sentence"]';
const TIMELINE = "#pane-timeline";

const rewrite = (trace: TraceInfo): number => firstDecision(trace);
const changed = (trace: TraceInfo): number => toChange(trace, -1, 1) ?? rewrite(trace);

/** The step of value numbering that is shown; null: another phase is, or it is still on its way. */
function shownStep({ position, run }: SessionState): { readonly step: number; readonly trace: TraceInfo } | null {
  const { moment, trace, state } = position;
  if (state !== "loaded" || moment === null || trace === null || moment.run !== position.run) return null;
  return run.result?.phases[position.run]?.id === PHASE ? { step: moment.step, trace } : null;
}

/** A tab of the explanation, or what leads to it. */
const explanationTab = (id: string): readonly Anchor[] => {
  const tab = `#pane-inspectors [data-tab="${id}"]`;
  return [
    { at: tab, above: true },
    { at: SENTENCE, press: tab },
    { at: '[role="tab"][data-tab="inspectors"]', first: "Open Explanation" },
    { at: SENTENCE },
  ];
};

export const STOPS: readonly Stop[] = [
  {
    id: "step",
    title: "One step of an optimizer",
    tells:
      "This program adds R0 and R1 twice. Value numbering, one of 159 phases, has just discovered that, and this sentence says what it is about to do.",
    asks: "Take the step",
    keys: "S",
    side: "top",
    anchors: [{ at: SENTENCE, press: stepButton("step.into") }],
    begins: { step: "rewrite", place: "algorithm", mode: "all", pane: "graph" },
    done(state) {
      const shown = shownStep(state);
      return shown !== null && shown.step >= changed(shown.trace);
    },
  },
  {
    id: "back",
    title: "The add has become a move",
    tells: "The sum is now computed once, and BB1 copies it. You can undo every step, even back into earlier phases.",
    asks: "Step back",
    keys: "Shift+S",
    side: "right",
    anchors: [
      { at: '#pane-graph [data-node="b1"]', press: stepButton("step.into-back") },
      { at: SENTENCE, press: stepButton("step.into-back") },
    ],
    begins: { step: "changed", pane: "graph" },
    done(state) {
      const shown = shownStep(state);
      return shown !== null && shown.step < changed(shown.trace);
    },
  },
  {
    id: "why",
    title: "Every step has a reason",
    tells: "The add is back. Was it right? Each step says why.",
    asks: "Open Why",
    keys: null,
    side: "top",
    anchors: explanationTab("why"),
    begins: { step: "rewrite", place: "algorithm", pane: "graph" },
    done: ({ view }) => view.open.tab === "why",
  },
  {
    id: "structures",
    title: "The tables behind it",
    tells: "Its tables are drawn as they are at each step.",
    asks: "Open Data",
    keys: null,
    side: "top",
    anchors: explanationTab("data"),
    begins: { step: "rewrite", place: "why", pane: "inspectors" },
    done: ({ view }) => view.open.tab === "data",
  },
  {
    id: "sides",
    title: "The phase as a whole",
    tells: "Both adds have one number: the second can go.",
    asks: "Press Before | After",
    keys: null,
    side: "bottom",
    anchors: [
      { at: '#pane-graph fieldset[aria-label="What the graph shows"] button:last-of-type' },
      { at: SENTENCE, press: '[role="tab"][data-tab="graph"]', first: "Open Graph" },
      { at: TIMELINE },
    ],
    begins: { step: "rewrite", place: "data", mode: "all", pane: "inspectors" },
    done: ({ graph }) => graph.mode === "sides",
  },
  {
    id: "phases",
    title: "The pipeline has 159 phases",
    tells:
      "On the left the program before the phase, on the right after it. The strip has a bar for each phase; tall bars changed this program.",
    asks: "Go to the next tall bar",
    keys: "]",
    side: "top",
    anchors: [{ at: TIMELINE, press: stepButton("phase.next-changed") }],
    begins: { step: "rewrite", mode: "sides", pane: "graph" },
    done: (state) => {
      const phase = selectPhase(state);
      return phase?.id !== PHASE && phase?.changed === true && state.position.state === "loaded";
    },
  },
  {
    id: "end",
    title: "That is all you need",
    tells: "Step, ask why, look at the tables, compare. The Help menu starts this tour again.",
    asks: "",
    keys: null,
    side: "top",
    anchors: [{ at: SENTENCE }, { at: TIMELINE }],
    begins: { step: "next phase", pane: "graph" },
    done: () => false,
  },
];

/** Stops that ask for something: the last one only takes leave. */
export const COUNTED: number = STOPS.length - 1;

/** Brings the page to where a stop begins, after any actions in between. */
export function stand(session: Session, { step, place, mode, pane }: Stand): void {
  const { view } = session.actions;
  if (place !== undefined) view.open(place);
  if (mode !== undefined) session.patch("graph", { mode });
  view.showPane(pane);
  land(session, step);
}

function land({ store, actions }: Session, step: Stand["step"]): void {
  const { position } = actions;
  if (step === "next phase") {
    if (selectPhase(store.getState())?.id === PHASE) position.movePhase(1, "changed");
    return;
  }
  const seek = (trace: TraceInfo): void => position.seek(step === "rewrite" ? rewrite(trace) : changed(trace));
  const shown = shownStep(store.getState());
  if (shown !== null) {
    seek(shown.trace);
    return;
  }
  position.goToPhase(PHASE, "change");
  if (step === "rewrite") return;
  // The step after it, once its steps are there; another program or stop ends the wait.
  const { tour } = store.getState();
  const stop = store.subscribe((state) => {
    const arrived = shownStep(state);
    if (arrived === null && state.tour === tour) return;
    stop();
    if (arrived !== null && state.tour === tour) seek(arrived.trace);
  });
}
