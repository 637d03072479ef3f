/** The session: one store, the actions that write it, and the engine behind them. */

import { createStore, type StoreApi } from "zustand/vanilla";
import { type BreakpointActions, breakpointActions } from "./actions/breakpoints.ts";
import { type DocumentActions, documentActions } from "./actions/document.ts";
import { type PositionActions, positionActions } from "./actions/position.ts";
import { type RunActions, runActions } from "./actions/run.ts";
import { type SelectionActions, selectionActions } from "./actions/selection.ts";
import { type ViewActions, viewActions } from "./actions/view.ts";
import { createContext } from "./context.ts";
import type { AsyncEngine, EnginePort } from "./engine-port.ts";
import { INITIAL_STATE, type Notice, type SessionState } from "./state.ts";

export interface SessionActions {
  readonly document: DocumentActions;
  readonly run: RunActions;
  readonly position: PositionActions;
  readonly selection: SelectionActions;
  readonly breakpoints: BreakpointActions;
  readonly view: ViewActions;
  notify(severity: Notice["severity"], text: string, action?: Notice["action"]): void;
}

export interface Session {
  readonly store: StoreApi<SessionState>;
  readonly api: AsyncEngine;
  readonly actions: SessionActions;
  /** Ends the engine and starts another; the work is restored, but for a run that is under way. */
  restartEngine(reason: string): void;
  dispose(): void;
}

/** Starts a session on an engine. Nothing is open yet: call `actions.document.openText`. */
export function createSession(port: EnginePort): Session {
  const store = createStore<SessionState>()(() => INITIAL_STATE);
  const ctx = createContext(store, port);
  const breakpoints = breakpointActions(ctx);
  const position = positionActions(ctx, () => breakpoints.refresh());
  const run = runActions(ctx, () => position.settle());
  const document = documentActions(ctx, run);
  const actions: SessionActions = {
    document,
    run,
    position,
    selection: selectionActions(ctx),
    breakpoints,
    view: viewActions(ctx),
    notify: ctx.notify,
  };

  async function greet(): Promise<void> {
    const [version, knobs, opcodes] = await Promise.all([port.api.version(), port.api.knobs(), port.api.opcodes()]);
    ctx.patch("engine", { status: "ready", version, knobs, opcodes });
    run.refreshTables();
  }
  const failed = (error: unknown) => {
    ctx.patch("engine", { status: "failed", crash: error instanceof Error ? error.message : String(error) });
  };

  const stop = port.onRestart((reason, { restored, runDropped }) => {
    // The place is kept: settle() finds the phase and step again in the new result.
    document.reset();
    run.reset();
    position.reset();
    breakpoints.reset();
    ctx.patchAll({
      engine: { generation: ctx.get().engine.generation + 1, crash: reason, status: "starting" },
      run: { running: false, stale: true },
    });
    greet().catch(failed);
    if (runDropped && restored) ctx.patch("engine", { crash: `${reason}. The run that was ended is not started again by itself.` });
    else if (restored) document.refresh();
    else ctx.patch("engine", { crash: `${reason}. The same work ended a fresh engine, too: it is not run again by itself.` });
  });
  greet().catch(failed);

  const restartEngine = (reason: string) => {
    // Work that a person ended must not come back by itself.
    port.restart(reason, { replayRun: !ctx.get().run.running });
  };

  return { store, api: port.api, actions, restartEngine, dispose: stop };
}
