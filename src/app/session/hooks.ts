/** React's way into the session. */

import { createContext, useContext, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { messageOf } from "../ui/failure.ts";
import type { AsyncEngine } from "./engine-port.ts";
import { selectEarlierRun } from "./provenance.ts";
import type { Session, SessionActions } from "./session.ts";
import type { SessionState } from "./state.ts";

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

export function useSessionObject(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession outside of SessionProvider");
  return session;
}

/** Reads the state; renders again when the selector returns a different value. */
export function useSession<T>(selector: (state: SessionState) => T): T {
  return useStore(useSessionObject().store, selector);
}

export function useActions(): SessionActions {
  return useSessionObject().actions;
}

export interface Query<T> {
  /** The last answer of this run, perhaps to an earlier question: see `fresh`. */
  readonly data: T | null;
  readonly fresh: boolean;
  readonly error: string | null;
}

/**
 * The previous answer is shown until a new one arrives: as long as the run is the same, or (for answers within a frame or two) the
 * program is the same; answers that are not about a program stay.
 */
type Holds = "run" | "program" | "always";

/**
 * Queries the engine whenever `key` changes (null: no query), a new result arrives, or the user repeats what was stopped. Late answers are dropped; questions
 * that come faster than answers are skipped, so a held key never builds a queue.
 */
export function useEngineQuery<T>(key: string | null, ask: (api: AsyncEngine) => Promise<T>, holds: Holds = "program"): Query<T> {
  const session = useSessionObject();
  const epoch = useSession((s) => s.run.epoch);
  const program = useSession(programOfRun);
  const asked = useSession((s) => s.engine.asked);
  const fullKey = key === null ? null : `${epoch}|${asked}|${key}`;
  const [answer, setAnswer] = useState<{ key: string; of: Asked; data: T | null; error: string | null } | null>(null);
  const state = useRef({ wanted: null as string | null, busy: false, ask });
  state.current.ask = ask;

  useEffect(() => {
    const now = state.current;
    now.wanted = fullKey;
    if (fullKey === null || now.busy) return;
    now.busy = true;
    const loop = async () => {
      let done: string | null = null;
      while (now.wanted !== null && now.wanted !== done) {
        const asked: string = now.wanted;
        const shown = session.store.getState();
        const of: Asked = { epoch: shown.run.epoch, program: programOfRun(shown) };
        try {
          const data = await now.ask(session.api);
          if (now.wanted === asked || now.wanted !== null) setAnswer({ key: asked, of, data, error: null });
        } catch (error) {
          setAnswer({ key: asked, of, data: null, error: messageOf(error) });
        }
        done = asked;
      }
      now.busy = false;
    };
    void loop();
  }, [fullKey, session]);

  useEffect(() => {
    const now = state.current;
    return () => {
      now.wanted = null;
    };
  }, []);

  const belongs =
    answer !== null && (holds === "always" || answer.of.epoch === epoch || (holds === "program" && answer.of.program === program));
  const shown = belongs ? answer : null;
  return { data: shown?.data ?? null, fresh: shown?.key === fullKey && fullKey !== null, error: shown?.error ?? null };
}

/** Which run answered, and of which program it is. */
interface Asked {
  readonly epoch: number;
  readonly program: string | null;
}

/** Names the program and the kernel that the run is of; a run of something earlier has none. */
const programOfRun = (state: SessionState): string | null =>
  selectEarlierRun(state) ? null : `${state.document.since} ${state.run.result?.kernel ?? ""}`;
