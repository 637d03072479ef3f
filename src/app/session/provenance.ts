/** A result with its provenance: it can be read only while the text, kernel, options and run that it was made for are shown. */

import type { PipelineOptions, RunResult } from "../../engine/api/types.ts";
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

/** The run that is shown is of a program that was open before this one. */
export const selectEarlier = ({ run, document }: CoreState): boolean => run.result !== null && run.result.revision < document.since;
