/** ELK's own worker, unchanged, with a message that it lives. */
import "elkjs/lib/elk-worker.min.js";
import { holdLock } from "../alive.ts";

holdLock("layout").then((alive) => {
  if (alive !== null) self.postMessage(alive);
});
