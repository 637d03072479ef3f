/** What every group of actions works with. */

import type { StoreApi } from "zustand/vanilla";
import { veiledEngine } from "../../worker/veiled-engine.ts";
import { messageOf } from "../ui/failure.ts";
import type { Notice } from "../ui/notices.tsx";
import type { AsyncEngine, EnginePort } from "./engine-port.ts";
import type { SessionState } from "./state.ts";
import { type EngineWatch, watchEngine } from "./watch-engine.ts";

export interface ActionContext {
  readonly store: StoreApi<SessionState>;
  readonly port: EnginePort;
  /** The watched engine: a stopped question is refused until `watch.release`. */
  readonly api: AsyncEngine;
  readonly watch: EngineWatch;
  get(): SessionState;
  /** Replaces parts of one slice. */
  patch<K extends keyof SessionState>(slice: K, part: Partial<SessionState[K]>): void;
  /** Replaces parts of several slices in one update. */
  patchAll(parts: { readonly [K in keyof SessionState]?: Partial<SessionState[K]> }): void;
  notify(severity: Notice["severity"], text: string, action?: Notice["action"]): void;
  /** Reports a rejected call of the engine; crashes are handled elsewhere. */
  report(what: string): (error: unknown) => void;
}

const MAX_NOTICES = 4;
const TOLD_ELSEWHERE: ReadonlySet<string> = new Set(["EngineRestarted", "EngineUnavailable", "RequestStopped"]);

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
  const patch: ActionContext["patch"] = (slice, part) => store.setState((state) => merge(state, { [slice]: part }));
  const watch = watchEngine(port.api, (slow) => patch("engine", { slow }));
  return {
    store,
    port,
    api: veiledEngine(watch.api, () => store.getState().engine.veil),
    watch,
    get: () => store.getState(),
    patch,
    patchAll: (parts) => store.setState((state) => merge(state, parts)),
    notify,
    report: (what) => (error) => {
      // The session reports the restart itself, and a stopped request is reported where its result would be shown.
      if (error instanceof Error && TOLD_ELSEWHERE.has(error.name)) return;
      notify("error", `${what}: ${messageOf(error)}`);
    },
  };
}
