/** Running the pipeline, and its options. */

import type { ExecReport, PipelineOptions } from "../../../engine/api/types.ts";
import { checkVerdict } from "../../names/phase-status.ts";
import { messageOf } from "../../ui/failure.ts";
import type { ActionContext } from "../context.ts";
import type { Begun } from "../feature.ts";
import { createPump } from "../pump.ts";
import { selectKernel } from "../selectors.ts";
import type { SessionState } from "../state.ts";

export interface RunActions {
  request(): void;
  /** `also`: slices that change with them. */
  setOptions(part: Partial<PipelineOptions>, also?: Partial<SessionState>): void;
  setKernel(name: string): void;
  /** Sets or (null) clears one `NAME=V` assignment. */
  setKnob(name: string, value: string | null): void;
  /** Keeps the interpreter's last report, for views of it. */
  keepReport(report: ExecReport, where: string): void;
  /** Reads the tables that depend on the options alone. */
  refreshTables(): void;
  reset(): void;
}

/** `settle` is called with each new result, to find the user's place in it. */
export function runActions(ctx: ActionContext, settle: () => void, begun: readonly Begun[]): RunActions {
  /** Whether the latest check has been reported. */
  let toldOfCheck = true;
  const pump = createPump(
    async (wanted) => {
      const state = ctx.get();
      const kernel = selectKernel(state);
      // For the text that the engine read last: later typing belongs to the next result.
      const revision = state.document.good?.revision ?? 0;
      const { pipeline } = state.options;
      if (kernel === null) return;
      ctx.patch("run", { running: true });
      for (const one of begun) {
        const prepared = one.prepare?.(kernel.name, pipeline) ?? null;
        // If nothing has to be prepared, the request is made at once: after an `await` the page would draw first.
        if (prepared === null || (await prepared)) continue;
        if (wanted()) ctx.patch("run", { running: false });
        return;
      }
      if (!wanted()) return;
      const result = await ctx.api.run(revision, kernel.name, pipeline);
      if (!wanted()) return;
      for (const one of begun) one.arrived?.(result);
      const now = ctx.get();
      const current = now.document.revision === revision && now.options.pipeline === pipeline;
      ctx.patch("run", { result, running: false, stale: !current, error: null, epoch: now.run.epoch + 1, report: null });
      settle();
      if (!toldOfCheck && pipeline.check > 0) {
        toldOfCheck = true;
        const { ok, text } = checkVerdict(result.phases);
        ctx.notify(ok ? "info" : "warning", text);
      }
    },
    (error) => {
      ctx.patch("run", { running: false, error: messageOf(error), stale: true });
      ctx.report("The pipeline could not be run")(error);
    },
  );
  let tables = 0;
  const refreshTables = async () => {
    const mine = ++tables;
    const phases = await ctx.api.phases(ctx.get().options.pipeline);
    if (mine === tables) ctx.patch("engine", { phases });
  };
  const changed = () => {
    ctx.patch("run", { stale: ctx.get().run.result !== null });
    pump.request();
    refreshTables().catch(ctx.report("The phases could not be listed"));
  };
  const setOptions = (part: Partial<PipelineOptions>, also: Partial<SessionState> = {}) => {
    if (part.check !== undefined) toldOfCheck = part.check === 0;
    ctx.patchAll({ ...also, options: { pipeline: { ...ctx.get().options.pipeline, ...part } } });
    changed();
  };
  return {
    request: () => pump.request(),
    setOptions,
    setKernel(kernel) {
      ctx.patch("options", { kernel });
      pump.request();
    },
    setKnob(name, value) {
      const others = ctx.get().options.pipeline.knobs.filter((k) => k.slice(0, k.indexOf("=")) !== name);
      setOptions({ knobs: value === null ? others : [...others, `${name}=${value}`] });
    },
    keepReport: (report, where) => ctx.patch("run", { report: { report, where } }),
    refreshTables: () => {
      refreshTables().catch(ctx.report("The phases could not be listed"));
    },
    reset: () => pump.reset(),
  };
}
