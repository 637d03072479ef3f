import { expect, test } from "vitest";
import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import { EngineSession } from "../engine/api/session.ts";
import type { PipelineOptions } from "../engine/api/types.ts";
import { manyKernels } from "../engine/import/ptx/testing/many-kernels.ts";
import { EnginePool, type PoolEngine, type PoolWork, poolSize } from "./engine-pool.ts";

const TEXT = manyKernels(6, 42);
const OPTIONS: PipelineOptions = { ...DEFAULT_PIPELINE, phases: ["general-optimize-early", "analyze-control-flow", "gvn-cse"] };

/** An engine in this thread that copies messages as a wire does. */
function localEngine(ended: string[] = []): PoolEngine {
  const engine = new EngineSession();
  return {
    runFor: async (module, kernel, options) => structuredClone(engine.runFor(structuredClone(module), kernel, structuredClone(options))),
    end: () => void ended.push("ended"),
  };
}

function read(): EngineSession {
  const session = new EngineSession();
  const { revision, left } = session.openFirst(1, TEXT, null, null);
  for (let more = left; more > 0; ) more = session.openMore(revision)?.left ?? 0;
  session.run(1, "k0", OPTIONS);
  return session;
}

const workOf = (session: EngineSession, options = OPTIONS): PoolWork => ({
  kernels: session.others(1, options),
  options,
  give: (kernel) => session.alone(kernel),
  take: (kernel, run) => {
    if (run !== null) session.adoptRun(kernel, options, run);
  },
});

async function all(pool: EnginePool, key: string, work: () => PoolWork | null): Promise<readonly number[]> {
  const done: number[] = [];
  for (let at = await pool.ahead(key, work); at !== null; at = await pool.ahead(key, work)) {
    done.push(at.done);
    if (at.done === at.of) break;
  }
  return done;
}

test("kernels that were run elsewhere are what they would be here: results, programs and the steps of each phase", async () => {
  const [session, alone] = [read(), read()];
  expect(session.others(1, OPTIONS)).toEqual(["k1", "k2", "k3", "k4", "k5"]);
  const ended: string[] = [];
  const pool = new EnginePool(() => localEngine(ended), 4);
  const done = await all(pool, "a", () => workOf(session));
  expect([done[0], done.at(-1)]).toEqual([1, 5]);
  expect(done).toEqual(done.toSorted());
  expect(session.others(1, OPTIONS)).toEqual([]);
  expect(ended).toEqual(["ended", "ended"]);
  for (const kernel of ["k3", "k5"]) {
    const result = session.run(1, kernel, OPTIONS);
    expect(result).toEqual(alone.run(1, kernel, OPTIONS));
    for (const { run } of result.phases) {
      expect(session.trace(run)).toEqual(alone.trace(run));
      expect(session.events(run, 0, 300)).toEqual(alone.events(run, 0, 300));
      expect(session.view(run, 5, null)).toEqual(alone.view(run, 5, null));
      expect(session.text({ run, step: null })).toEqual(alone.text({ run, step: null }));
    }
  }
});

test("another question ends what is under way, and nothing of it is taken any more", async () => {
  const session = read();
  const ended: string[] = [];
  const taken: string[] = [];
  const pool = new EnginePool(() => localEngine(ended), 3);
  const noted = (): PoolWork => ({ ...workOf(session), take: (kernel) => void taken.push(kernel) });
  const first = pool.ahead("a", noted);
  const second = pool.ahead("b", () => null);
  expect([await first, await second]).toEqual([null, null]);
  expect(ended).toEqual(["ended"]);
  await new Promise((resolve) => setTimeout(resolve, 0));
  expect(taken).toEqual([]);
});

test("a kernel that ends its engine is counted and left to be run when it is chosen", async () => {
  const session = read();
  const pool = new EnginePool(() => ({ ...localEngine(), runFor: () => Promise.reject(new Error("out of memory")) }), 3);
  expect(await all(pool, "a", () => workOf(session))).toEqual([1, 2, 3, 4, 5]);
  expect(session.others(1, OPTIONS)).toHaveLength(5);
});

test("a short text, a text that is not the last one, and one in which a kernel is wrong", () => {
  const session = new EngineSession();
  session.openFirst(1, manyKernels(2, 1), null, null);
  expect(session.others(1, OPTIONS)).toEqual([]);
  expect(read().others(2, OPTIONS)).toEqual([]);
  session.openFirst(2, TEXT.replace("add.s32 %r5, %r4, 3;", "add.s32 %r5, ;"), null, null);
  while ((session.openMore(2)?.left ?? 0) > 0);
  expect(session.others(2, OPTIONS)).toEqual(["k0", "k1", "k2", "k4", "k5"]);
});

test("a core is left to the page and one to the engine", () => {
  expect([1, 2, 3, 4, 8, 64].map((cores) => poolSize(cores, 20))).toEqual([1, 1, 1, 2, 4, 4]);
  expect(poolSize(16, 2)).toBe(2);
});
