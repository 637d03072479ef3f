/** How a pane keeps an answer: shown with what it belongs to, removed with it. */

import { useCallback, useMemo, useState } from "react";
import { useSession } from "./hooks.ts";
import { type Provenance, provenanceOf, WithProvenance } from "./provenance.ts";
import type { Session } from "./session.ts";

export function useProvenance(): Provenance {
  const revision = useSession((s) => s.document.revision);
  const kernel = useSession((s) => s.options.kernel);
  const pipeline = useSession((s) => s.options.pipeline);
  const run = useSession((s) => s.run.result);
  return useMemo(() => ({ revision, kernel, pipeline, run }), [revision, kernel, pipeline, run]);
}

/** Call before the request to the engine: the answer belongs to what is shown then. */
export function withProvenanceNow({ store }: Session): <T>(value: T) => WithProvenance<T> {
  const provenance = provenanceOf(store.getState());
  return (value) => new WithProvenance(provenance, value);
}

export function useResult<T>(): readonly [T | null, (result: WithProvenance<T> | null) => void] {
  const [kept, keep] = useState<WithProvenance<T> | null>(null);
  const provenance = useProvenance();
  return [kept?.in(provenance) ?? null, keep];
}

/** The latest ones first, up to this many. */
export function useResults<T>(most: number): readonly [readonly T[], (result: WithProvenance<T>) => void] {
  const [kept, setKept] = useState<readonly WithProvenance<T>[]>([]);
  const provenance = useProvenance();
  const keep = useCallback((result: WithProvenance<T>) => setKept((old) => [result, ...old].slice(0, most)), [most]);
  return [kept.flatMap((one) => one.in(provenance) ?? []), keep];
}
