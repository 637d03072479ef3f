/** The worker: one engine session behind the wire. The only place that exposes it. */

import { expose, transfer } from "comlink";
import type { BrilSupport } from "../engine/api/bril-support.ts";
import { recogniseFormat } from "../engine/api/recognise.ts";
import type { OpenResult, PipelineOptions, RunResult, SourceFormat } from "../engine/api/types.ts";
import type { EngineApi } from "./contract.ts";
import type { EngineHello } from "./spawn.ts";
import { WorkSession } from "./work-session.ts";

const session = new WorkSession({ now: () => performance.now() });

/** The contract, with answers that may have to wait: over the wire all of them do. */
type Waiting = {
  readonly [K in keyof EngineApi]: (...args: Parameters<EngineApi[K]>) => ReturnType<EngineApi[K]> | Promise<ReturnType<EngineApi[K]>>;
};

let lending: Promise<void> | null = null;
let lent = false;

/** The part that reads Bril, loaded once; without it the text gets a message that says so. */
function lendBril(): Promise<void> {
  lending ??= import("../engine/api/bril.ts")
    .then(({ BRIL }: { readonly BRIL: BrilSupport }) => {
      session.lendBril(BRIL);
      lent = true;
    })
    .catch(() => {
      // The next Bril program tries again.
      lending = null;
    });
  return lending;
}

/** Columns of a trace are copies already: they move instead of being copied once more. */
const host: Waiting = Object.assign(session, {
  open(revision: number, text: string, format: SourceFormat | null): OpenResult | Promise<OpenResult> {
    const open = (): OpenResult => WorkSession.prototype.open.call(session, revision, text, format);
    return lent || (format ?? recogniseFormat(text)) !== "bril" ? open() : lendBril().then(open);
  },
  /** A run that was asked for while its text waits for the part that reads it waits as well. */
  run(revision: number, kernel: string, options: PipelineOptions): RunResult | Promise<RunResult> {
    const run = (): RunResult => WorkSession.prototype.run.call(session, revision, kernel, options);
    return lent || lending === null ? run() : lending.then(run);
  },
  trace(run: number, times?: number) {
    const info = WorkSession.prototype.trace.call(session, run, times);
    if (info === null) return null;
    return transfer(info, [info.kinds.buffer, info.depths.buffer, info.parents.buffer, info.lines.buffer, info.changes.buffer]);
  },
});

expose(host);
sayHello();

/** Takes a lock that only the end of this worker gives back: whoever waits for it hears of an end that no event tells. */
function sayHello(): void {
  const say = (lock: string | null): void => {
    const hello: EngineHello = { hello: "engine", lock };
    postMessage(hello);
  };
  // Not in every context, whatever the type says.
  const locks = navigator.locks as LockManager | undefined;
  if (locks === undefined) {
    say(null);
    return;
  }
  const name = `oriscope.engine.${Date.now()}.${Math.random()}`;
  const held = locks.request(name, () => {
    say(name);
    return new Promise<never>(() => {});
  });
  held.catch(() => say(null));
}
