/** Running the pipeline, and its options. */

import type { ExecReport, PipelineOptions } from "../../../engine/api/types.ts";
import { type FutureTree, interventionsOf } from "../../futures/tree.ts";
import { checkVerdict } from "../../names/phase-status.ts";
import type { OwnPassRuns } from "../../ownpass/actions.ts";
import { messageOf } from "../../ui/failure.ts";
import type { ActionContext } from "../context.ts";
import { createPump } from "../pump.ts";
import { selectKernel } from "../selectors.ts";

export interface RunActions {
  request(): void;
  setOptions(part: Partial<PipelineOptions>): void;
  setKernel(name: string): void;
  /** Another tree of futures; runs the open one where that is another. */
  setFutures(futures: FutureTree): void;
  /** Sets or (null) clears one `NAME=V` assignment. */
  setKnob(name: string, value: string | null): void;
  /** Keeps the interpreter's last report, for views of it. */
  keepReport(report: ExecReport, where: string): void;
  /** Reads the tables that depend on the options alone. */
  refreshTables(): void;
  reset(): void;
}

/** `settle` is called with each new result, to find the place in it where the person was. */
export function runActions(ctx: ActionContext, settle: () => void, ownpass: OwnPassRuns): RunActions {
  /** Whether the check that was asked for last has been reported. */
  let toldOfCheck = true;
  const pump = createPump(
    async (wanted) => {
      const state = ctx.get();
      const kernel = selectKernel(state);
      // Of the text that the engine read last: what was typed since belongs to the next result.
      const revision = state.document.good?.revision ?? 0;
      const { pipeline } = state.options;
      if (kernel === null) return;
      ctx.patch("run", { running: true });
      // Without a pass of one's own the engine is asked at once: a turn of waiting would let the page draw first.
      if ((pipeline.own ?? null) !== null && !(await ownpass.prepare(kernel.name, pipeline))) {
        if (wanted()) ctx.patch("run", { running: false });
        return;
      }
      if (!wanted()) return;
      const result = await ctx.api.run(revision, kernel.name, pipeline);
      if (!wanted()) return;
      ownpass.arrive(result.phases);
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
  const setOptions = (part: Partial<PipelineOptions>) => {
    if (part.check !== undefined) toldOfCheck = part.check === 0;
    ctx.patch("options", { pipeline: { ...ctx.get().options.pipeline, ...part } });
    changed();
  };
  return {
    request: () => pump.request(),
    setOptions,
    setFutures(futures) {
      const { pipeline } = ctx.get().options;
      const interventions = interventionsOf(futures);
      if (JSON.stringify(interventions) === JSON.stringify(pipeline.interventions ?? [])) {
        ctx.patch("options", { futures });
        return;
      }
      ctx.patch("options", { futures, pipeline: { ...pipeline, interventions } });
      changed();
    },
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
