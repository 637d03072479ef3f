/** How a pane keeps what it was answered: shown with what it belongs to, gone with it. */

import { useCallback, useMemo, useState } from "react";
import { type Origin, Owned, originOf } from "./belongs.ts";
import { useSession } from "./hooks.ts";
import type { Session } from "./session.ts";

export function useOrigin(): Origin {
  const revision = useSession((s) => s.document.revision);
  const kernel = useSession((s) => s.options.kernel);
  const pipeline = useSession((s) => s.options.pipeline);
  const run = useSession((s) => s.run.result);
  return useMemo(() => ({ revision, kernel, pipeline, run }), [revision, kernel, pipeline, run]);
}

/** Call before the request to the engine: the answer belongs to what is shown then. */
export function ownerNow({ store }: Session): <T>(value: T) => Owned<T> {
  const origin = originOf(store.getState());
  return (value) => new Owned(origin, value);
}

export function useResult<T>(): readonly [T | null, (result: Owned<T> | null) => void] {
  const [kept, keep] = useState<Owned<T> | null>(null);
  const origin = useOrigin();
  return [kept?.in(origin) ?? null, keep];
}

/** The latest first, so many of them. */
export function useResults<T>(most: number): readonly [readonly T[], (result: Owned<T>) => void] {
  const [kept, setKept] = useState<readonly Owned<T>[]>([]);
  const origin = useOrigin();
  const keep = useCallback((result: Owned<T>) => setKept((old) => [result, ...old].slice(0, most)), [most]);
  return [kept.flatMap((one) => one.in(origin) ?? []), keep];
}
