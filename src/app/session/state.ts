/** Everything the page knows, a slice per concern. Plain immutable data; only the actions write it. */

import { DEFAULT_PIPELINE } from "../../engine/api/defaults.ts";
import type {
  Ahead,
  Breakpoint,
  Diagnostic,
  ExecReport,
  FirstResult,
  KnobRow,
  OpcodeRow,
  OpenResult,
  PhaseRow,
  PipelineOptions,
  RunResult,
  SourceFormat,
  Subject,
} from "../../engine/api/types.ts";
import type { Veil } from "../../worker/veil.ts";
import type { Notice } from "../ui/notices.tsx";
import { type ComparisonSlice, NO_COMPARISON } from "./comparison.ts";
import type { KindGroup } from "./event-kinds.ts";
import type { Opened as OpenedPlace } from "./places.ts";
import type { FoldChoices } from "./position/folds.ts";
import { NOWHERE, type PositionSlice } from "./position/place.ts";
import type { SlowRequest } from "./watch-engine.ts";
import type { WorkData } from "./work-part.ts";

/** An engine of the site that is not the page's own. */
export interface OtherEngine {
  /** Hash of its script. */
  readonly build: string;
  readonly version: string;
  /** Address of its script. */
  readonly script: string;
}

export interface EngineSlice {
  readonly status: "starting" | "ready" | "failed";
  readonly version: string;
  /** Hash of the script of the page's own engine; empty where the page was not built. */
  readonly build: string;
  /** The engine used instead of the page's own. */
  readonly chosen: OtherEngine | null;
  /** The engine that the open link was made with, if it is a different one and the site has it. */
  readonly linked: OtherEngine | null;
  /** Rows of all positions under the current options. */
  readonly phases: readonly PhaseRow[];
  readonly knobs: readonly KnobRow[];
  readonly opcodes: readonly OpcodeRow[];
  /** Counts the engines used so far: a new number means that every earlier answer is gone. */
  readonly generation: number;
  /** What is known of the last crash, until dismissed. */
  readonly crash: string | null;
  /** What the engine is doing, if it takes long. */
  readonly slow: SlowRequest | null;
  /** The part of its answers that is hidden, because an open question is about it. */
  readonly veil: Veil | null;
  /** Counts how often the user requested again what was stopped. */
  readonly asked: number;
}

/** The engine's answer about a text; an engine of an earlier release reads all of it at once. */
export type Opened = OpenResult & Partial<Pick<FirstResult, "shown" | "left">>;

export type Origin = "own" | "example" | "link";

export interface DocumentSlice {
  readonly text: string;
  /** The format that the user set; null: recognise it. */
  readonly format: SourceFormat | null;
  /** Where the text came from: an example's title or a file's name. */
  readonly title: string;
  readonly example: string | null;
  /** Grows with every edit. */
  readonly revision: number;
  /** The origin of this program: typed or a file, or only viewed until it is edited. */
  readonly origin: Origin;
  /** Whether the text was edited since it was opened. */
  readonly edited: boolean;
  /** Id under which the program is saved in the browser; null: it is not saved, or not yet. */
  readonly work: string | null;
  /** Fields of its link or record that no part of this page writes: they are kept for the features that do. */
  readonly unclaimed: Partial<WorkData>;
  /** The revision at which this program replaced another: places in an older result belong to that one. */
  readonly since: number;
  /** Answer for the last revision that was read. */
  readonly open: Opened | null;
  /** The last answer with a kernel that could be run: what everything except the diagnostics shows. */
  readonly good: Opened | null;
}

export interface OptionsSlice {
  readonly pipeline: PipelineOptions;
  /** Name of the kernel under study; null: the first one. */
  readonly kernel: string | null;
}

export interface RunSlice {
  readonly result: RunResult | null;
  readonly running: boolean;
  /** True while `result` belongs to an older text or older options than those shown. */
  readonly stale: boolean;
  /** Why the whole last run failed. */
  readonly error: string | null;
  /** Grows with every result: answers to requests under another number are discarded. */
  readonly epoch: number;
  /** How many of a long text's other kernels were run ahead; null: none are being run. */
  readonly ahead: Ahead | null;
  /** The interpreter's last report about a program of this result, and which program it was. */
  readonly report: { readonly report: ExecReport; readonly where: string } | null;
}

export interface SelectionSlice {
  readonly selected: Subject | null;
  readonly hovered: Subject | null;
  /** Line of the source text that is pointed at, directly or through what came from it; null if nothing in the program comes from it. */
  readonly line: number | null;
}

export interface BreakpointEntry {
  readonly breakpoint: Breakpoint;
  readonly enabled: boolean;
}

export interface BreakpointsSlice {
  readonly list: readonly BreakpointEntry[];
  /** Steps of the open trace at which an enabled breakpoint stops. */
  readonly ticks: Int32Array;
  /** A condition on the state that the dialog shows as typed and searches for; null: none. */
  readonly wanted: string | null;
  /** Where the condition searched for last becomes true: how often, by run of the result with this epoch. */
  readonly watched: { readonly epoch: number; readonly text: string; readonly times: ReadonlyMap<number, number> } | null;
}

/** The editor's own tabs. */
export const EDITOR_TABS = ["source", "moment"] as const;

export const PANES = ["editor", "graph", "inspectors"] as const;
export type Pane = (typeof PANES)[number];

/** Arrangements of the window: program, graph and explanation; the graph alone, for an audience. */
export const PRESETS = ["study", "present"] as const;
export type Preset = (typeof PRESETS)[number];

/** An arrangement by its name in this or an earlier version; undefined: there is no such arrangement. */
export function presetNamed(name: unknown): Preset | undefined {
  if (name === "explore" || name === "step" || name === "compare") return "study";
  return PRESETS.find((preset) => preset === name);
}

/** The panes that each arrangement shows; the others open large on request. */
export const PRESET_PANES: Readonly<Record<Preset, readonly Pane[]>> = { study: PANES, present: ["graph"] };

/** The graph's own overlays. */
export const OVERLAYS = ["none", "dominators", "post-dominators", "loops", "liveness", "divergence", "heat", "weights", "values"] as const;
export type Overlay = (typeof OVERLAYS)[number];

/** A moment named by a phase's id, so that it survives a new run; `phase` null is the pipeline's input. */
export interface NamedMoment {
  readonly phase: string | null;
  /** null: the phase's end. */
  readonly step: number | null;
}

/** An end of a comparison: a moment, or the step, the input or the result of the open phase. */
export type DiffEnd = NamedMoment | "current" | "start" | "end";

export interface ViewSlice {
  /** One of the editor's, or of a feature. */
  readonly editorTab: string;
  /** What the explanation shows, or the experiments that replace it. */
  readonly open: OpenedPlace;
  /** The pane shown where the window has room for only one. */
  readonly pane: Pane;
  /** The pane next to the graph where the window has room for two. */
  readonly beside: Exclude<Pane, "graph">;
  readonly preset: Preset;
  /** The user's own arrangement, while a link shows a different one; null otherwise. */
  readonly ownPreset: Preset | null;
  /** The maximized pane; null: those of the arrangement. */
  readonly large: Pane | null;
  /** The steps are drawn in one lane per group of kinds, not as one line. */
  readonly lanes: boolean;
  readonly centre: "graph" | "outline";
  /** One of the graph's, or of a feature. */
  readonly overlay: string;
  /** The dialog that is open: one of the page's, or of a feature. */
  readonly dialog: string | null;
  /** Kinds hidden in the event log; no navigation skips them. */
  readonly hiddenGroups: readonly KindGroup[];
  readonly eventFilter: string;
  /** Name of the shown structure; null: the one that the step is about. */
  readonly structure: string | null;
  /** What the user folded and unfolded in algorithms, by phase id. What a run does not use is folded as well. */
  readonly folds: Readonly<Record<string, FoldChoices>>;
  readonly embed: boolean;
  /** Shortcuts of one letter are on. */
  readonly singleKeys: boolean;
  /** Why the link in the address could not be opened, in a page that has nothing else to show, and the part of its text that could be read. */
  readonly refused: { readonly message: string; readonly source: string | null } | null;
  /** The welcome is shown. */
  readonly welcome: boolean;
  /** It was closed once: it does not reappear automatically. */
  readonly welcomed: boolean;
  /** Place in the source that the editor should show; a new object each time. */
  readonly reveal: { readonly line: number; readonly column: number } | null;
}

export type ThemeChoice = "system" | "light" | "dark";

export interface ThemeSlice {
  readonly choice: ThemeChoice;
  readonly resolved: "light" | "dark";
}

/** The slices of the session itself. */
export interface CoreState {
  readonly engine: EngineSlice;
  readonly document: DocumentSlice;
  readonly options: OptionsSlice;
  readonly run: RunSlice;
  readonly position: PositionSlice;
  readonly selection: SelectionSlice;
  readonly breakpoints: BreakpointsSlice;
  readonly view: ViewSlice;
  readonly theme: ThemeSlice;
  readonly comparison: ComparisonSlice;
  readonly notices: readonly Notice[];
}

/** All slices: the owner of a further one declares it here (`declare module`), and adds it as a `Feature`. */
export interface SessionState extends CoreState {}

/** Resets the options that an example of one phase, or a link, may have set. */
const { phases, until, knobs, noPhases, namedPhases, target, level, policy, fuel } = DEFAULT_PIPELINE;
export const USUAL: Partial<PipelineOptions> = {
  phases,
  until,
  knobs,
  noPhases,
  namedPhases,
  target,
  level,
  policy,
  fuel,
  interventions: [],
};

export const NO_DIAGNOSTICS: readonly Diagnostic[] = [];

export const INITIAL_STATE: CoreState = {
  engine: {
    status: "starting",
    version: "",
    build: "",
    chosen: null,
    linked: null,
    phases: [],
    knobs: [],
    opcodes: [],
    generation: 0,
    crash: null,
    slow: null,
    veil: null,
    asked: 0,
  },
  document: {
    text: "",
    format: null,
    title: "untitled",
    example: null,
    origin: "own",
    edited: false,
    work: null,
    unclaimed: {},
    revision: 0,
    since: 0,
    open: null,
    good: null,
  },
  options: { pipeline: DEFAULT_PIPELINE, kernel: null },
  run: { result: null, running: false, stale: false, error: null, epoch: 0, ahead: null, report: null },
  position: NOWHERE,
  selection: { selected: null, hovered: null, line: null },
  breakpoints: { list: [], ticks: new Int32Array(0), wanted: null, watched: null },
  view: {
    editorTab: "source",
    open: { tab: "why", part: null, rule: false, experiment: null },
    pane: "graph",
    beside: "inspectors",
    preset: "study",
    ownPreset: null,
    large: null,
    lanes: false,
    centre: "graph",
    overlay: "none",
    dialog: null,
    hiddenGroups: [],
    eventFilter: "",
    structure: null,
    folds: {},
    embed: false,
    singleKeys: true,
    refused: null,
    welcome: false,
    welcomed: false,
    reveal: null,
  },
  theme: { choice: "system", resolved: "light" },
  comparison: NO_COMPARISON,
  notices: [],
};
