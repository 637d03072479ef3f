/** The worker: one engine session behind the wire. The only place that exposes it. */

import { expose, transfer } from "comlink";
import type { EngineApi } from "./contract.ts";
import { WorkSession } from "./work-session.ts";

const session = new WorkSession({ now: () => performance.now() });

/** Columns of a trace are copies already: they move instead of being copied once more. */
const host: EngineApi = Object.assign(session, {
  trace(run: number, times?: number) {
    const info = WorkSession.prototype.trace.call(session, run, times);
    if (info === null) return null;
    return transfer(info, [info.kinds.buffer, info.depths.buffer, info.parents.buffer, info.lines.buffer, info.changes.buffer]);
  },
});

expose(host);
