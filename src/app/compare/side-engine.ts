/** An engine for a side that is not the shown run: started when a comparison first needs it, ended with the comparison. */

import type { PipelineOptions, RunResult, SourceFormat } from "../../engine/api/types.ts";
import { connectEngine, type EngineClient } from "../../worker/client.ts";
import { newEngineWorker } from "../../worker/spawn.ts";
import type { AsyncEngine } from "../session/engine-port.ts";

/** What it runs: the same again is not run again. */
export interface SideProgram {
  readonly text: string;
  readonly format: SourceFormat | null;
  /** null: the first. */
  readonly kernel: string | null;
  readonly pipeline: PipelineOptions;
}

export interface SideEngine {
  /** Rejects with a sentence. */
  run(program: SideProgram): Promise<{ readonly api: AsyncEngine; readonly result: RunResult }>;
  end(): void;
}

export function sideEngine(): SideEngine {
  let client: EngineClient | null = null;
  let revision = 0;
  let last: { readonly key: string; readonly result: Promise<RunResult> } | null = null;
  return {
    run: async (program) => {
      client ??= connectEngine(() => ({ worker: newEngineWorker(), hello: null }), { retryMs: [] });
      const { api } = client;
      const key = JSON.stringify(program);
      if (last?.key !== key) last = { key, result: runOn(api, ++revision, program) };
      const mine = last;
      try {
        return { api, result: await mine.result };
      } catch (error) {
        if (last === mine) last = null;
        throw error;
      }
    },
    end() {
      client?.dispose();
      client = null;
      last = null;
    },
  };
}

async function runOn(api: AsyncEngine, revision: number, { text, format, kernel, pipeline }: SideProgram): Promise<RunResult> {
  const opened = await api.open(revision, text, format);
  const wanted = kernel ?? opened.kernels[0]?.name;
  if (!opened.ok || wanted === undefined || !opened.kernels.some(({ name }) => name === wanted)) {
    const problem = opened.diagnostics.find(({ severity }) => severity === "error");
    throw new Error(problem === undefined ? "it has no kernel to run" : `line ${problem.line}, ${problem.message}`);
  }
  return api.run(revision, wanted, pipeline);
}
