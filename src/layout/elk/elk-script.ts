/** ELK's own worker, unchanged, plus a message that it is alive. */
import "elkjs/lib/elk-worker.min.js";
import { holdLock } from "../alive.ts";

holdLock("layout").then((alive) => {
  if (alive !== null) self.postMessage(alive);
});
