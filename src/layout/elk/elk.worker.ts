/**
 * ELK's worker. Chromium compiles a worker's own script each time a worker starts, but caches the compiled code of a script that the worker
 * imports as it runs. So this script is short, and imports ELK, the largest script of a drawing.
 */
const early: MessageEvent[] = [];
const keep = (event: MessageEvent): void => void early.push(event);
self.addEventListener("message", keep);

import("./elk-script.ts").then(
  () => {
    self.removeEventListener("message", keep);
    // Messages that came meanwhile, as new events: one cannot be dispatched twice.
    for (const { data } of early) self.dispatchEvent(new MessageEvent("message", { data }));
  },
  // The owner gets an error event, as for a worker whose own script cannot be loaded.
  (reason: unknown) => self.reportError(reason),
);
