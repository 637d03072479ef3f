/** A result and what it belongs to: a pane shows it with nothing else. */

import type { RunResult } from "../../engine/api/types.ts";
import type { SessionState } from "./state.ts";

/** The text as it was, the options, and the pipeline's run on it. */
export interface Origin {
  readonly revision: number;
  readonly options: SessionState["options"];
  readonly run: RunResult | null;
}

export interface Belonging<T> {
  readonly origin: Origin;
  readonly value: T;
}

export const originOf = ({ document, options, run }: Pick<SessionState, "document" | "options" | "run">): Origin => ({
  revision: document.revision,
  options,
  run: run.result,
});

/** Those that belong to what is shown now. */
export function stillValid<T>(results: readonly Belonging<T>[], { revision, options, run }: Origin): readonly T[] {
  return results.filter(({ origin: o }) => o.revision === revision && o.options === options && o.run === run).map(({ value }) => value);
}
