/** The worker: one engine session behind the wire. The only place that exposes it. */

import { expose, releaseProxy, transfer, wrap } from "comlink";
import { formatOf } from "../engine/api/read-with.ts";
import type { Ahead, AlignReport, FirstResult, Moment, OpenResult, PipelineOptions, RunResult, SourceFormat } from "../engine/api/types.ts";
import { looksRecorded } from "../publish/looks-recorded.ts";
import type { Published, PublishRequest } from "../publish/publish.ts";
import type { EngineApi } from "./contract.ts";
import { Crew, type Hand } from "./crew.ts";
import { columnsOf, type PackedDelta, packDelta } from "./packed-view.ts";
import type { EngineHello } from "./spawn.ts";
import { edited, type GivenText, type TextEdit } from "./text-edit.ts";
import { WorkSession } from "./work-session.ts";

const session = new WorkSession({ now: () => performance.now() });

/** The contract, with answers that may have to wait: over the wire all of them do. States travel packed. */
type Waiting = {
  readonly [K in Exclude<keyof EngineApi, "view">]: (
    ...args: Parameters<EngineApi[K]>
  ) => ReturnType<EngineApi[K]> | Promise<ReturnType<EngineApi[K]>>;
} & { view(...args: Parameters<EngineApi["view"]>): PackedDelta };

/** Parts that most visits need one of at most: each a script of its own. */
const PARTS = {
  ptx: () => import("../engine/api/ptx.ts").then(({ PTX: ptx }) => session.lend({ ptx })),
  sass: () => import("../engine/api/sass.ts").then(({ SASS: sass }) => session.lend({ sass })),
  bril: () => import("../engine/api/bril.ts").then(({ BRIL: bril }) => session.lend({ bril })),
  futures: () => import("../engine/api/future-questions.ts").then(({ FUTURES }) => session.lendFutures(FUTURES)),
  recordings: () => import("./page-recordings.ts").then(({ RECORDINGS }) => session.lendRecordings(RECORDINGS)),
} as const satisfies Readonly<Record<string, () => Promise<void>>>;

type Part = keyof typeof PARTS;

const lent = new Set<Part>();
/** What is on its way: whatever comes meanwhile is answered after it, in the order in which it was asked. */
let coming: Promise<void> | null = null;

/** Answers once a part is there (null: none is needed); without it, when it could not be loaded, the session says so. */
function having<T>(part: Part | null, answer: () => T): T | Promise<T> {
  if (coming === null && (part === null || lent.has(part))) return answer();
  const before = coming ?? Promise.resolve();
  const loaded: Promise<void> = before
    .then(() => (part === null || lent.has(part) ? undefined : PARTS[part]().then(() => void lent.add(part))))
    // The next text of this kind tries again.
    .catch(() => undefined);
  coming = loaded;
  return loaded.then(() => {
    if (coming === loaded) coming = null;
    return answer();
  });
}

/** A question that waits for a part. */
function later<A extends unknown[], T>(part: Part, method: (this: WorkSession, ...args: A) => T): (...args: A) => T | Promise<T> {
  return (...args) => having(part, () => method.apply(session, args));
}

/** What reads a text besides the engine itself. */
function partFor(text: string, format: SourceFormat | null): Part | null {
  if (format === null && looksRecorded(text)) return "recordings";
  const known = formatOf(text, format);
  return known === "ori" ? null : known;
}

/** Another engine of this script. */
function hire(): Hand {
  const worker = new Worker(self.location.href, { type: "module" });
  const remote = wrap<WorkSession>(worker);
  let fail: (error: Error) => void = () => undefined;
  const ended = new Promise<never>((_, reject) => {
    fail = reject;
  });
  // Whoever waits hears of it; without anybody there is nothing to say.
  ended.catch(() => undefined);
  worker.addEventListener("error", ({ message }) => fail(new Error(message)));
  return {
    runFor: (module, kernel, options) => Promise.race([remote.runFor(module, kernel, options), ended]),
    end() {
      worker.terminate();
      remote[releaseProxy]();
      fail(new Error("it was stopped"));
    },
  };
}

const crew = new Crew(hire, navigator.hardwareConcurrency);

/** The text that was given last, whether it was read already or not: the next one may be told by what changed. */
let given: GivenText | null = null;

/** Columns of a trace and of a state are copies already: they move instead of being copied once more. */
const host: Waiting = Object.assign(session, {
  open(revision: number, text: string, format: SourceFormat | null): OpenResult | Promise<OpenResult> {
    crew.stop();
    given = { revision, text };
    return having(partFor(text, format), () => WorkSession.prototype.open.call(session, revision, text, format));
  },
  openFirst(revision: number, text: string, format: SourceFormat | null, kernel: string | null): FirstResult | Promise<FirstResult> {
    crew.stop();
    given = { revision, text };
    return having(partFor(text, format), () => WorkSession.prototype.openFirst.call(session, revision, text, format, kernel));
  },
  openEdited(
    revision: number,
    edit: TextEdit,
    format: SourceFormat | null,
    kernel: string | null,
  ): FirstResult | Promise<FirstResult> | null {
    const text = edited(given, edit);
    return text === null ? null : host.openFirst(revision, text, format, kernel);
  },
  run(revision: number, kernel: string, options: PipelineOptions): RunResult | Promise<RunResult> {
    return having(null, () => WorkSession.prototype.run.call(session, revision, kernel, options));
  },
  ahead(revision: number, options: PipelineOptions): Promise<Ahead | null> {
    return crew.ahead(JSON.stringify([revision, options]), () => {
      const kernels = session.others(revision, options);
      if (kernels.length === 0 || (options.own ?? null) !== null) return null;
      return {
        kernels,
        options,
        give: (kernel) => session.alone(kernel),
        take: (kernel, run) => {
          if (run !== null) session.borrow(kernel, options, run);
        },
      };
    });
  },
  align(moment: Moment, sassText: string, name: string | null = null): AlignReport | Promise<AlignReport> {
    return having("sass", () => WorkSession.prototype.align.call(session, moment, sassText, name));
  },
  async publish(request: PublishRequest): Promise<Published | null> {
    // What records a phase reads its states as they are, not packed for the wire.
    const unpacked: WorkSession = Object.create(session, { view: { value: WorkSession.prototype.view } });
    return having("recordings", () => WorkSession.prototype.publish.call(unpacked, request));
  },
  compareFutures: later("futures", WorkSession.prototype.compareFutures),
  futureText: later("futures", WorkSession.prototype.futureText),
  rung: later("futures", WorkSession.prototype.rung),
  light: later("futures", WorkSession.prototype.light),
  bisect: later("futures", WorkSession.prototype.bisect),
  conditions: later("futures", WorkSession.prototype.conditions),
  searchNeed: later("futures", WorkSession.prototype.searchNeed),
  checkEdit: later("futures", WorkSession.prototype.checkEdit),
  view(run: number, step: number, have: number | null): PackedDelta {
    const packed = packDelta(WorkSession.prototype.view.call(session, run, step, have));
    return transfer(packed, [...columnsOf(packed)]);
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
