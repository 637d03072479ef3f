/** The guided minute: where each of its steps stands, what it points at and what it says. */

import type { TraceInfo } from "../../engine/api/types.ts";
import { EVENT_KINDS } from "../../engine/trace/kinds.ts";
import { firstDecision, toChange } from "../session/navigate.ts";
import type { Pane } from "../session/state.ts";

export interface Stop {
  readonly title: string;
  readonly text: string;
  /** Where in the trace of value numbering it stands. */
  readonly step: (trace: TraceInfo) => number;
  /** What it points at, the first that is there. */
  readonly at: readonly string[];
  /** The inspector that it needs, and the pane to show where there is room for one. */
  readonly inspector: string | null;
  readonly pane: Pane;
}

const HASH = EVENT_KINDS.indexOf("hash");

/** The add is found in the table of values: the last lookup before the rewrite. */
function lookup(trace: TraceInfo): number {
  for (let step = firstDecision(trace); step >= 0; step--) if (trace.kinds[step] === HASH) return step;
  return firstDecision(trace);
}

export const STOPS: readonly Stop[] = [
  {
    title: "One decision of the optimizer",
    text: "This program adds R0 and R1 twice. The optimizer has just found that out. Every step says what happens in one sentence, here.",
    step: firstDecision,
    at: ['[data-testid="sentence"]'],
    inspector: "why",
    pane: "graph",
  },
  {
    title: "One step on",
    text: "The second add in BB1 has become a move: R4 holds the sum already. S takes one step; every change shows in the graph and in the text.",
    step: (trace) => toChange(trace, -1, 1) ?? -1,
    at: ['[data-node="b1"]', "#pane-graph"],
    inspector: "why",
    pane: "graph",
  },
  {
    title: "And back",
    text: "Shift+S takes the step back: the add is there again. You can go back as far as you like, also into the phases before.",
    step: firstDecision,
    at: ['[data-command="step.into-back"]'],
    inspector: "why",
    pane: "graph",
  },
  {
    title: "Why it may",
    text: "Each decision lists what it depends on, and each refusal names the condition that failed. Press any block or register, and this says what became of it.",
    step: firstDecision,
    at: ["#pane-inspectors"],
    inspector: "why",
    pane: "inspectors",
  },
  {
    title: "What the optimizer remembers",
    text: "The table of values: both adds have the same value number, so the lookup finds the first one. Each structure is drawn as it is at this step.",
    step: lookup,
    at: ["#pane-inspectors"],
    inspector: "structures",
    pane: "inspectors",
  },
  {
    title: "A hundred and fifty-nine phases",
    text: "Value numbering is one of them; the tall bars changed this program. ] goes to the next one that did. Now open an example, or paste a program of your own.",
    step: firstDecision,
    at: ['[role="listbox"][aria-label="Phases"]'],
    inspector: "why",
    pane: "graph",
  },
];
