/** Runs the other kernels of a long text in additional workers, so that each is ready when it is chosen. */

import { atRest } from "./at-rest.ts";
import type { ActionContext } from "./context.ts";
import { createPump } from "./pump.ts";

/** A user who types or changes a knob usually continues, so the other kernels start after a pause. */
const PAUSE_MS = 1_000;

export interface AheadRuns {
  /** The text was read to its end, or the options changed. */
  request(): void;
  reset(): void;
}

export function aheadRuns(ctx: ActionContext, pauseMs = PAUSE_MS): AheadRuns {
  const say = (ahead: { readonly done: number; readonly of: number } | null): void => {
    if (ctx.get().run.ahead !== ahead) ctx.patch("run", { ahead });
  };
  const pump = createPump(
    async (wanted) => {
      const { document, options } = ctx.get();
      const { pipeline } = options;
      const { revision } = document;
      const same = (): boolean => wanted() && ctx.get().document.revision === revision && ctx.get().options.pipeline === pipeline;
      await new Promise((resolve) => setTimeout(resolve, pauseMs));
      for (let left = 1; left > 0; ) {
        await atRest(ctx);
        if (!same()) break;
        // Not watched: the user does not wait for it, so there is nothing to stop.
        const ahead = await ctx.port.api.ahead(revision, pipeline);
        if (!same() || ahead === null) break;
        left = ahead.of - ahead.done;
        say(left > 0 ? ahead : null);
      }
      if (wanted()) say(null);
    },
    (error) => {
      say(null);
      ctx.report("The other kernels could not be run in advance; each runs when you choose it")(error);
    },
  );
  return {
    request() {
      const { document, engine } = ctx.get();
      const { good } = document;
      if (good === null || good !== document.open || good.left !== 0 || good.kernels.length < 2 || engine.chosen !== null) return;
      pump.request();
    },
    reset: () => {
      pump.reset();
      say(null);
    },
  };
}
