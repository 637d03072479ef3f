import { describe, expect, it } from "vitest";
import type { Alive, Locks } from "./alive.ts";
import { nodeElk } from "./elk/node.ts";
import { createLayoutService, type LayoutRunner, layoutKey } from "./layout-service.ts";
import type { DrawAnswer, DrawCall, WarmCall } from "./messages.ts";
import { drawGraph } from "./plan.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { drawn } from "./testing/draw.ts";
import { structuredCfg } from "./testing/random-cfg.ts";
import type { GraphLayout } from "./types.ts";
import { createWorkerRunner, type LayoutWorker } from "./worker-runner.ts";

const inPlace: Pick<LayoutRunner, "draw" | "dispose"> = {
  draw: (input, request) => drawGraph(input, request, nodeElk),
  dispose: () => undefined,
};

/** Draws on request, in the order of the requests. */
function slowRunner() {
  const calls: (() => void)[] = [];
  const runner: typeof inPlace = {
    draw: (input, request) => new Promise((resolve) => calls.push(() => resolve(drawGraph(input, request, nodeElk)))),
    dispose: () => undefined,
  };
  return { runner, calls };
}

describe("layout service", () => {
  it("draws from memory the second time, whatever the labels", async () => {
    let asked = 0;
    const s = createLayoutService({
      runner: {
        ...inPlace,
        draw: (...args) => {
          asked++;
          return inPlace.draw(...args);
        },
      },
    });
    const input = structuredCfg(1, 20);
    const first = await s.layout(input);
    if (first.status !== "done") throw new Error(first.status);
    expect(checkLayout(input, first.layout)).toEqual([]);
    expect(await s.layout({ ...input, edges: input.edges.map((e) => ({ ...e, label: "x" })) })).toEqual(first);
    expect(asked).toBe(1);
  });

  it("asks for nothing that was drawn before it began", async () => {
    const input = structuredCfg(1, 20);
    const layout = await drawn(input);
    const { runner, calls } = slowRunner();
    const s = createLayoutService({ runner, known: new Map([[layoutKey(input), layout]]) });
    expect(await s.layout(input)).toEqual({ status: "done", layout });
    expect(calls).toEqual([]);
  });

  it("gives the latest request its drawing, and obeys the signal", async () => {
    const { runner, calls } = slowRunner();
    const s = createLayoutService({ runner });
    const first = s.layout(structuredCfg(1, 20));
    const stop = new AbortController();
    const second = s.layout(structuredCfg(2, 20), { signal: stop.signal });
    stop.abort();
    const third = s.layout(structuredCfg(3, 20));
    for (const call of calls) call();
    expect((await first).status).toBe("superseded");
    expect((await second).status).toBe("aborted");
    expect((await third).status).toBe("done");
    // A drawing that is no longer wanted is still cached.
    expect((await s.layout(structuredCfg(1, 20))).status).toBe("done");
    expect(calls).toHaveLength(3);
  });

  it("draws large graphs as regions, says so, and opens them", async () => {
    const s = createLayoutService({ runner: inPlace });
    const big = await s.layout(structuredCfg(1, 600));
    if (big.status !== "done") throw new Error(big.status);
    expect(big.layout.simplified?.summary).toMatch(/^600 blocks as \d+ cards/);
    expect(big.layout.simplified?.reason).toMatch(
      /^600 blocks are more than 150: loops, branches and straight lines are drawn as regions \(\d+ cards\)\. Open one by its button, or by Enter\./,
    );
    const regions = [...new Set(big.layout.simplified!.shownAs.values())];
    const opened = await s.layout(structuredCfg(1, 600), { opened: new Set(regions.slice(0, 1)) });
    if (opened.status !== "done") throw new Error(opened.status);
    expect([...opened.layout.simplified!.shownAs.values()]).not.toContain(regions[0]);
    expect(opened.layout.nodes.length).toBeGreaterThan(big.layout.nodes.length);
    expect(checkLayout(opened.layout.simplified!.graph, opened.layout)).toEqual([]);
    expect(checkLayout(big.layout.simplified!.graph, big.layout)).toEqual([]);
  });
});

describe("worker runner", () => {
  /** Workers that answer or end on request. */
  function workers(layout: GraphLayout) {
    const made: {
      ended: boolean;
      readonly calls: DrawCall[];
      warmed: number;
      answer: (call: DrawCall) => void;
      fail: () => void;
      live: (lock: string) => void;
    }[] = [];
    const spawn = (): LayoutWorker => {
      let heard: (event: { data: DrawAnswer | Alive }) => void = () => undefined;
      let failed: () => void = () => undefined;
      const mine = {
        ended: false,
        calls: [] as DrawCall[],
        warmed: 0,
        answer: ({ id }: DrawCall) => heard({ data: { id, layout, message: null } }),
        fail: () => failed(),
        live: (lock: string) => heard({ data: { alive: lock } }),
      };
      made.push(mine);
      return {
        postMessage: (call: DrawCall | WarmCall) => {
          if ("warm" in call) mine.warmed++;
          else mine.calls.push(call);
        },
        addEventListener: (type: string, listener: ((event: { data: DrawAnswer | Alive }) => void) | (() => void)) => {
          if (type === "message") heard = listener;
          if (type === "error") failed = listener as () => void;
        },
        terminate: () => {
          mine.ended = true;
        },
      };
    };
    return { made, spawn };
  }

  it("ends a drawing that takes long once nobody wants it, and goes on with the next in another worker", async () => {
    const { made, spawn } = workers(await drawn(structuredCfg(2, 20)));
    let clock = 0;
    const s = createLayoutService({ runner: createWorkerRunner(spawn, () => clock) });
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
    const { made, spawn } = workers(await drawn(structuredCfg(1, 20)));
    const s = createLayoutService({ runner: createWorkerRunner(spawn, () => 0) });
    const stop = new AbortController();
    const first = s.layout(structuredCfg(1, 20), { signal: stop.signal });
    stop.abort();
    expect(await first).toEqual({ status: "aborted" });
    made[0]!.answer(made[0]!.calls[0]!);
    expect(made.map((w) => w.ended)).toEqual([false]);
  });

  it("draws in another worker, warmed up as that one was, what was under way when one ends, and says so when both end", async () => {
    const { made, spawn } = workers(await drawn(structuredCfg(1, 20)));
    const runner = createWorkerRunner(spawn);
    const s = createLayoutService({ runner });
    const [first, second] = [s.layout(structuredCfg(1, 20)), s.layout(structuredCfg(2, 20))];
    runner.warmUp();
    made[0]!.fail();
    expect(made[1]!.calls).toEqual(made[0]!.calls);
    made[1]!.fail();
    await expect(first).rejects.toThrow(/ELK.*could not be loaded, or has ended/);
    await expect(second).rejects.toThrow("ELK");
    const again = s.layout(structuredCfg(1, 20));
    made[2]!.answer(made[2]!.calls[0]!);
    expect((await again).status).toBe("done");
    expect(made.map((w) => [w.ended, w.warmed])).toEqual([
      [true, 1],
      [true, 1],
      [false, 1],
    ]);
  });

  it("notices an end that no event tells of: the worker's lock is given back", async () => {
    const { made, spawn } = workers(await drawn(structuredCfg(1, 20)));
    const granted = new Map<string, () => void>();
    const locks: Locks = {
      request: (name, _, held) => {
        granted.set(name, held);
        return new Promise(() => {});
      },
    };
    const s = createLayoutService({ runner: createWorkerRunner(spawn, () => 0, locks) });
    const first = s.layout(structuredCfg(1, 20));
    made[0]!.live("one");
    granted.get("one")?.();
    made[1]!.answer(made[1]!.calls[0]!);
    expect((await first).status).toBe("done");
  });
});
