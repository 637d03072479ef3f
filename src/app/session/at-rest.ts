/** When background work may be given to the engine. */

import type { ActionContext } from "./context.ts";
import type { SessionState } from "./state.ts";

/** Resolves when no result and no phase is being loaded. */
export async function atRest({ store }: ActionContext): Promise<void> {
  const rests = ({ run, position }: SessionState): boolean => !run.running && position.state !== "tracing";
  while (!rests(store.getState())) {
    await new Promise<void>((resolve) => {
      const stop = store.subscribe(() => {
        stop();
        resolve();
      });
    });
  }
}
