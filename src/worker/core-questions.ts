/** The core's questions of the page to the engine, one row each. Those of features are in their folders. */

import type { CoreSession } from "../engine/api/core-session.ts";
import type { Engine } from "./engine.ts";
import { q } from "./question.ts";
import * as veil from "./veil.ts";

/** Arguments of a method. */
type Engines<K extends "open" | "openFirst" | "run" | "ahead"> = Parameters<Engine[K]>;
type Sessions<K extends keyof CoreSession> = CoreSession[K] extends (...args: infer A) => unknown ? A : never;

const STARTING = "Starting the engine";
const READING = "Reading the text";
export const CORE_QUESTIONS = {
  version: q(STARTING, (e: Engine, ...a: Sessions<"version">) => e.session.version(...a), "all"),
  /** Reads a text. `format` null: recognise it. Keeps the last module that could be read. Revisions are the caller's. */
  open: q(READING, (e: Engine, ...a: Engines<"open">) => e.open(...a), "all", { part: "reader", sets: "text", reads: true }),
  /** As `open`, but only as much of the text as it takes to run a kernel (null: the first that can be run); `openMore` reads on. Errors elsewhere do not matter to it. */
  openFirst: q(READING, (e: Engine, ...a: Engines<"openFirst">) => e.openFirst(...a), "all", {
    part: "reader",
    sets: "text",
    reads: true,
    byEdit: "openEdited",
  }),
  /** Reads more of the text that `openFirst` began, for a short time; null if a different one was opened since. */
  openMore: q(READING, (e: Engine, ...a: Sessions<"openMore">) => e.session.openMore(...a), "all", { reads: true }),
  /** The module opened last as Ori text. */
  printed: q("Printing the program", (e: Engine, ...a: Sessions<"printed">) => e.session.printed(...a), "all"),
  /** What is at a place of a PTX or SASS text; null if the text opened last has a different revision, or there is nothing to report. */
  sourceAt: q("Looking up the source", (e: Engine, ...a: Sessions<"sourceAt">) => e.session.sourceAt(...a), "all"),
  /** Runs the pipeline on one kernel of the module opened last. Forgets earlier runs and traces. */
  run: q("Running the pipeline", (e: Engine, ...a: Engines<"run">) => e.run(...a), "cut", { sets: "run" }),
  /** Runs the other kernels of a long text in further workers. Answers each time one is done, until all are; null: there are none, or a different text was opened. */
  ahead: q("Running the other kernels", (e: Engine, ...a: Engines<"ahead">) => e.ahead(...a), "all"),
  /** The request that the code of the user's pass must answer before the options can run, or its answer; null: not reached. `afresh`: it runs again. */
  ownAsk: q("Running the pipeline", (e: Engine, ...a: Sessions<"ownAsk">) => e.session.ownAsk(...a), "never"),
  /** The program at a moment, as passed to the code of an analysis; null: there is none. */
  ownProgram: q("Printing the program", (e: Engine, ...a: Sessions<"ownProgram">) => e.session.ownProgram(...a), "until the step"),
  /** Runs one phase again with the recorder on (kept until the next `run`). `times`: from now on the limits of the recording are this multiple of the usual ones. */
  trace: q("Recording the phase", (e: Engine, ...a: Sessions<"trace">) => e.session.trace(...a), veil.trace, {
    steps: "recorded",
    travels: "columns",
  }),
  events: q("Reading the events", (e: Engine, ...a: Sessions<"events">) => e.session.events(...a), veil.events, { steps: "recorded" }),
  /** Why the rewrite was made that a step makes or belongs to. */
  reasons: q("Looking for the reason", (e: Engine, ...a: Sessions<"reasons">) => e.session.reasons(...a), veil.reasons, {
    steps: "recorded",
  }),
  /** State at `step` against the state at `have` of the same run (null: against nothing). */
  view: q("Going to the step", (e: Engine, ...a: Sessions<"view">) => e.session.view(...a), veil.view, {
    steps: "recorded",
    travels: "packed",
  }),
  /** The next (or previous) step of a run that a command stops at; null when there is none. */
  find: q("Searching", (e: Engine, ...a: Sessions<"find">) => e.session.find(...a), veil.find, { steps: "needed" }),
  /** Every step at which a breakpoint would stop. */
  breakpointTicks: q(
    "Looking for breakpoints",
    (e: Engine, ...a: Sessions<"breakpointTicks">) => e.session.breakpointTicks(...a),
    veil.breakpointTicks,
    { steps: "recorded" },
  ),
  /** Null when a condition can be read, else what is wrong with it. */
  checkCondition: q("Reading the condition", (e: Engine, ...a: Sessions<"checkCondition">) => e.session.checkCondition(...a), "all"),
  /** Steps at which a condition on the state becomes true, in all runs (`run` null) or one; a string says what is wrong with it. */
  watch: q("Watching the pipeline", (e: Engine, ...a: Sessions<"watch">) => e.session.watch(...a), veil.watch),
  checkWatch: q("Reading the condition", (e: Engine, ...a: Sessions<"checkWatch">) => e.session.checkWatch(...a), "all"),
  /** For each other order of phases, by id: sentences about what it breaks that the given order does not. */
  orderBreaks: q("Checking the order", (e: Engine, ...a: Sessions<"orderBreaks">) => e.session.orderBreaks(...a), "all"),
  /** What is wrong with `NAME=VALUE`; null when it can be set. */
  checkKnob: q("Reading the knob", (e: Engine, ...a: Sessions<"checkKnob">) => e.session.checkKnob(...a), "all"),
  /** What happened to a subject: in one run, or in all runs of the pipeline (`run` null). */
  history: q("Collecting the history", (e: Engine, ...a: Sessions<"history">) => e.session.history(...a), veil.history),
  /** For each changed line of the source: the run that changed it last, up to a moment. */
  lineChanges: q("Looking up the source", (e: Engine, ...a: Sessions<"lineChanges">) => e.session.lineChanges(...a), "until the step"),
  graph: q("Building the graph", (e: Engine, ...a: Sessions<"graph">) => e.session.graph(...a), veil.graph, { steps: "needed" }),
  analyses: q("Analysing the graph", (e: Engine, ...a: Sessions<"analyses">) => e.session.analyses(...a), "until the step"),
  /** Whether the graph at a moment is reducible, by the interval test. */
  reducibility: q("Testing the graph", (e: Engine, ...a: Sessions<"reducibility">) => e.session.reducibility(...a), "until the step"),
  /** The text opened last with the PHIs of one kernel removed; null if there is no such kernel. */
  phiFree: q("Replacing the PHIs", (e: Engine, ...a: Sessions<"phiFree">) => e.session.phiFree(...a), "all"),
  text: q("Printing the text", (e: Engine, ...a: Sessions<"text">) => e.session.text(...a), "until the step"),
  exec: q("Running the program", (e: Engine, ...a: Sessions<"exec">) => e.session.exec(...a), "until the step"),
  /** The program with the function at a moment, in its own language; null: there is no writer for the language. */
  brilAt: q("Writing the program", (e: Engine, ...a: Sessions<"writtenAt">) => e.session.writtenAt(...a), "until the step"),
  exportAs: q("Exporting", (e: Engine, ...a: Sessions<"exportAs">) => e.session.exportAs(...a), "until the step"),
  /** The compare chains at a moment, and one of them with its three strategies measured by the interpreter. */
  switches: q("Measuring the switches", (e: Engine, ...a: Sessions<"switches">) => e.session.switches(...a), "until the step"),
  /** The phases that changed a subject. */
  life: q("Following it through the phases", (e: Engine, ...a: Sessions<"life">) => e.session.life(...a), "none"),
  /** The definitions, copies and uses of a register before and after each phase that changed them. */
  registerLife: q("Following the register", (e: Engine, ...a: Sessions<"registerLife">) => e.session.registerLife(...a), "none"),
  /** GvnCse in modes 1, 2 and 4 and as it was set, on the input of a run of it; empty for other phases. */
  gvnModes: q("Comparing the modes", (e: Engine, ...a: Sessions<"gvnModes">) => e.session.gvnModes(...a), veil.gvnModes),
  /** Two runs of a kernel side by side; a string says why there is nothing to compare. */
  compareFutures: q("Comparing the futures", (e: Engine, ...a: Sessions<"compareRuns">) => e.session.compareRuns(...a), "none"),
  /** How texts that are not read here become PTX. */
  waysIn: q("Listing the input formats", (e: Engine, ...a: Sessions<"waysIn">) => e.session.waysIn(...a), "all"),
  phases: q("Listing the phases", (e: Engine, ...a: Sessions<"phases">) => e.session.phases(...a), "all"),
  knobs: q(STARTING, (e: Engine, ...a: Sessions<"knobs">) => e.session.knobs(...a), "all"),
  opcodes: q(STARTING, (e: Engine, ...a: Sessions<"opcodes">) => e.session.opcodes(...a), "all"),
  /** Every position, knob and opcode, with the gates' decisions under the options and their place in the reference. */
  handbook: q("Opening the handbook", (e: Engine, ...a: Sessions<"handbook">) => e.session.handbook(...a), "all"),
  /** The table of rules of a phase; empty when it has none. */
  rules: q("Looking up the rules", (e: Engine, ...a: Sessions<"rules">) => e.session.rules(...a), "all"),
};
