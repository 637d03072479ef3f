/** What every group of actions works with. */

import type { StoreApi } from "zustand/vanilla";
import type { AsyncEngine, EnginePort } from "./engine-port.ts";
import type { Notice, SessionState } from "./state.ts";

export interface ActionContext {
  readonly store: StoreApi<SessionState>;
  readonly port: EnginePort;
  readonly api: AsyncEngine;
  get(): SessionState;
  /** Replaces parts of one slice. */
  patch<K extends keyof SessionState>(slice: K, part: Partial<SessionState[K]>): void;
  /** Replaces parts of several slices in one update. */
  patchAll(parts: { readonly [K in keyof SessionState]?: Partial<SessionState[K]> }): void;
  notify(severity: Notice["severity"], text: string, action?: Notice["action"]): void;
  /** A rejected call of the engine, in words; crashes are dealt with elsewhere. */
  report(what: string): (error: unknown) => void;
}

const MAX_NOTICES = 4;

export function createContext(store: StoreApi<SessionState>, port: EnginePort): ActionContext {
  let nextNotice = 1;
  const merge = (state: SessionState, parts: { readonly [K in keyof SessionState]?: Partial<SessionState[K]> }): SessionState => {
    const next: Record<string, unknown> = { ...state };
    for (const [key, part] of Object.entries(parts)) next[key] = { ...(next[key] as object), ...(part as object) };
    return next as unknown as SessionState;
  };
  const notify: ActionContext["notify"] = (severity, text, action = null) => {
    store.setState((state) => {
      const others = state.notices.filter((n) => n.text !== text);
      return { notices: [...others, { id: nextNotice++, severity, text, action }].slice(-MAX_NOTICES) };
    });
  };
  return {
    store,
    port,
    api: port.api,
    get: () => store.getState(),
    patch: (slice, part) => store.setState((state) => merge(state, { [slice]: part })),
    patchAll: (parts) => store.setState((state) => merge(state, parts)),
    notify,
    report: (what) => (error) => {
      // The restart itself is told by the session.
      if (error instanceof Error && error.name === "EngineRestarted") return;
      notify("error", `${what}: ${error instanceof Error ? error.message : String(error)}`);
    },
  };
}
