/** React's way into the session. */

import { createContext, useContext, useEffect, useRef, useState } from "react";
import { useStore } from "zustand";
import { messageOf } from "../ui/failure.ts";
import type { AsyncEngine } from "./engine-port.ts";
import type { Session, SessionActions } from "./session.ts";
import type { SessionState } from "./state.ts";

const SessionContext = createContext<Session | null>(null);

export const SessionProvider = SessionContext.Provider;

export function useSessionObject(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error("useSession outside of SessionProvider");
  return session;
}

/** Reads the state; renders again when what the selector returns is another value. */
export function useSession<T>(selector: (state: SessionState) => T): T {
  return useStore(useSessionObject().store, selector);
}

export function useActions(): SessionActions {
  return useSessionObject().actions;
}

export interface Query<T> {
  /** The last answer, perhaps to an earlier question: see `fresh`. */
  readonly data: T | null;
  readonly fresh: boolean;
  readonly error: string | null;
}

/**
 * Asks the engine whenever `key` changes (null: don't ask), a new result arrived, or a person wants again what was stopped. Late answers are dropped; questions
 * that come faster than answers are skipped, so a held key never builds a queue.
 */
export function useEngineQuery<T>(key: string | null, ask: (api: AsyncEngine) => Promise<T>): Query<T> {
  const session = useSessionObject();
  const epoch = useSession((s) => s.run.epoch);
  const asked = useSession((s) => s.engine.asked);
  const fullKey = key === null ? null : `${epoch}|${asked}|${key}`;
  const [answer, setAnswer] = useState<{ key: string; data: T | null; error: string | null } | null>(null);
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
        try {
          const data = await now.ask(session.api);
          if (now.wanted === asked || now.wanted !== null) setAnswer({ key: asked, data, error: null });
        } catch (error) {
          setAnswer({ key: asked, data: null, error: messageOf(error) });
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

  return { data: answer?.data ?? null, fresh: answer?.key === fullKey && fullKey !== null, error: answer?.error ?? null };
}
