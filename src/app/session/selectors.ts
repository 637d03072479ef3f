/** Named readings of the state. Each returns something that stays identical while nothing it reads changes. */

import type { KernelInfo, PhaseRun } from "../../engine/api/types.ts";
import type { TraceEvent } from "../../engine/trace/event.ts";
import { plainName } from "../names/phases.ts";
import type { MomentState } from "./moment.ts";
import type { CoreState } from "./state.ts";

export type Selector<T> = (state: CoreState) => T;

const NO_PHASES: readonly PhaseRun[] = [];
const NO_KERNELS: readonly KernelInfo[] = [];

export const selectPhases: Selector<readonly PhaseRun[]> = (s) => s.run.result?.phases ?? NO_PHASES;
export const selectPhase: Selector<PhaseRun | null> = (s) => s.run.result?.phases[s.position.run] ?? null;
export const selectMoment: Selector<MomentState | null> = (s) => s.position.moment;
export const selectEvent: Selector<TraceEvent | null> = (s) => s.position.moment?.event ?? null;
export const selectStep: Selector<number> = (s) => s.position.step;
export const selectRun: Selector<number> = (s) => s.position.run;
/** The steps of the open phase are being loaded: what is shown belongs to the previous phase or result. */
export const selectTracing: Selector<boolean> = (s) => s.position.state === "tracing";
export const selectTrace = (s: CoreState) => s.position.trace;
export const selectGraph = (s: CoreState) => s.position.graph;
export const selectSelected = (s: CoreState) => s.selection.selected;
export const selectHovered = (s: CoreState) => s.selection.hovered;
export const selectHoveredLine = (s: CoreState) => s.selection.line;
export const selectKernels: Selector<readonly KernelInfo[]> = (s) => s.document.good?.kernels ?? NO_KERNELS;
export const selectKernel: Selector<KernelInfo | null> = (s) => {
  const kernels = s.document.good?.kernels ?? NO_KERNELS;
  const right = (k: KernelInfo): boolean => k.state !== "wrong";
  return kernels.find((k) => k.name === s.options.kernel && right(k)) ?? kernels.find(right) ?? null;
};
/** What is shown does not belong to the current text. */
export const selectStale: Selector<boolean> = ({ run, document: { open, good } }) =>
  run.stale || (open !== null && !open.ok && open !== good);
/** A recorded trace is open: it has one future, and no options. */
export const selectRecorded: Selector<boolean> = ({ document: { good } }) => good?.recorded === true;
/** The page shows the current text and options, and no part of it is being computed. */
export const selectSettled: Selector<boolean> = (s) =>
  s.run.result !== null && !s.run.running && s.run.error === null && s.position.state === "loaded" && !selectStale(s);
/** The number of functions of a long text read so far, and of how many, while the others are being read. */
export const selectReading: Selector<string | null> = ({ document: { open } }) => {
  const { left = 0, kernels = NO_KERNELS } = open ?? {};
  return left === 0 ? null : `${kernels.length - left} of ${kernels.length}`;
};
/** The number of kernels run ahead so far, and of how many, while the others are being run. */
export const selectAhead: Selector<string | null> = ({ run: { ahead } }) => (ahead === null ? null : `${ahead.done} of ${ahead.of}`);
export const selectDiagnostics = (s: CoreState) => s.document.open?.diagnostics ?? null;

/** One line for the user: what this step did, or the current position. */
export const selectSentence: Selector<string> = (s) => {
  const { moment, step } = s.position;
  const phase = selectPhase(s);
  if (phase === null) return moment?.event?.sentence ?? "";
  // A command, a trace and an exported file use the same sentence for an event.
  if (moment?.event) return moment.event.sentence;
  const name = plainName(phase);
  if (s.position.stopped === "recording") return `${name} ran, but its recording was stopped: its steps cannot be shown.`;
  if (!phase.modelled) return `${name} is not modelled.`;
  if (!phase.ran) return `${name} did not run: ${phase.reason ?? "no reason given"}`;
  return step < 0 ? `Input of ${name}.` : "";
};
