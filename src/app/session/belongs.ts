/** A result and what it belongs to: it can be read only where that is still in sight. */

import type { PipelineOptions, RunResult } from "../../engine/api/types.ts";
import type { CoreState } from "./state.ts";

/** The text as it was, the kernel, the options, and the pipeline's run on it. */
export interface Origin {
  readonly revision: number;
  readonly kernel: string | null;
  readonly pipeline: PipelineOptions;
  readonly run: RunResult | null;
}

export const originOf = ({ document, options, run }: Pick<CoreState, "document" | "options" | "run">): Origin => ({
  revision: document.revision,
  kernel: options.kernel,
  pipeline: options.pipeline,
  run: run.result,
});

const sameOrigin = (a: Origin, b: Origin): boolean =>
  a.revision === b.revision && a.kernel === b.kernel && a.pipeline === b.pipeline && a.run === b.run;

/** What a pane keeps of an answer: the value comes out only for what it belongs to. */
export class Owned<T> {
  readonly #origin: Origin;
  readonly #value: T;

  constructor(origin: Origin, value: T) {
    this.#origin = origin;
    this.#value = value;
  }

  /** Null where something else is shown by now. */
  in(now: Origin): T | null {
    return sameOrigin(this.#origin, now) ? this.#value : null;
  }
}

/** The run that is shown is of a program that was open before this one. */
export const selectEarlier = ({ run, document }: CoreState): boolean => run.result !== null && run.result.revision < document.since;
