/** The page's end of the wire: the contract with promises, the newest of overlapping requests only, and a fresh worker after a crash. */

import { type Endpoint, type Remote, releaseProxy, wrap } from "comlink";
import { messageOf } from "../base/errors.ts";
import type { EngineApi } from "./contract.ts";
import type { FirstAnswers } from "./first-answers.ts";
import { type Life, type Locks, watchLife } from "./life.ts";
import { isPacked, unpackDelta } from "./packed-view.ts";
import { type EngineHello, newEngineWorker, type SpawnedEngine } from "./spawn.ts";
import { type GivenText, textEdit } from "./text-edit.ts";

/** The contract over the wire: same calls, answers as promises. */
export type AsyncEngine = {
  readonly [K in keyof EngineApi]: (...args: Parameters<EngineApi[K]>) => Promise<Awaited<ReturnType<EngineApi[K]>>>;
};

type Method = keyof EngineApi;

/** What is known of a crash: enough to try it again from a file. Plain data. */
export interface CrashReport {
  readonly reason: string;
  /** Method of the calls that were under way, and the last text and options given. */
  readonly during: readonly string[];
  readonly open: readonly [...Parameters<EngineApi["open"]>, kernel?: string | null] | null;
  readonly run: Parameters<EngineApi["run"]> | null;
  /** True when the text and the run were given to the fresh worker; false when they ended that one, too. */
  readonly restored: boolean;
  /** The restart asked for the run to be left out. */
  readonly runDropped: boolean;
}

export interface EngineClient {
  readonly api: AsyncEngine;
  /** Calls back after each crash, once a fresh engine is ready. Returns a function that stops it. */
  onRestart(listener: (reason: string, report: CrashReport) => void): () => void;
  /** Calls back when the engine could not be loaded and is not tried again by itself. Returns a function that stops it. */
  onUnavailable(listener: (reason: string) => void): () => void;
  /** Ends the engine and starts a fresh one, also after it was given up. Calls under way are rejected with `EngineRestarted`. */
  restart(reason: string, options?: RestartOptions): void;
  /** Ends the engine for good. */
  dispose(): void;
}

export interface RestartOptions {
  /** Address of the engine's script from now on; null: the page's own engine. Left out: as before. */
  readonly script?: string | null;
  /** What the fresh engine is given by itself: what took too long would take as long again. Default "run": the text and the run. */
  readonly replay?: "run" | "text" | "nothing";
}

/** A call was under way when the engine ended; a fresh engine stands behind the same client, or will in a moment. */
export class EngineRestarted extends Error {
  override readonly name = "EngineRestarted";
}

/** The engine could not be loaded, and no other try is made by itself. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}

/** Waits before another try after an engine ended that was never heard of: it could not be loaded. Then it is given up. */
const RETRY_MS = [300, 1500, 5000];

/** A worker, as far as the client uses it. */
export interface WorkerLike extends Endpoint {
  terminate(): void;
}

/** The engine in a worker of its own: the one that was started before, and after a crash another. `known`: answers that need not wait for it. */
export function startEngine(early: SpawnedEngine, known: FirstAnswers | null = null): EngineClient {
  let first: SpawnedEngine | null = early;
  return connectEngine(
    (script) => {
      const early = script === null && first?.failed === false ? first : null;
      const { worker, hello } = early ?? { worker: newEngineWorker(script), hello: null };
      first = null;
      return { worker, hello };
    },
    // Not in every context, whatever the type says.
    { locks: (navigator.locks as LockManager | undefined) ?? null, known },
  );
}

/** The methods of the contract, each once; the type refuses a list that misses one. */
export const METHODS: Readonly<Record<Method, true>> = {
  version: true,
  open: true,
  openFirst: true,
  openEdited: true,
  openMore: true,
  printed: true,
  sourceAt: true,
  run: true,
  ahead: true,
  ownAsk: true,
  lendOwn: true,
  ownProgram: true,
  ownCompared: true,
  trace: true,
  events: true,
  view: true,
  find: true,
  breakpointTicks: true,
  checkCondition: true,
  watch: true,
  checkWatch: true,
  orderBreaks: true,
  checkKnob: true,
  history: true,
  lineChanges: true,
  graph: true,
  analyses: true,
  text: true,
  exec: true,
  brilAt: true,
  align: true,
  exportAs: true,
  switches: true,
  reducibility: true,
  phiFree: true,
  registerLife: true,
  gvnModes: true,
  publish: true,
  compareFutures: true,
  futureText: true,
  light: true,
  bisect: true,
  rung: true,
  conditions: true,
  searchNeed: true,
  checkEdit: true,
  waysIn: true,
  phases: true,
  knobs: true,
  opcodes: true,
  handbook: true,
  rules: true,
};

export interface ConnectOptions {
  /** Null: an end that no event tells is not noticed. */
  readonly locks?: Locks | null;
  readonly retryMs?: readonly number[];
  /** Of the first engine. */
  readonly known?: FirstAnswers | null;
}

/** A worker, and what it said before the client had it. */
export interface Spawned {
  readonly worker: WorkerLike;
  readonly hello: EngineHello | null;
}

/** Makes a worker of the engine's script at an address; null: of the page's own. */
type Spawn = (script: string | null) => Spawned;

/** As `startEngine`, with a given way to make workers. */
export function connectEngine(spawn: Spawn, options: ConnectOptions = {}): EngineClient {
  return new Client(spawn, options);
}

interface Pending {
  readonly method: Method;
  readonly reject: (error: Error) => void;
}

/** The newest request of a kind that waits while an older one is under way. */
interface Waiting {
  readonly args: readonly unknown[];
  readonly settle: ((answer: Promise<unknown>) => void)[];
}

/** A text that was given to the engine, and how. */
type Opening =
  | { readonly method: "open"; readonly args: Parameters<EngineApi["open"]> }
  | { readonly method: "openFirst"; readonly args: Parameters<EngineApi["openFirst"]> };

interface Connection {
  readonly worker: WorkerLike;
  readonly remote: Remote<EngineApi>;
  readonly life: Life;
  /** The text that it was given last; null: none yet. */
  given: GivenText | null;
}

class Client implements EngineClient {
  readonly api: AsyncEngine;
  private readonly spawn: Spawn;
  private script: string | null = null;
  private readonly locks: Locks | null;
  private readonly retryMs: readonly number[];
  private known: FirstAnswers | null;
  /** The reason while there is none: waiting for another try, given up, closed. */
  private connection: Connection | EngineRestarted | EngineUnavailable;
  private readonly pending = new Set<Pending>();
  private readonly restarted = new Set<(reason: string, report: CrashReport) => void>();
  private readonly unavailable = new Set<(reason: string) => void>();
  private readonly busy = new Set<Method>();
  private readonly waiting = new Map<Method, Waiting>();
  private lastOpen: Opening | null = null;
  private lastRun: Parameters<EngineApi["run"]> | null = null;
  private restoring = false;
  private disposed = false;
  /** Engines in a row that ended before they were heard of. */
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(spawn: Spawn, { locks = null, retryMs = RETRY_MS, known = null }: ConnectOptions) {
    this.spawn = spawn;
    this.locks = locks;
    this.retryMs = retryMs;
    this.known = known;
    this.connection = this.connect();
    const calls = Object.keys(METHODS).map((method) => [method, (...args: unknown[]) => this.call(method as Method, args)]);
    this.api = Object.fromEntries(calls) as AsyncEngine;
  }

  onRestart(listener: (reason: string, report: CrashReport) => void): () => void {
    this.restarted.add(listener);
    return () => this.restarted.delete(listener);
  }

  onUnavailable(listener: (reason: string) => void): () => void {
    this.unavailable.add(listener);
    return () => this.unavailable.delete(listener);
  }

  restart(reason: string, { replay = "run", script = this.script }: RestartOptions = {}): void {
    if (this.disposed) return;
    this.script = script;
    this.failures = 0;
    const dropped = replay !== "run";
    if (dropped) this.lastRun = null;
    if (replay === "nothing") this.lastOpen = null;
    this.renew(reason, 0, true, dropped);
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.end(new EngineRestarted("the engine was closed"));
    this.restarted.clear();
    this.unavailable.clear();
  }

  /** The engine ended by itself. */
  private lost(reason: string, started: boolean): void {
    this.failures = started ? 0 : this.failures + 1;
    // What ends the fresh worker, too, is not given to a third one. One that could not be loaded was given nothing.
    const replay = !(started && this.restoring);
    if (!replay) this.lastRun = null;
    const wait = started ? 0 : this.retryMs[this.failures - 1];
    if (wait !== undefined) {
      this.renew(reason, wait, replay, false);
      return;
    }
    this.end(new EngineUnavailable(reason));
    this.giveUp(reason);
  }

  private giveUp(reason: string): void {
    for (const listener of this.unavailable) listener(reason);
  }

  /** Ends what there is and starts another; the listeners hear of it once that one has taken the work, or at once if it is not given it. */
  private renew(reason: string, wait: number, replay: boolean, runDropped: boolean): void {
    const during = [...this.pending].map(({ method }) => method);
    this.end(new EngineRestarted(reason));
    const start = (): void => {
      this.connection = this.connect();
      if (this.connection instanceof Error) {
        this.giveUp(this.connection.message);
        return;
      }
      const { lastOpen: open, lastRun: run } = this;
      const report = (restored: boolean): void => {
        for (const listener of this.restarted) listener(reason, { reason, during, open: open?.args ?? null, run, restored, runDropped });
      };
      if (!replay) {
        report(false);
        return;
      }
      this.restoring = true;
      this.restore(open, run).then(
        () => {
          this.restoring = false;
          report(true);
        },
        // The fresh worker ended: `lost` ran again and tells the listeners.
        (error: unknown) => {
          if (error instanceof EngineRestarted || error instanceof EngineUnavailable) return;
          this.restoring = false;
          report(false);
        },
      );
    };
    if (wait === 0) start();
    else this.retry = setTimeout(start, wait);
  }

  private async restore(open: Opening | null, run: Parameters<EngineApi["run"]> | null): Promise<void> {
    if (open === null) await this.send("version", []);
    else await this.send(open.method, open.args);
    if (open !== null && run !== null) await this.send("run", run);
  }

  private connect(): Connection | EngineUnavailable {
    let spawned: Spawned;
    try {
      spawned = this.spawn(this.script);
    } catch (error) {
      return new EngineUnavailable(messageOf(error));
    }
    const { worker, hello } = spawned;
    const life = watchLife(worker, hello, this.locks, (reason) => this.lost(reason, life.started));
    return { worker, remote: wrap<EngineApi>(worker), life, given: null };
  }

  private end(error: EngineRestarted | EngineUnavailable): void {
    clearTimeout(this.retry);
    this.known = null;
    this.restoring = false;
    if (!(this.connection instanceof Error)) {
      this.connection.life.leave();
      this.connection.worker.terminate();
      this.connection.remote[releaseProxy]();
    }
    this.connection = error;
    const lost = [...this.pending];
    this.pending.clear();
    this.busy.clear();
    const unsent = [...this.waiting.values()];
    this.waiting.clear();
    for (const { reject } of lost) reject(error);
    for (const { settle } of unsent) for (const done of settle) done(Promise.reject(error));
  }

  /** Of texts and of runs, only the newest request is sent once the one under way has answered; the others get its answer. */
  private call(method: Method, args: readonly unknown[]): Promise<unknown> {
    if (method === "open") this.lastOpen = { method, args: args as Parameters<EngineApi["open"]> };
    if (method === "openFirst") this.lastOpen = { method, args: args as Parameters<EngineApi["openFirst"]> };
    if (method === "run") this.lastRun = args as Parameters<EngineApi["run"]>;
    if (method !== "open" && method !== "openFirst" && method !== "run") return this.send(method, args);
    if (!this.busy.has(method)) return this.sendAlone(method, args);
    return new Promise((resolve) => {
      const settle = this.waiting.get(method)?.settle ?? [];
      this.waiting.set(method, { args, settle: [...settle, resolve] });
    });
  }

  private sendAlone(method: Method, args: readonly unknown[]): Promise<unknown> {
    this.busy.add(method);
    const { connection } = this;
    const answer = this.send(method, args);
    const next = (): void => {
      if (connection !== this.connection) return;
      this.busy.delete(method);
      const waiting = this.waiting.get(method);
      this.waiting.delete(method);
      if (waiting === undefined) return;
      const later = this.sendAlone(method, waiting.args);
      for (const done of waiting.settle) done(later);
    };
    answer.then(next, next);
    return answer;
  }

  private send(method: Method, args: readonly unknown[]): Promise<unknown> {
    const { connection } = this;
    if (connection instanceof Error) return Promise.reject(connection);
    return new Promise((resolve, reject) => {
      const pending: Pending = { method, reject };
      this.pending.add(pending);
      const known = this.known?.take(method, args) ?? null;
      // The engine is asked as well, and what it says is the same.
      if (known !== null) resolve(known.answer);
      this.ask(connection, method, args).then(
        (answer) => {
          this.pending.delete(pending);
          resolve(answer);
        },
        (error: unknown) => {
          this.pending.delete(pending);
          reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  private ask(connection: Connection, method: Method, args: readonly unknown[]): Promise<unknown> {
    const { given } = connection;
    const remote = connection.remote[method] as unknown as (...args: readonly unknown[]) => Promise<unknown>;
    if (method === "openFirst") return this.askFirst(connection, given, args as Parameters<EngineApi["openFirst"]>);
    if (method === "open") {
      const [revision, text] = args as Parameters<EngineApi["open"]>;
      connection.given = { revision, text };
    }
    const answer = remote(...args);
    return method === "view" ? answer.then((delta) => (isPacked(delta) ? unpackDelta(delta) : delta)) : answer;
  }

  /** As an edit of the text given before, where that is short and the engine knows of edits. */
  private async askFirst(connection: Connection, before: GivenText | null, args: Parameters<EngineApi["openFirst"]>): Promise<unknown> {
    const { remote } = connection;
    const [revision, text, format, kernel] = args;
    const edit = before === null || this.script !== null ? null : textEdit(before, text);
    connection.given = { revision, text };
    const answer = edit === null ? null : await remote.openEdited(revision, edit, format, kernel);
    if (answer !== null) return answer;
    connection.given = { revision, text };
    return remote.openFirst(...args);
  }
}
