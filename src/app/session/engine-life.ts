/** The engine's life as the session sees it: its start, its ends and what follows them, and the choice of a different engine. */

import { rowOf } from "../../worker/questions.ts";
import { messageOf } from "../ui/failure.ts";
import type { AheadRuns } from "./ahead.ts";
import type { ActionContext } from "./context.ts";
import type { CoreActions, Session } from "./session.ts";
import type { OtherEngine } from "./state.ts";

/** Why an engine that did not fail ends. */
const CHANGED = "another engine was chosen";
const REPLACED = "another program was opened";

export interface EngineLife extends Pick<Session, "restartEngine" | "goOnWith" | "askAgain" | "dispose"> {}

export function followEngine(ctx: ActionContext, { document, run, position, breakpoints }: CoreActions, ahead: AheadRuns): EngineLife {
  const { port, store } = ctx;
  const stops = [
    port.onRestart((reason, { restored, runDropped }) => {
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
      greet(ctx, run);
      if (reason === REPLACED) document.refresh();
      else if (runDropped && restored) ctx.patch("engine", { crash: `${reason}. The interrupted work is not restarted automatically.` });
      else if (restored) document.refresh();
      else ctx.patch("engine", { crash: `${reason}. The same work also crashed a fresh engine, so it is not restarted automatically.` });
    }),
    port.onUnavailable((reason) => {
      ctx.patchAll({
        engine: { status: "failed", crash: reason },
        run: { running: false, stale: ctx.get().run.result !== null },
      });
      position.reset();
    }),
    // A different text or different options are a different question.
    store.subscribe((state, before) => {
      if (state.document.revision !== before.document.revision || state.options !== before.options) ctx.watch.release();
    }),
    endSuperseded(ctx),
  ];
  greet(ctx, run);

  return {
    restartEngine(reason) {
      // Work that the user ended must not restart by itself.
      ctx.watch.holdCurrent();
      const at = ctx.watch.current();
      const isReading = at !== null && rowOf(at.method).reads === true;
      port.restart(reason, { replay: isReading ? "nothing" : ctx.get().run.running ? "text" : "run" });
    },
    goOnWith(engine: OtherEngine | null) {
      ctx.patch("engine", { chosen: engine });
      port.restart(CHANGED, { script: engine?.script ?? null });
    },
    askAgain() {
      ctx.watch.release();
      ctx.patch("engine", { asked: ctx.get().engine.asked + 1 });
      document.refresh();
    },
    dispose() {
      for (const stop of stops) stop();
    },
  };
}

/** Requests what a starting engine is and knows. */
function greet(ctx: ActionContext, run: CoreActions["run"]): void {
  const greeting = async (): Promise<void> => {
    const version = await ctx.api.version();
    ctx.patch("engine", { status: "ready", version });
    // After the text that was opened meanwhile, since the first graph needs none of them.
    const [knobs, opcodes] = await Promise.all([ctx.api.knobs(), ctx.api.opcodes()]);
    ctx.patch("engine", { knobs, opcodes });
    run.refreshTables();
  };
  greeting().catch((error: unknown) => {
    // A fresh engine is starting, and is greeted when it is ready.
    if (error instanceof Error && error.name === "EngineRestarted") return;
    ctx.patch("engine", { status: "failed", crash: messageOf(error) });
  });
}

/** Ends requests for a program that is no longer open: they would delay the new one, by half a minute at worst. Returns what stops it. */
function endSuperseded({ store, port }: ActionContext): () => void {
  let replacedAt = Number.NEGATIVE_INFINITY;
  return store.subscribe(({ document: { since }, engine: { slow } }, before) => {
    if (since !== before.document.since) replacedAt = performance.now();
    else if (slow === before.engine.slow) return;
    if (slow === null || slow.since >= replacedAt) return;
    replacedAt = Number.NEGATIVE_INFINITY;
    port.restart(REPLACED, { replay: "nothing" });
  });
}
