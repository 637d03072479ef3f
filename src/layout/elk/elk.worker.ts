/**
 * ELK's worker. A browser compiles a worker's own script anew for each worker that starts, and keeps what it compiled of a script that is
 * imported as the worker runs: at later visits ELK, by far the largest script of a drawing, is there in half of the time.
 */
const early: MessageEvent[] = [];
const keep = (event: MessageEvent): void => void early.push(event);
self.addEventListener("message", keep);

import("./elk-script.ts").then(
  () => {
    self.removeEventListener("message", keep);
    // What came meanwhile; an event cannot be dispatched twice.
    for (const { data } of early) self.dispatchEvent(new MessageEvent("message", { data }));
  },
  // Its owner hears of it, as of a worker's script that cannot be loaded.
  (reason: unknown) => self.reportError(reason),
);
