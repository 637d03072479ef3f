/** The page's end of the wire: the contract with promises, the newest of overlapping requests only, and a fresh worker after a crash. */

import { type Endpoint, type Remote, releaseProxy, wrap } from "comlink";
import { messageOf } from "../base/errors.ts";
import type { Locks } from "../layout/alive.ts";
import type { FirstAnswers } from "./first-answers.ts";
import { type Life, watchLife } from "./life.ts";
import { isPacked, unpackDelta } from "./packed-view.ts";
import type { Row } from "./question.ts";
import { type AsyncEngine, everyQuestion, HELLO, type QuestionName, rowOf } from "./questions.ts";
import { type EngineHello, newEngineWorker, type SpawnedEngine } from "./spawn.ts";
import { type GivenText, textEdit } from "./text-edit.ts";

/** What is known about a crash: enough to reproduce it from a file. Plain data. */
export interface CrashReport {
  readonly reason: string;
  /** The open questions, and the last text and options given. */
  readonly during: readonly QuestionName[];
  readonly open: readonly unknown[] | null;
  readonly run: readonly unknown[] | null;
  /** True if the text and the run were given to the fresh worker; false if they ended that one, too. */
  readonly restored: boolean;
  /** The restart was requested without the run. */
  readonly runDropped: boolean;
}

export interface EngineClient {
  readonly api: AsyncEngine;
  /** Calls back after each crash, once a fresh engine is ready. Returns a function that stops it. */
  onRestart(listener: (reason: string, report: CrashReport) => void): () => void;
  /** Calls back when the engine could not be loaded and is not retried automatically. Returns a function that stops it. */
  onUnavailable(listener: (reason: string) => void): () => void;
  /** Ends the engine and starts a fresh one, even after it was given up. Pending calls are rejected with `EngineRestarted`. */
  restart(reason: string, options?: RestartOptions): void;
  /** Ends the engine for good. */
  dispose(): void;
}

export interface RestartOptions {
  /** Address of the engine's script from now on; null: the page's own engine. The default keeps the current one. */
  readonly script?: string | null;
  /** What the fresh engine is given automatically: what took too long would take as long again. Default "run": the text and the run. */
  readonly replay?: "run" | "text" | "nothing";
}

/** A call was pending when the engine ended; the same client has a fresh engine, or is starting one. */
export class EngineRestarted extends Error {
  override readonly name = "EngineRestarted";
}

/** The engine could not be loaded, and is not retried automatically. */
export class EngineUnavailable extends Error {
  override readonly name = "EngineUnavailable";
}

/** Delays before the retries after an engine ended without a message, that is, could not be loaded. After the last one it is given up. */
const RETRY_MS = [300, 1500, 5000];

/** A worker, as far as the client uses it. */
export interface WorkerLike extends Endpoint {
  terminate(): void;
}

/** The engine in its own worker: the one that was started before, and after a crash a new one. `known`: answers that need not wait for it. */
export function startEngine(early: SpawnedEngine, known: FirstAnswers | null = null): EngineClient {
  let first: SpawnedEngine | null = early;
  return connectEngine(
    (script) => {
      const ready = script === null && first?.failed === false ? first : null;
      const { worker, hello } = ready ?? { worker: newEngineWorker(script), hello: null };
      first = null;
      return { worker, hello };
    },
    // Not in every context, whatever the type says.
    { locks: (navigator.locks as LockManager | undefined) ?? null, known },
  );
}

export interface ConnectOptions {
  /** Null: an end without an event is not noticed. */
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

/** Makes a worker from the engine's script at an address; null: from the page's own. */
type Spawn = (script: string | null) => Spawned;

/** As `startEngine`, with a given function that makes workers. */
export function connectEngine(spawn: Spawn, options: ConnectOptions = {}): EngineClient {
  return new Client(spawn, options);
}

interface Pending {
  readonly method: QuestionName;
  readonly reject: (error: Error) => void;
}

/** The newest request of a kind that waits while an older one is under way. */
interface Waiting {
  readonly args: readonly unknown[];
  readonly settle: ((answer: Promise<unknown>) => void)[];
}

/** What sets a text or a run. */
interface Asked {
  readonly method: QuestionName;
  readonly row: Row;
  readonly args: readonly unknown[];
}

interface Connection {
  readonly worker: WorkerLike;
  readonly remote: Remote<object>;
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
  /** The reason while there is none: waiting for a retry, given up, closed. */
  private connection: Connection | EngineRestarted | EngineUnavailable;
  private readonly pending = new Set<Pending>();
  private readonly restarted = new Set<(reason: string, report: CrashReport) => void>();
  private readonly unavailable = new Set<(reason: string) => void>();
  private readonly busy = new Set<QuestionName>();
  private readonly waiting = new Map<QuestionName, Waiting>();
  private lastOpen: Asked | null = null;
  private lastRun: Asked | null = null;
  private restoring = false;
  private disposed = false;
  /** The number of consecutive engines that ended before their first message. */
  private failures = 0;
  private retry: ReturnType<typeof setTimeout> | undefined;

  constructor(spawn: Spawn, { locks = null, retryMs = RETRY_MS, known = null }: ConnectOptions) {
    this.spawn = spawn;
    this.locks = locks;
    this.retryMs = retryMs;
    this.known = known;
    this.connection = this.connect();
    this.api = everyQuestion(
      (method, row) =>
        (...args) =>
          this.call({ method, row, args }),
    );
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
    // What also ends the fresh worker is not given to a third one. One that could not be loaded was given nothing.
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

  /** Ends the engine and starts a new one; the listeners are notified once that one has the work, or immediately if it is not given any. */
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
        for (const listener of this.restarted)
          listener(reason, { reason, during, open: open?.args ?? null, run: run?.args ?? null, restored, runDropped });
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
        // The fresh worker ended: `lost` ran again and notifies the listeners.
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

  private async restore(open: Asked | null, run: Asked | null): Promise<void> {
    await this.send(open ?? { method: HELLO, row: rowOf(HELLO), args: [] });
    if (open !== null && run !== null) await this.send(run);
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
    return { worker, remote: wrap(worker), life, given: null };
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

  /** Of texts and of runs, only the newest request is sent once the current one is answered; the others get its answer. */
  private call(asked: Asked): Promise<unknown> {
    const { method, row, args } = asked;
    if (row.sets === "text") this.lastOpen = asked;
    else if (row.sets === "run") this.lastRun = asked;
    else return this.send(asked);
    if (!this.busy.has(method)) return this.sendAlone(asked);
    return new Promise((resolve) => {
      const settle = this.waiting.get(method)?.settle ?? [];
      this.waiting.set(method, { args, settle: [...settle, resolve] });
    });
  }

  private sendAlone(asked: Asked): Promise<unknown> {
    const { method } = asked;
    this.busy.add(method);
    const { connection } = this;
    const answer = this.send(asked);
    const next = (): void => {
      if (connection !== this.connection) return;
      this.busy.delete(method);
      const waiting = this.waiting.get(method);
      this.waiting.delete(method);
      if (waiting === undefined) return;
      const later = this.sendAlone({ ...asked, args: waiting.args });
      for (const done of waiting.settle) done(later);
    };
    answer.then(next, next);
    return answer;
  }

  private send(asked: Asked): Promise<unknown> {
    const { connection } = this;
    if (connection instanceof Error) return Promise.reject(connection);
    const { method, args } = asked;
    return new Promise((resolve, reject) => {
      const pending: Pending = { method, reject };
      this.pending.add(pending);
      const known = this.known?.take(method, args) ?? null;
      // The request is still sent to the engine; its answer is the same.
      if (known !== null) resolve(known.answer);
      this.ask(connection, asked)
        .finally(() => this.pending.delete(pending))
        .then(resolve, (error: unknown) => reject(error instanceof Error ? error : new Error(String(error))));
    });
  }

  private async ask(connection: Connection, { method, row, args }: Asked): Promise<unknown> {
    const { remote, given } = connection;
    const call = (name: string, ...sent: readonly unknown[]): Promise<unknown> => Reflect.apply(Reflect.get(remote, name), remote, sent);
    if (row.sets !== "text") {
      const sent = await call(method, ...args);
      // An older engine does not pack.
      return row.travels === "packed" && isPacked(sent) ? unpackDelta(sent) : sent;
    }
    const [revision, text, ...rest] = args as [revision: number, text: string, ...rest: unknown[]];
    // As an edit of the previous text, if that is short and the engine supports edits.
    const { byEdit } = row;
    const edit = byEdit === undefined || given === null || this.script !== null ? null : textEdit(given, text);
    connection.given = { revision, text };
    const answer = byEdit === undefined || edit === null ? null : await call(byEdit, revision, edit, ...rest);
    return answer ?? call(method, ...args);
  }
}
