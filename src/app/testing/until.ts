/** Waits until a session is as a test expects it: by its store, not by a clock. */
import type { Session } from "../session/session.ts";
import type { SessionState } from "../session/state.ts";

/** Less than a test has, so that its failure says what did not come. */
const TOO_LONG = 50_000;

export async function until({ store }: Session, ready: (state: SessionState) => boolean): Promise<void> {
  if (ready(store.getState())) return;
  await new Promise<void>((resolve, reject) => {
    const guard = setTimeout(() => reject(new Error(`never: ${ready}; ${JSON.stringify(store.getState().notices)}`)), TOO_LONG);
    const stop = store.subscribe((state) => {
      if (!ready(state)) return;
      clearTimeout(guard);
      stop();
      resolve();
    });
  });
}
