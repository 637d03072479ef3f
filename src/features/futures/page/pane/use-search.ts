/** Work of a pane that takes long: a button starts and stops it, its answer grows, and it ends when the pane is closed. */

import { useEffect, useRef, useState } from "react";
import { useSessionObject } from "../../../../app/session/hooks.ts";
import { useResult, withProvenanceNow } from "../../../../app/session/use-result.ts";

/** Shows the answer so far, unless the work was stopped. Never rejects. */
type Work<T> = (show: (answer: T) => void, signal: AbortSignal) => Promise<void>;

export function useSearch<T>(work: Work<T>) {
  const session = useSessionObject();
  const [answer, keep] = useResult<T>();
  const [working, setWorking] = useState(false);
  const running = useRef<AbortController | null>(null);
  useEffect(() => () => running.current?.abort(), []);
  const stop = (): void => {
    running.current?.abort();
    setWorking(false);
  };
  const start = (): void => {
    running.current?.abort();
    running.current = new AbortController();
    const { signal } = running.current;
    setWorking(true);
    const owned = withProvenanceNow(session);
    work((now) => signal.aborted || keep(owned(now)), signal).finally(() => signal.aborted || setWorking(false));
  };
  // Of a different program it has no answer, and is not seen.
  return { answer, busy: working && answer !== null, start, stop };
}
