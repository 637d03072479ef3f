/** Stays at the same step across a new run: the events before it may differ, so the nearest one with the same sentence is used. */

import type { ActionContext } from "../../../app/session/context.ts";
import type { TraceInfo } from "../../../engine/api/types.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";

export interface KeepPlace {
  /** Call before the run changes. `aim`: the step to open in the new trace of the same phase; null: the nearest one with the same sentence. */
  begin(aim?: (trace: TraceInfo) => number | null): void;
}

/** The number of steps examined before and after. */
const REACH = 400;

export function createKeepPlace(ctx: ActionContext, seek: (step: number) => void): KeepPlace {
  let stop: (() => void) | null = null;

  async function find(event: TraceEvent, run: number, step: number): Promise<number | null> {
    const from = Math.max(0, step - REACH);
    const near = await ctx.api.events(run, from, 2 * REACH);
    const better = (a: TraceEvent, b: TraceEvent): TraceEvent => (Math.abs(a.step - step) <= Math.abs(b.step - step) ? a : b);
    const nearest = (same: (e: TraceEvent) => boolean): TraceEvent | null =>
      near.filter(same).reduce<TraceEvent | null>((best, e) => (best === null ? e : better(best, e)), null);
    const found = nearest((e) => e.line === event.line && e.sentence === event.sentence);
    return found?.step ?? null;
  }

  return {
    begin(aim) {
      stop?.();
      const { position, run } = ctx.get();
      const phase = run.result?.phases[position.run]?.id;
      const { epoch } = run;
      if (phase === undefined) return;
      // Null if the step was only just entered and its state is still loading: the target is kept nevertheless.
      const event = position.moment?.step === position.step ? position.moment.event : null;
      const unsubscribe = ctx.store.subscribe((state) => {
        const { moment, step, run: open, state: at } = state.position;
        if (state.run.epoch === epoch) {
          // Moved on meanwhile, before the new run was there.
          if (open !== position.run || step !== position.step) end();
          return;
        }
        // The steps of the run before are there for a moment longer.
        if (at === "tracing" || state.position.trace === position.trace || moment === null || moment.run !== open || moment.step !== step)
          return;
        end();
        if (state.run.result?.phases[open]?.id !== phase) return;
        const aimed = state.position.trace === null ? null : (aim?.(state.position.trace) ?? null);
        if (aimed !== null) {
          seek(aimed);
          return;
        }
        const said = moment.event;
        if (event === null) return;
        if (said !== null && said.line === event.line && said.sentence === event.sentence) return;
        find(event, open, step).then(
          (to) => {
            const now = ctx.get();
            if (to !== null && now.run.epoch === state.run.epoch && now.position.run === open && now.position.step === step) seek(to);
          },
          () => undefined,
        );
      });
      const end = (): void => {
        unsubscribe();
        if (stop === end) stop = null;
      };
      stop = end;
    },
  };
}
