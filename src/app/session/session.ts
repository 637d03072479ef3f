/** The session: one store, the actions that write it, and the engine that they use. */

import { createStore, type StoreApi } from "zustand/vanilla";
import { rowOf } from "../../worker/questions.ts";
import { messageOf } from "../ui/failure.ts";
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
  /** The command of that id; null: this page has none. */
  command(id: string): Command | null;
  /** Ends the engine and starts another; the work is restored, except the current request, which is not repeated automatically. */
  restartEngine(reason: string): void;
  /** Continues with another engine of the site, or with the page's own (null); text and place are kept. */
  goOnWith(engine: OtherEngine | null): void;
  /** Requests everything again, also what was stopped. */
  askAgain(): void;
  dispose(): void;
}

/** Why an engine ends that did not fail. */
const CHANGED = "another engine was chosen";
const REPLACED = "another program was opened";

/** What a session is made of beside the engine. */
export interface Setup {
  /** Hash of the engine's script. */
  readonly build?: string;
  /** What the parts of the page bring. */
  readonly features?: readonly Feature[];
}

/** Starts a session on an engine. Nothing is open yet: call `actions.document.openText`. */
export function createSession(port: EnginePort, { build = "", features = [] }: Setup = {}): Session {
  const store = createStore<SessionState>()(() => ({ ...initialState(features), engine: { ...INITIAL_STATE.engine, build } }));
  const ctx = createContext(store, port);
  const breakpoints = breakpointActions(ctx);
  const position = positionActions(ctx, () => breakpoints.refresh());
  // Filled below: features need the session's own actions, and a run asks the features.
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

  async function greet(): Promise<void> {
    const version = await ctx.api.version();
    ctx.patch("engine", { status: "ready", version });
    // After the text that was opened meanwhile: the first picture needs none of them.
    const [knobs, opcodes] = await Promise.all([ctx.api.knobs(), ctx.api.opcodes()]);
    ctx.patch("engine", { knobs, opcodes });
    run.refreshTables();
  }
  const failed = (error: unknown) => {
    // A fresh engine is on its way, and is greeted when it comes.
    if (error instanceof Error && error.name === "EngineRestarted") return;
    ctx.patch("engine", { status: "failed", crash: messageOf(error) });
  };

  const stop = port.onRestart((reason, { restored, runDropped }) => {
    // The place is kept: settle() finds the phase and step again in the new result.
    document.reset();
    run.reset();
    ahead.reset();
    position.reset();
    breakpoints.reset();
    const silent = reason === CHANGED || reason === REPLACED;
    ctx.patchAll({
      engine: { generation: ctx.get().engine.generation + 1, crash: silent ? null : reason, status: "starting" },
      run: { running: false, stale: true },
    });
    greet().catch(failed);
    if (reason === REPLACED) document.refresh();
    else if (runDropped && restored) ctx.patch("engine", { crash: `${reason}. The interrupted work is not restarted automatically.` });
    else if (restored) document.refresh();
    else ctx.patch("engine", { crash: `${reason}. The same work also crashed a fresh engine, so it is not restarted automatically.` });
  });
  greet().catch(failed);

  const stopUnavailable = port.onUnavailable((reason) => {
    ctx.patchAll({
      engine: { status: "failed", crash: reason },
      run: { running: false, stale: ctx.get().run.result !== null },
    });
    position.reset();
  });
  // Another text or other options are another question.
  const stopReleasing = store.subscribe((state, before) => {
    if (state.document.revision !== before.document.revision || state.options !== before.options) ctx.watch.release();
  });
  const stopAhead = store.subscribe((state, before) => {
    if (state.document.good !== before.document.good || state.options.pipeline !== before.options.pipeline) ahead.request();
  });

  // Requests for a program that is no longer open would keep the new one waiting, for half a minute at worst.
  let replacedAt = Number.NEGATIVE_INFINITY;
  const stopSuperseding = store.subscribe(({ document: { since }, engine: { slow } }, before) => {
    if (since !== before.document.since) replacedAt = performance.now();
    else if (slow === before.engine.slow) return;
    if (slow === null || slow.since >= replacedAt) return;
    replacedAt = Number.NEGATIVE_INFINITY;
    port.restart(REPLACED, { replay: "nothing" });
  });

  const restartEngine = (reason: string) => {
    // Work that a person ended must not come back by itself.
    ctx.watch.holdCurrent();
    const at = ctx.watch.current();
    const isReading = at !== null && rowOf(at.method).reads === true;
    port.restart(reason, { replay: isReading ? "nothing" : ctx.get().run.running ? "text" : "run" });
  };
  const goOnWith = (engine: OtherEngine | null) => {
    ctx.patch("engine", { chosen: engine });
    port.restart(CHANGED, { script: engine?.script ?? null });
  };
  const askAgain = () => {
    ctx.watch.release();
    ctx.patch("engine", { asked: ctx.get().engine.asked + 1 });
    document.refresh();
  };
  const dispose = () => {
    stop();
    stopUnavailable();
    stopReleasing();
    stopAhead();
    stopSuperseding();
    ahead.reset();
    for (const one of begun) one.dispose?.();
  };

  const commands = commandsOf(features);
  const byId = new Map(commands.map((command) => [command.id, command]));
  const command = (id: string): Command | null => byId.get(id) ?? null;
  return { store, api: ctx.api, patch: ctx.patch, actions, features, commands, command, restartEngine, goOnWith, askAgain, dispose };
}
