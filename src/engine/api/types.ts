/** The facade's vocabulary: plain, structured-cloneable data in the viewer's words. Shared by worker, app and CLI. */

import type { SourceFormat } from "../../base/formats.ts";
import type { Diagnostic } from "../ir/diagnostic.ts";
import type { Effect } from "../ir/opcodes.ts";
import type { Intervention, Place } from "../pipeline/intervention.ts";
import type { InterventionResult } from "../pipeline/intervention-report.ts";
import type { Token } from "../text/token.ts";
import type { Facts, Focus, TraceEvent } from "../trace/event.ts";
import type { EventKind } from "../trace/kinds.ts";
import type { CellValue, StructureType } from "../trace/recorder.ts";
import type { GuestProgram } from "./own/program.ts";
import type { Toolchain } from "./read/toolchains.ts";

export type { SourceFormat } from "../../base/formats.ts";
export type { ExecCounters, ExecReport, ExecRequest, StandInReport } from "../interp/request.ts";
export type { Diagnostic } from "../ir/diagnostic.ts";
export type { Intervention, InterventionKind, Place } from "../pipeline/intervention.ts";
export type { InterventionResult } from "../pipeline/intervention-report.ts";
export type { Token } from "../text/token.ts";
export type { TraceEvent } from "../trace/event.ts";
export type { GvnMissed, GvnModeReport, GvnReplaced } from "./analysis/gvn-modes.ts";
export type { MeasuredCost, SelectorDistribution, StrategyReport, SwitchList, SwitchReport, SwitchRequest } from "./analysis/switches.ts";
export type { InputText } from "./exec/input-text.ts";
export type { SourceNote } from "./read/source-notes.ts";
export type { Toolchain, ToolchainStep } from "./read/toolchains.ts";
export type { Reason } from "./reasons/evidence.ts";
export type { LineChange } from "./reasons/line-changes.ts";
export type { RegisterLife, RegisterSite, RegisterStage, RegisterUse } from "./reasons/register-life.ts";
export type { LifeStage, SubjectLife } from "./reasons/subject-life.ts";
export type { ComparedPhase, ComparedRun, ComparedSide, Executed, ProgramSize, RunComparison } from "./run/compare.ts";
export type { RuleReason, RuleRow, RuleSaying } from "./view/rule-rows.ts";

export interface PipelineOptions {
  /** `sm_90`, …; null: the text's `.target`, else sm_90. */
  readonly target: string | null;
  /** 0 to 4. */
  readonly level: number;
  readonly policy: "notes" | "measured";
  /** `NAME=V` assignments, name or index. */
  readonly knobs: readonly string[];
  /** Names given to `--no-phase`. */
  readonly noPhases: readonly string[];
  /** Names given to `--named-phases`; empty: the usual pipeline. */
  readonly namedPhases: readonly string[];
  /** Position numbers or ids to run in this order instead of the whole pipeline; null: whole. */
  readonly phases: readonly string[] | null;
  /** Stop before the position with this number or id; null: to the end. */
  readonly until: string | null;
  /** Run the verifier after each phase. */
  readonly verify: boolean;
  /** Equivalence inputs per phase, at most 10,000; 0: no check. */
  readonly check: number;
  /** Fuel: at most this many rewrites over all phases; null: unbounded. */
  readonly fuel: number | null;
  /** The changes to the pipeline; none by default. */
  readonly interventions?: readonly Intervention[];
  /** The user's pass among the phases; none by default or if null. The engine is given what its code did (`ownAsk`). */
  readonly own?: OwnPhase | null;
}

/** A user's pass as a phase. */
export interface OwnPhase {
  readonly name: string;
  readonly summary: string;
  /** Its file: the phase's pseudocode. */
  readonly source: string;
  /** null: alone, without the pipeline. */
  readonly at: Place | null;
  /** Lines of the source that are a step whenever they run; null: every line. By default none, only what the pass reports and does. */
  readonly lines?: readonly number[] | null;
}

/** The input on which the sandbox runs the code of a pass, before the engine can run the phase. */
export interface OwnAsk {
  readonly id: number;
  readonly program: GuestProgram;
  readonly skips: readonly number[];
  readonly fuel: number | null;
}

/** The content of an answer to `OwnAsk`. */
export interface OwnSaid {
  readonly changed: boolean;
  readonly rewrites: number;
  readonly why: string | null;
  /** It threw, was ended, or gave no answer that can be used; line 0: not known. */
  readonly problem: { readonly message: string; readonly line: number } | null;
}

/** The program at a moment, as passed to the code of an analysis. */
export interface OwnProgram extends GuestProgram {
  readonly blocks: readonly (readonly [id: number, label: string])[];
}

/** What your own analysis reports about a reachable block, next to what ours reports. */
export interface OwnBlock {
  readonly id: number;
  readonly label: string;
  readonly theirs: string;
  /** null: it is compared with none of ours. */
  readonly ours: string | null;
  readonly same: boolean;
}

export interface KernelInfo {
  readonly name: string;
  readonly kind: "kernel" | "func";
  readonly blocks: number;
  readonly instructions: number;
  readonly opaque: number;
  /** True of a function that the importer added for others to call. */
  readonly helper?: boolean;
  /** `type`: in the source language, if it is more specific than the register. */
  readonly params: readonly { readonly name: string; readonly reg: string; readonly type?: string }[];
  /** Further parameters, structs above all, that stay in the constant bank: a run is given their bytes. Left out: there are none. */
  readonly inBank?: readonly { readonly name: string; readonly bytes: number }[];
  readonly line: number;
  /** `unread`: of a long text, its body was not read yet. `wrong`: it, or what it calls, has errors, and cannot be run. Left out: it can. */
  readonly state?: "unread" | "wrong";
}

/** Answer to opening a text. With errors, `kernels` contains what could still be read. `revision` is the caller's own number, returned. */
export interface OpenResult {
  readonly revision: number;
  readonly format: SourceFormat;
  readonly ok: boolean;
  readonly kernels: readonly KernelInfo[];
  readonly diagnostics: readonly Diagnostic[];
  /** Canonical Ori text of the whole module (what an import became). */
  readonly ori: string;
  /** The text is none of the formats, but becomes PTX by a command: how. */
  readonly wayIn?: Toolchain;
  /** The text is a recorded trace: nothing is run, so there is nothing to set or to try. */
  readonly recorded?: true;
}

/** How many of a long text's kernels besides the shown one were run, and of how many. */
export interface Ahead {
  readonly done: number;
  readonly of: number;
}

/** Answer to opening a text of which one kernel is shown first. `ori` is empty, `diagnostics` are those of what was read. */
export interface FirstResult extends OpenResult {
  /** The kernel that can be run now; null: none, and the program that was open before stays. */
  readonly shown: string | null;
  /** Functions that were not read yet. */
  readonly left: number;
}

export interface GateStep {
  readonly gate: string;
  readonly ok: boolean;
  readonly sentence: string;
  /** The other policy's decision at the gate, if it differs. */
  readonly other: { readonly policy: "notes" | "measured"; readonly ok: boolean; readonly sentence: string } | null;
}

/** What a backend has in the slot that a phase dispatches to. */
export interface DispatchRow {
  readonly backend: string;
  readonly targets: readonly string[];
  readonly vtable: string;
  /** Index into the vtable; null where the reference gives none. */
  readonly slot: number | null;
  readonly symbol: string | null;
  readonly handler: "no-op" | "A" | "B" | "body" | "hook";
  readonly does: string;
}

/** One position of the timeline after a run. `run` is its index in `RunResult.phases` and the key for traces and views. */
export interface PhaseRun {
  readonly run: number;
  /** What interventions call it: `49`, `gvn-cse`, `r12`, `gvn-cse+1`. */
  readonly address: string;
  readonly phase: number | null;
  /** `foreign`: of a different program, whose recorded trace is open. */
  readonly group: "ptxas" | "cicc" | "foreign";
  readonly id: string;
  readonly name: string;
  readonly modelled: boolean;
  readonly ran: boolean;
  /** An error ended it, and the pipeline with it: `reason` has the error. */
  readonly stopped?: true;
  /** Why it did not run, or why it changed nothing. */
  readonly reason: string | null;
  readonly gates: readonly GateStep[];
  /** Every backend's slot, oldest first; empty for a phase that is the same on all. */
  readonly dispatch: readonly DispatchRow[];
  readonly changed: boolean;
  readonly blocks: readonly [number, number];
  readonly instructions: readonly [number, number];
  readonly matches: number;
  readonly rewrites: number;
  /** Rewrites that requested a permit, refused ones included. */
  readonly asked: number;
  /** Of those, refused by interventions. */
  readonly refused: number;
  /** Legality conditions that were assumed to hold although they did not. */
  readonly dropped: readonly string[];
  readonly figures: Readonly<Record<string, number>>;
  readonly ms: number;
  readonly verifyErrors: readonly Diagnostic[];
  /** `notDecided`: why no input decides anything; absent if one does. */
  readonly check: {
    readonly inputs: number;
    readonly ok: boolean;
    readonly counterexample: string | null;
    readonly notDecided?: string;
  } | null;
  /** Set by the veil of a lab: a task is about the result of the run, so every number of that result is left out. */
  readonly hidden?: true;
}

export interface RunResult {
  readonly revision: number;
  readonly engine: string;
  readonly target: string;
  readonly level: number;
  readonly kernel: string;
  readonly phases: readonly PhaseRun[];
  readonly diagnostics: readonly Diagnostic[];
  /** Hash of the result's canonical text: links carry it. */
  readonly digest: string;
  /** What became of each intervention, in their order. */
  readonly interventions: readonly InterventionResult[];
}

/** The rewrites of a trace that requested a permit, in the order of their first steps. */
export interface RewriteColumns {
  /** Number of the request within the run, from 1. */
  readonly n: Int32Array;
  /** The first step, and the one after the last. */
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** 1 where an intervention refused it. */
  readonly refused: Uint8Array;
}

/** The columns of a trace, one entry a step; everything the scrubber, the tree and the keys need without a further request. */
export interface TraceInfo {
  readonly run: number;
  readonly id: string;
  readonly steps: number;
  /** True when a limit of the recording cut the trace: what came after its last step was done, but not recorded. */
  readonly cut: boolean;
  /** Events it was recorded with at most. */
  readonly limit: number;
  /** Index into EVENT_KINDS. */
  readonly kinds: Uint8Array;
  readonly depths: Uint8Array;
  readonly parents: Int32Array;
  readonly lines: Uint16Array;
  /** 1 where the step changed the program (not only structures or annotations). */
  readonly changes: Uint8Array;
  /** null: unknown, in a recording made elsewhere. */
  readonly rewrites: RewriteColumns | null;
  readonly pseudocode: readonly string[];
  readonly structures: readonly TracedStructure[];
}

export interface TracedStructure {
  readonly name: string;
  readonly type: StructureType;
  readonly title: string;
  /** The step that first wrote it; -1: none did. Absent from engines of earlier releases. */
  readonly first?: number;
}

export interface InstView {
  readonly id: number;
  readonly text: string;
  readonly tokens: readonly Token[];
  readonly op: string;
  readonly effect: Effect;
  readonly line: number;
}

export interface BlockView {
  readonly id: number;
  readonly label: string;
  readonly insts: readonly InstView[];
  readonly succs: readonly number[];
  readonly preds: readonly number[];
  /** What each successor edge is, in the order of `succs`. */
  readonly succKinds: readonly ("taken" | "else" | "fall" | "jump" | "table" | "default")[];
  readonly weight: number | null;
  readonly rpo: number;
  readonly latchExit: number;
  readonly flags: number;
  readonly flags2: number;
  readonly scratch120: number;
  readonly scratch232: number;
  readonly line: number;
}

export interface TableView {
  readonly name: string;
  readonly base: number;
  readonly default: number | null;
  readonly entries: readonly number[];
}

export type CellChange = readonly [key: string, value: CellValue | undefined];

export interface StructureDelta {
  readonly name: string;
  readonly type: StructureType;
  readonly title: string;
  /** True: discard the previous cells, `cells` is everything. */
  readonly reset: boolean;
  readonly cells: readonly CellChange[];
}

/** State at a step, as the difference from the state that the caller has (`reset`: from nothing). */
export interface StateDelta {
  readonly run: number;
  /** -1: the phase's input, before its first event. */
  readonly step: number;
  readonly reset: boolean;
  readonly name: string;
  readonly entry: number;
  readonly blocks: readonly BlockView[];
  readonly removedBlocks: readonly number[];
  /** null: unchanged. */
  readonly layout: readonly number[] | null;
  readonly tables: readonly TableView[] | null;
  readonly funcFlags: number;
  readonly structures: readonly StructureDelta[];
  /** The event of this step; null at step -1. */
  readonly event: TraceEvent | null;
  /** The enclosing spans, outermost first. */
  readonly stack: readonly TraceEvent[];
  /** What this step itself changed. */
  readonly changed: { readonly blocks: readonly number[]; readonly insts: readonly number[] };
}

export type StepCommand =
  | { readonly kind: "into" }
  | { readonly kind: "over" }
  | { readonly kind: "out" }
  | { readonly kind: "change" }
  | { readonly kind: "event"; readonly event: EventKind }
  | { readonly kind: "breakpoint" }
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "object"; readonly subject: Subject }
  | { readonly kind: "end" };

/** Something selectable, by name. `reg` by its text name, `node` as `structure/cellKey`. */
export type Subject =
  | { readonly kind: "block"; readonly id: number }
  | { readonly kind: "edge"; readonly from: number; readonly to: number }
  | { readonly kind: "inst"; readonly id: number }
  | { readonly kind: "reg"; readonly name: string }
  | { readonly kind: "node"; readonly name: string };

/** A breakpoint: a subject, an event kind, a pseudocode line, or a small condition (`kind = rewrite and block = BB4`). */
export type Breakpoint =
  | { readonly kind: "subject"; readonly subject: Subject }
  | { readonly kind: "event"; readonly event: EventKind }
  | { readonly kind: "line"; readonly line: number }
  | { readonly kind: "condition"; readonly text: string }
  /** A condition on the state becomes true: `not edge(BB3, BB7)`. */
  | { readonly kind: "watch"; readonly text: string };

/** A step at which a condition on the state becomes true. */
export interface WatchHit {
  readonly run: number;
  readonly phase: string;
  /** -1: at the phase's start. */
  readonly step: number;
  readonly sentence: string;
}

export interface WatchReport {
  readonly hits: readonly WatchHit[];
  /** What was not examined, in words. */
  readonly notes: readonly string[];
}

/** What is wrong with a partly typed condition, and its possible completions. */
export interface WatchCheck {
  readonly problem: string | null;
  readonly completions: readonly string[];
}

/** One item of 'what happened to this': an event, with the run it belongs to. */
export interface HistoryItem {
  readonly run: number;
  readonly phase: string;
  readonly step: number;
  readonly kind: EventKind;
  readonly sentence: string;
  readonly facts: Facts;
  readonly focus: Focus;
}

export interface History {
  readonly items: readonly HistoryItem[];
  /** Runs that could not be searched (trace cut, did not run), in words. */
  readonly notes: readonly string[];
}

/** The graph of a phase: everything that exists at some step of it, so that one layout serves all steps. */
export interface UnionGraph {
  readonly run: number;
  readonly entry: number;
  /** `text`: the longest instruction list the block has at some step, for its size; `order`: layout position in the union. */
  readonly blocks: readonly {
    readonly id: number;
    readonly label: string;
    readonly lines: number;
    readonly columns: number;
    readonly before: boolean;
    readonly after: boolean;
  }[];
  readonly edges: readonly {
    readonly from: number;
    readonly to: number;
    readonly kind: BlockView["succKinds"][number];
    readonly port: number;
    readonly before: boolean;
    readonly after: boolean;
    readonly retreating: boolean;
  }[];
  /** Natural loops, outer ones before those inside them; `own`: their blocks that are in no inner one, so that all lists together are no longer than the function. */
  readonly loops: readonly { readonly header: number; readonly own: readonly number[]; readonly parent: number | null }[];
}

export interface LoopView {
  readonly header: number;
  readonly latches: readonly number[];
  /** With the blocks of the loops inside it; empty where they are not listed (`loopsCut`). */
  readonly blocks: readonly number[];
  readonly natural: boolean;
  readonly parent: number | null;
}

/** Analyses of a moment for overlays; block ids throughout, register names as text. */
export interface Analyses {
  readonly idom: readonly (readonly [block: number, idom: number | null])[];
  readonly ipdom: readonly (readonly [block: number, ipdom: number | null])[];
  readonly loops: readonly LoopView[];
  /** Loops whose blocks are not listed, largest first: in a deep nest all lists together grow with the square. Null: all are listed. */
  readonly loopsCut: number | null;
  /** Header of the innermost natural loop, for each block that is in one. */
  readonly innermost: readonly (readonly [block: number, header: number])[];
  readonly retreatingEdges: readonly (readonly [number, number])[];
  readonly irreducible: boolean;
  readonly liveIn: readonly (readonly [block: number, regs: readonly string[]])[];
  readonly liveOut: readonly (readonly [block: number, regs: readonly string[]])[];
  /** Number of blocks in `liveIn` and `liveOut` if the rest was left out as too much to send; null: all are there. */
  readonly liveCut: number | null;
  /** Blocks whose branch may differ within a warp. */
  readonly divergent: readonly number[];
  /** The regions of divergent branches exceeded the limit of the analysis: every branch is reported as divergent. */
  readonly divergenceCapped: boolean;
}

/** The interval test (T1, T2) at a moment. */
export interface Reducibility {
  readonly reducible: boolean;
  /** Edges of a node to itself that T1 removed, and nodes that T2 merged into their only predecessor. */
  readonly t1: number;
  readonly t2: number;
  /** Blocks that the limit graph's regions are entered through: the entry alone when the graph is reducible. */
  readonly left: readonly number[];
}

/** The text opened last with the PHIs of one kernel replaced by copies. */
export interface PhiFree {
  /** False: the verifier objects to the result; `text` is then the text with its PHIs. */
  readonly ok: boolean;
  readonly text: string;
  /** What was done, or why it cannot be. */
  readonly sentence: string;
  readonly phis: number;
  readonly copies: number;
  /** Blocks and registers that were made. */
  readonly blocks: number;
  readonly registers: number;
}

/** A moment: a phase's step; `run` -1 is the input of the pipeline, `step` null the phase's end, -1 its start. */
export interface Moment {
  readonly run: number;
  readonly step: number | null;
}

export interface PhaseRow {
  readonly number: number | null;
  readonly group: "ptxas" | "cicc";
  readonly id: string;
  readonly name: string;
  readonly alternatives: readonly string[];
  readonly modelled: boolean;
  readonly runs: boolean;
  readonly reason: string | null;
  readonly knobs: readonly string[];
}

export interface KnobRow {
  readonly key: string;
  readonly index: number | null;
  readonly name: string;
  readonly rot13: string | null;
  readonly type: string;
  readonly default: string;
  readonly readBy: readonly string[];
  readonly doc: string;
}

export interface OpcodeRow {
  readonly name: string;
  readonly family: string;
  readonly shape: string;
  readonly mods: string;
  readonly effect: string;
  readonly numbers: readonly number[];
  readonly doc: string;
}

/** Format of text, positions for the editor. */
export interface MomentText {
  readonly text: string;
  /** For each line (index 0 = line 1): block id or -1, instruction id or -1. */
  readonly blockOfLine: Int32Array;
  readonly instOfLine: Int32Array;
}
