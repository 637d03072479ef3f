/** The session: one store, the actions that write it, and the engine that they use. */

import { createStore, type StoreApi } from "zustand/vanilla";
import type { Notice } from "../ui/notices.tsx";
import { type BreakpointActions, breakpointActions } from "./actions/breakpoints.ts";
import { type DocumentActions, documentActions } from "./actions/document.ts";
import { type PositionActions, positionActions } from "./actions/position.ts";
import { type RunActions, runActions } from "./actions/run.ts";
import { type SelectionActions, selectionActions } from "./actions/selection.ts";
import { type ViewActions, viewActions } from "./actions/view.ts";
import { aheadRuns } from "./ahead.ts";
import type { Command } from "./command.ts";
import { type ActionContext, createContext } from "./context.ts";
import { followEngine } from "./engine-life.ts";
import type { AsyncEngine, EnginePort } from "./engine-port.ts";
import { type Begun, commandsOf, type Feature, initialState } from "./feature.ts";
import { INITIAL_STATE, type OtherEngine, type SessionState } from "./state.ts";

/** The actions of the session itself. */
export interface CoreActions {
  readonly document: DocumentActions;
  readonly run: RunActions;
  readonly position: PositionActions;
  readonly selection: SelectionActions;
  readonly breakpoints: BreakpointActions;
  readonly view: ViewActions;
  notify(severity: Notice["severity"], text: string, action?: Notice["action"]): void;
}

/** All actions: a feature declares its own here. */
export interface SessionActions extends CoreActions {}

export interface Session {
  readonly store: StoreApi<SessionState>;
  readonly api: AsyncEngine;
  /** Replaces parts of one slice: for its owner. */
  readonly patch: ActionContext["patch"];
  readonly actions: SessionActions;
  readonly features: readonly Feature[];
  readonly commands: readonly Command[];
  /** The command with that id; null if this page has none. */
  command(id: string): Command | null;
  /** Ends the engine and starts a new one; the work is restored, except for the current request, which is not repeated automatically. */
  restartEngine(reason: string): void;
  /** Continues with a different engine of the site, or with the page's own (null); text and place are kept. */
  goOnWith(engine: OtherEngine | null): void;
  /** Requests everything again, including what was stopped. */
  askAgain(): void;
  dispose(): void;
}

/** What a session consists of in addition to the engine. */
export interface Setup {
  /** Hash of the engine's script. */
  readonly build?: string;
  /** What the parts of the page add. */
  readonly features?: readonly Feature[];
}

/** Starts a session on an engine. Nothing is open yet: call `actions.document.openText`. */
export function createSession(port: EnginePort, { build = "", features = [] }: Setup = {}): Session {
  const store = createStore<SessionState>()(() => ({ ...initialState(features), engine: { ...INITIAL_STATE.engine, build } }));
  const ctx = createContext(store, port);
  const breakpoints = breakpointActions(ctx);
  const position = positionActions(ctx, () => breakpoints.refresh());
  // Filled below: features need the session's own actions, and a run queries the features.
  const begun: Begun[] = [];
  const run = runActions(ctx, () => position.settle(), begun);
  const document = documentActions(ctx, { run, features, begun });
  const ahead = aheadRuns(ctx);
  const core: CoreActions = {
    document,
    run,
    position,
    selection: selectionActions(ctx),
    breakpoints,
    view: viewActions(ctx, features),
    notify: ctx.notify,
  };
  begun.push(...features.flatMap(({ begin }) => begin?.(ctx, core) ?? []));
  const actions = Object.assign({}, core, ...begun.map((one) => one.actions)) as SessionActions;

  const stopAhead = store.subscribe((state, before) => {
    if (state.document.good !== before.document.good || state.options.pipeline !== before.options.pipeline) ahead.request();
  });
  const life = followEngine(ctx, core, ahead);
  const dispose = () => {
    life.dispose();
    stopAhead();
    ahead.reset();
    for (const one of begun) one.dispose?.();
  };

  const commands = commandsOf(features);
  const byId = new Map(commands.map((command) => [command.id, command]));
  const command = (id: string): Command | null => byId.get(id) ?? null;
  const { restartEngine, goOnWith, askAgain } = life;
  return { store, api: ctx.api, patch: ctx.patch, actions, features, commands, command, restartEngine, goOnWith, askAgain, dispose };
}
