/** The page's end of the wire: the contract with promises, the newest of overlapping requests only, and a fresh worker after a crash. */

import { type Endpoint, type Remote, releaseProxy, wrap } from "comlink";
import type { EngineApi } from "./contract.ts";
import { newEngineWorker, type SpawnedEngine } from "./spawn.ts";

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
  readonly open: Parameters<EngineApi["open"]> | null;
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
  /**
   * Ends the engine and starts a fresh one. Calls under way are rejected with `EngineRestarted`. `replayRun` false: the fresh engine
   * is given the text but not the run (one that took too long would take as long again).
   */
  restart(reason: string, options?: RestartOptions): void;
  /** Ends the engine for good. */
  dispose(): void;
}

export interface RestartOptions {
  /** Default true. */
  readonly replayRun?: boolean;
}

/** A call was under way when the engine ended; a fresh engine stands behind the same client. */
export class EngineRestarted extends Error {
  override readonly name = "EngineRestarted";
}

/** A worker, as far as the client uses it. */
export interface WorkerLike extends Endpoint {
  terminate(): void;
}

/** The engine in a worker of its own: the one that was started before, and after a crash another. */
export function startEngine(early: SpawnedEngine): EngineClient {
  let first: SpawnedEngine | null = early;
  return connectEngine(() => {
    const worker = first?.failed === false ? first.worker : newEngineWorker();
    first = null;
    return worker;
  });
}

/** The methods of the contract, each once; the type refuses a list that misses one. */
const METHODS: Readonly<Record<Method, true>> = {
  version: true,
  open: true,
  sourceAt: true,
  run: true,
  trace: true,
  events: true,
  view: true,
  find: true,
  breakpointTicks: true,
  checkCondition: true,
  history: true,
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
  phases: true,
  knobs: true,
  opcodes: true,
};

/** As `startEngine`, with a given way to make workers. */
export function connectEngine(spawn: () => WorkerLike): EngineClient {
  return new Client(spawn);
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

class Client implements EngineClient {
  readonly api: AsyncEngine;
  private readonly spawn: () => WorkerLike;
  private worker: WorkerLike;
  private remote: Remote<EngineApi>;
  private readonly pending = new Set<Pending>();
  private readonly listeners = new Set<(reason: string, report: CrashReport) => void>();
  private readonly busy = new Set<Method>();
  private readonly waiting = new Map<Method, Waiting>();
  private lastOpen: Parameters<EngineApi["open"]> | null = null;
  private lastRun: Parameters<EngineApi["run"]> | null = null;
  private restoring = false;
  private disposed = false;

  constructor(spawn: () => WorkerLike) {
    this.spawn = spawn;
    [this.worker, this.remote] = this.connect();
    const calls = Object.keys(METHODS).map((method) => [method, (...args: unknown[]) => this.call(method as Method, args)]);
    this.api = Object.fromEntries(calls) as AsyncEngine;
  }

  onRestart(listener: (reason: string, report: CrashReport) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  restart(reason: string, { replayRun = true }: RestartOptions = {}): void {
    if (this.disposed) return;
    const during = [...this.pending].map(({ method }) => method);
    this.end(reason);
    [this.worker, this.remote] = this.connect();
    // What ends the fresh worker, too, is not given to a third one.
    const again = !this.restoring;
    this.restoring = false;
    if (!replayRun) this.lastRun = null;
    const { lastOpen: open, lastRun: run } = this;
    const report = (restored: boolean): void => {
      for (const listener of this.listeners) listener(reason, { reason, during, open, run, restored, runDropped: !replayRun });
    };
    if (!again || open === null) {
      this.lastRun = null;
      report(false);
      return;
    }
    this.restoring = true;
    this.restore(open, run).then(
      () => {
        this.restoring = false;
        report(true);
      },
      // The fresh worker ended: `restart` ran again and told the listeners.
      (error: unknown) => {
        if (error instanceof EngineRestarted) return;
        this.restoring = false;
        report(false);
      },
    );
  }

  dispose(): void {
    if (this.disposed) return;
    this.disposed = true;
    this.end("the engine was closed");
    this.listeners.clear();
  }

  private async restore(open: Parameters<EngineApi["open"]>, run: Parameters<EngineApi["run"]> | null): Promise<void> {
    await this.send("open", open);
    if (run !== null) await this.send("run", run);
  }

  private connect(): [WorkerLike, Remote<EngineApi>] {
    const worker = this.spawn();
    const lost = (event: unknown): void => {
      if (worker === this.worker) this.restart(describe(event));
    };
    worker.addEventListener("error", lost as EventListener);
    worker.addEventListener("messageerror", lost as EventListener);
    return [worker, wrap<EngineApi>(worker)];
  }

  private end(reason: string): void {
    this.worker.terminate();
    this.remote[releaseProxy]();
    const lost = [...this.pending];
    this.pending.clear();
    this.busy.clear();
    const unsent = [...this.waiting.values()];
    this.waiting.clear();
    const error = new EngineRestarted(reason);
    for (const { reject } of lost) reject(error);
    for (const { settle } of unsent) for (const done of settle) done(Promise.reject(error));
  }

  /** Of `open` and `run`, only the newest request is sent once the one under way has answered; the others get its answer. */
  private call(method: Method, args: readonly unknown[]): Promise<unknown> {
    if (this.disposed) return Promise.reject(new EngineRestarted("the engine was closed"));
    if (method === "open") this.lastOpen = args as Parameters<EngineApi["open"]>;
    if (method === "run") this.lastRun = args as Parameters<EngineApi["run"]>;
    if (method !== "open" && method !== "run") return this.send(method, args);
    if (!this.busy.has(method)) return this.sendAlone(method, args);
    return new Promise((resolve) => {
      const settle = this.waiting.get(method)?.settle ?? [];
      this.waiting.set(method, { args, settle: [...settle, resolve] });
    });
  }

  private sendAlone(method: Method, args: readonly unknown[]): Promise<unknown> {
    this.busy.add(method);
    const { worker } = this;
    const answer = this.send(method, args);
    const next = (): void => {
      if (worker !== this.worker) return;
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
    const remote = this.remote[method] as unknown as (...args: readonly unknown[]) => Promise<unknown>;
    return new Promise((resolve, reject) => {
      const pending: Pending = { method, reject };
      this.pending.add(pending);
      remote(...args).then(
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
}

function describe(event: unknown): string {
  const message = typeof event === "object" && event !== null && "message" in event ? event.message : undefined;
  return typeof message === "string" && message !== "" ? message : "the engine's worker ended";
}
