/** A result with its provenance: it can be read only while the text, kernel, options and run that it was made for are shown. */

import type { PipelineOptions, RunResult } from "../../engine/api/types.ts";
import type { MomentState } from "./moment.ts";
import { selectKernel, selectKernels } from "./selectors.ts";
import type { CoreState } from "./state.ts";

/** The text as it was, the kernel, the options, and the pipeline's run on it. */
export interface Provenance {
  readonly revision: number;
  readonly kernel: string | null;
  readonly pipeline: PipelineOptions;
  readonly run: RunResult | null;
}

export const provenanceOf = ({ document, options, run }: Pick<CoreState, "document" | "options" | "run">): Provenance => ({
  revision: document.revision,
  kernel: options.kernel,
  pipeline: options.pipeline,
  run: run.result,
});

const sameProvenance = (a: Provenance, b: Provenance): boolean =>
  a.revision === b.revision && a.kernel === b.kernel && a.pipeline === b.pipeline && a.run === b.run;

/** How a pane keeps an answer: the value can be read only for what it belongs to. */
export class WithProvenance<T> {
  readonly #provenance: Provenance;
  readonly #value: T;

  constructor(provenance: Provenance, value: T) {
    this.#provenance = provenance;
    this.#value = value;
  }

  /** Null if something else is shown by now. */
  in(now: Provenance): T | null {
    return sameProvenance(this.#provenance, now) ? this.#value : null;
  }
}

/** What a run is of. */
export type RunOf = Pick<RunResult, "revision" | "kernel">;

/**
 * Of a program that was open before this one, or of another of its kernels. A run of an earlier text of this kernel is not: it is shown,
 * marked as stale, and so is one of a kernel whose name was edited.
 */
function isEarlier(of: RunOf | null, state: CoreState): boolean {
  if (of === null) return false;
  if (of.revision < state.document.since) return true;
  return selectKernel(state)?.name !== of.kernel && selectKernels(state).some(({ name }) => name === of.kernel);
}

/** The last result is of something earlier: so are its phases. */
export const selectEarlierRun = (state: CoreState): boolean => isEarlier(state.run.result, state);

/** What is on screen is of something earlier: the result, or the steps shown until those of the result arrive. */
export const selectEarlier = (state: CoreState): boolean => selectEarlierRun(state) || isEarlier(state.position.of, state);

/** The state on screen, if it is of this program and kernel. */
export const selectOwnMoment = (state: CoreState): MomentState | null => (selectEarlier(state) ? null : state.position.moment);

/** Why nothing of this program is on screen; null: something is, or will be. */
export function selectNotRun(state: CoreState): "wrong" | "empty" | null {
  const { run, document, view } = state;
  const { open } = document;
  if ((run.result !== null && !selectEarlierRun(state)) || run.running || view.refused !== null) return null;
  if (open === null || open.revision < document.since || open === document.good) return null;
  return open.ok ? "empty" : "wrong";
}
