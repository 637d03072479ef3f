import { describe, expect, it } from "vitest";
import { createLayoutService, type LayoutRunner } from "./layout-service.ts";
import type { DrawAnswer, DrawCall } from "./messages.ts";
import { drawGraph } from "./plan.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { structuredCfg } from "./testing/random-cfg.ts";
import { createWorkerRunner, type LayoutWorker } from "./worker-runner.ts";

/** Draws when told to, in the order asked. */
function slowRunner(): { readonly runner: LayoutRunner; readonly calls: (() => void)[] } {
  const calls: (() => void)[] = [];
  return {
    calls,
    runner: {
      draw: (input, request) => new Promise((resolve) => calls.push(() => resolve(drawGraph(input, request)))),
      dispose: () => undefined,
    },
  };
}

describe("layout service", () => {
  it("draws small graphs at once, and from memory the second time", async () => {
    const { runner, calls } = slowRunner();
    const s = createLayoutService({ runner });
    const input = structuredCfg(1, 20);
    const first = await s.layout(input);
    if (first.status !== "done") throw new Error(first.status);
    expect(checkLayout(input, first.layout)).toEqual([]);
    expect(s.now({ ...input, edges: input.edges.map((e) => ({ ...e, label: "x" })) })).toBe(first.layout);
    expect(calls).toHaveLength(0);
  });

  it("has large graphs drawn elsewhere: the latest request wins, and the signal is obeyed", async () => {
    const { runner, calls } = slowRunner();
    const s = createLayoutService({ runner, runnerAbove: 10 });
    expect(s.now(structuredCfg(1, 20))).toBeNull();
    const first = s.layout(structuredCfg(1, 20));
    const stop = new AbortController();
    const second = s.layout(structuredCfg(2, 20), { signal: stop.signal });
    stop.abort();
    const third = s.layout(structuredCfg(3, 20));
    for (const call of calls) call();
    expect((await first).status).toBe("superseded");
    expect((await second).status).toBe("aborted");
    expect((await third).status).toBe("done");
    // What was drawn for nobody is remembered all the same.
    expect(s.now(structuredCfg(1, 20))).not.toBeNull();
  });

  it("draws large graphs as regions, says so, and opens them", async () => {
    const s = createLayoutService({ runner: null });
    const big = await s.layout(structuredCfg(1, 1500));
    if (big.status !== "done") throw new Error(big.status);
    expect(big.layout.simplified?.summary).toMatch(/^1,500 blocks as \d+ cards/);
    expect(big.layout.simplified?.reason).toMatch(
      /^1,500 blocks are more than 150: loops, branches and straight lines are drawn as regions \(\d+ cards\)\. Open one by its button, or by Enter\./,
    );
    const regions = [...new Set(big.layout.simplified!.shownAs.values())];
    const opened = await s.layout(structuredCfg(1, 1500), { opened: new Set(regions.slice(0, 1)) });
    if (opened.status !== "done") throw new Error(opened.status);
    expect([...opened.layout.simplified!.shownAs.values()]).not.toContain(regions[0]);
    expect(opened.layout.nodes.length).toBeGreaterThan(big.layout.nodes.length);
    expect(checkLayout(opened.layout.simplified!.graph, opened.layout)).toEqual([]);
    expect(checkLayout(big.layout.simplified!.graph, big.layout)).toEqual([]);
  });
});

describe("worker runner", () => {
  /** Workers that answer when told to. */
  function workers() {
    const made: { ended: boolean; readonly calls: DrawCall[]; answer: (call: DrawCall) => void }[] = [];
    const spawn = (): LayoutWorker => {
      let heard: (event: { data: DrawAnswer }) => void = () => undefined;
      const mine = {
        ended: false,
        calls: [] as DrawCall[],
        answer: ({ id, input, request }: DrawCall) => heard({ data: { id, layout: drawGraph(input, request), message: null } }),
      };
      made.push(mine);
      return {
        postMessage: (call) => mine.calls.push(call),
        addEventListener: (type: string, listener: ((event: { data: DrawAnswer }) => void) | (() => void)) => {
          if (type === "message") heard = listener;
        },
        terminate: () => {
          mine.ended = true;
        },
      };
    };
    return { made, spawn };
  }

  it("ends a drawing that takes long once nobody wants it, and goes on with the next in another worker", async () => {
    const { made, spawn } = workers();
    let clock = 0;
    const s = createLayoutService({ runner: createWorkerRunner(spawn, () => clock), runnerAbove: 0 });
    const stop = new AbortController();
    const first = s.layout(structuredCfg(1, 20), { signal: stop.signal });
    const second = s.layout(structuredCfg(2, 20));
    clock = 2_000;
    stop.abort();
    expect(await first).toEqual({ status: "aborted" });
    expect(made.map((w) => [w.ended, w.calls.length])).toEqual([
      [true, 2],
      [false, 1],
    ]);
    made[1]!.answer(made[1]!.calls[0]!);
    expect((await second).status).toBe("done");
  });

  it("lets a short drawing end by itself", async () => {
    const { made, spawn } = workers();
    const s = createLayoutService({ runner: createWorkerRunner(spawn, () => 0), runnerAbove: 0 });
    const stop = new AbortController();
    const first = s.layout(structuredCfg(1, 20), { signal: stop.signal });
    stop.abort();
    expect(await first).toEqual({ status: "aborted" });
    made[0]!.answer(made[0]!.calls[0]!);
    expect(made.map((w) => w.ended)).toEqual([false]);
  });

  it("does the work in place when the worker dies", async () => {
    const onError: (() => void)[] = [];
    const dead: LayoutWorker = {
      postMessage: () => onError.forEach((f) => void f()),
      addEventListener: (type: string, listener: ((event: { data: DrawAnswer }) => void) | (() => void)) => {
        if (type === "error") onError.push(listener as () => void);
      },
      terminate: () => undefined,
    };
    const s = createLayoutService({ runner: createWorkerRunner(() => dead), runnerAbove: 0 });
    const outcome = await s.layout(structuredCfg(1, 20));
    expect(outcome.status === "done" && outcome.layout.nodes.length).toBeGreaterThan(15);
  });
});
