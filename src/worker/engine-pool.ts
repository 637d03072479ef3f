/** Additional engines: they run the kernels of a long text that are not open, so that the result is there when the user chooses one. */

import type { TransferredRun } from "../engine/api/run/run-store.ts";
import type { Module } from "../engine/api/session.ts";
import type { Ahead, PipelineOptions } from "../engine/api/types.ts";

/** An additional engine, over the wire or, in tests, in the same process. */
export interface PoolEngine {
  runFor(module: Module, kernel: string, options: PipelineOptions): Promise<TransferredRun | null>;
  end(): void;
}

/** Work for the pool. */
export interface PoolWork {
  readonly kernels: readonly string[];
  readonly options: PipelineOptions;
  /** A kernel and the functions that it calls. */
  give(kernel: string): Module | null;
  /** A kernel was run elsewhere; null: it could not be. */
  take(kernel: string, run: TransferredRun | null): void;
}

/** At least one core is left for the page, and one for the engine. */
const SPARED = 2;
const MOST_ENGINES = 4;

export function poolSize(cores: number, kernels: number): number {
  return Math.max(1, Math.min(MOST_ENGINES, cores - SPARED, kernels));
}

export class EnginePool {
  private readonly startEngine: () => PoolEngine;
  private readonly cores: number;
  private engines: PoolEngine[] = [];
  private key: string | null = null;
  private done = 0;
  private of = 0;
  private waiting: ((ahead: Ahead | null) => void)[] = [];

  constructor(startEngine: () => PoolEngine, cores: number) {
    this.startEngine = startEngine;
    this.cores = cores;
  }

  /** Answers once the next kernel is done, or all are; null: the work was replaced, or there is none. `work` is called only if `key` is new. */
  ahead(key: string, work: () => PoolWork | null): Promise<Ahead | null> {
    if (this.key !== key) {
      this.stop();
      const begun = work();
      if (begun === null) return Promise.resolve(null);
      this.begin(key, begun);
    }
    if (this.done === this.of) return Promise.resolve({ done: this.done, of: this.of });
    return new Promise((resolve) => this.waiting.push(resolve));
  }

  /** Ends the current work: its result is no longer needed. */
  stop(): void {
    for (const engine of this.engines) engine.end();
    this.engines = [];
    this.key = null;
    this.tell(null);
  }

  private begin(key: string, { kernels, options, give, take }: PoolWork): void {
    this.key = key;
    this.done = 0;
    this.of = kernels.length;
    const left = [...kernels];
    const drain = async (engine: PoolEngine): Promise<void> => {
      for (let kernel = left.shift(); kernel !== undefined && this.key === key; kernel = left.shift()) {
        const module = give(kernel);
        // A kernel that crashes an additional engine is run again, and the crash reported, when the user chooses it.
        const run = module === null ? null : await engine.runFor(module, kernel, options).catch(() => null);
        if (this.key !== key || !this.engines.includes(engine)) return;
        take(kernel, run);
        this.done++;
        this.tell({ done: this.done, of: this.of });
      }
      engine.end();
      this.engines = this.engines.filter((one) => one !== engine);
    };
    this.engines = Array.from({ length: poolSize(this.cores, kernels.length) }, () => this.startEngine());
    for (const engine of this.engines) void drain(engine);
  }

  private tell(ahead: Ahead | null): void {
    const told = this.waiting;
    this.waiting = [];
    for (const resolve of told) resolve(ahead);
  }
}
