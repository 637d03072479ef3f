import { describe, expect, it } from "vitest";
import { createElkRunner, type ElkHandle } from "./elk-runner.ts";
import { createLayoutService, type LayoutServiceOptions } from "./layout-service.ts";
import type { PlanAnswer } from "./plan-messages.ts";
import { createPlanRunner, type PlanWorker } from "./plan-runner.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { inProcessElk } from "./testing/in-process-elk.ts";
import { ladderCfg, structuredCfg } from "./testing/random-cfg.ts";

function service(options: Partial<LayoutServiceOptions> = {}, spawn: () => Promise<ElkHandle> = inProcessElk) {
  return createLayoutService({ elk: createElkRunner({ spawn, graceMs: 1 }), planner: null, engine: "elk", ...options });
}

/** An ELK that answers only its warm-up. */
function stuckElk(ended: string[]): () => Promise<ElkHandle> {
  let made = 0;
  return async () => {
    const name = `elk ${++made}`;
    let calls = 0;
    return {
      layout: (graph) => (++calls === 1 ? Promise.resolve(graph) : new Promise(() => undefined)),
      terminate: () => void ended.push(name),
    };
  };
}

describe("layout service", () => {
  it("draws with ELK, and from memory the second time", async () => {
    const s = service();
    await s.warmUp();
    const input = structuredCfg(1, 20);
    const first = await s.layout(input);
    if (first.status !== "done") throw new Error(first.status);
    expect(first.layout.engine).toBe("elk");
    expect(checkLayout(input, first.layout)).toEqual([]);
    const again = await s.layout({ ...input, edges: input.edges.map((e) => ({ ...e, label: "x" })) });
    expect(again.status === "done" && again.layout === first.layout).toBe(true);
  });

  it("gives a picture when ELK does not answer soon, and only one", async () => {
    const s = service({ patienceMs: 5, timeoutMs: 60 }, stuckElk([]));
    await s.warmUp();
    const seen: string[] = [];
    const outcome = await s.layout(structuredCfg(1, 20), { onFirst: (l) => seen.push(l.engine) });
    expect(seen).toEqual(["linear"]);
    expect(outcome.status === "done" && outcome.layout.engine).toBe("linear");
    const quick = service({ patienceMs: 10_000 });
    await quick.warmUp();
    await quick.layout(structuredCfg(1, 20), { onFirst: (l) => seen.push(l.engine) });
    expect(seen).toEqual(["linear"]);
  });

  it("lets the latest request win and obeys the signal", async () => {
    const s = service();
    const first = s.layout(structuredCfg(1, 20));
    const stop = new AbortController();
    const second = s.layout(structuredCfg(2, 20), { signal: stop.signal });
    stop.abort();
    const third = s.layout(structuredCfg(3, 20));
    expect((await first).status).toBe("superseded");
    expect((await second).status).toBe("aborted");
    expect((await third).status).toBe("done");
  });

  it("ends an ELK that takes too long, says so, and goes on with a spare", async () => {
    const ended: string[] = [];
    const s = service({ timeoutMs: 20 }, stuckElk(ended));
    await s.warmUp();
    const outcome = await s.layout(structuredCfg(1, 20));
    if (outcome.status !== "done") throw new Error(outcome.status);
    expect(outcome.layout.engine).toBe("linear");
    expect(outcome.layout.simplified?.causes).toEqual([{ kind: "timeout", afterMs: 20 }]);
    expect(ended).toEqual(["elk 1"]);
    const next = await s.layout(structuredCfg(2, 20));
    expect(next.status === "done" && next.layout.engine).toBe("linear");
    expect(ended).toEqual(["elk 1", "elk 2"]);
    s.dispose();
  });

  it("falls back on the linear engine if ELK cannot be loaded", async () => {
    const s = service({}, () => Promise.reject(new Error("offline")));
    const outcome = await s.layout(structuredCfg(1, 20));
    if (outcome.status !== "done") throw new Error(outcome.status);
    expect(outcome.layout.simplified?.causes).toEqual([{ kind: "failed", message: "offline" }]);
  });

  it("sends neither a ladder nor more than 150 cards to ELK", async () => {
    const s = service({}, () => Promise.reject(new Error("not to be asked")));
    for (const input of [ladderCfg(1, 40), structuredCfg(1, 200)]) {
      const outcome = await s.layout(input);
      expect(outcome.status === "done" && [outcome.layout.engine, outcome.layout.simplified]).toEqual(["linear", null]);
    }
  });

  it("collapses large graphs, says so, and opens regions", async () => {
    const s = service();
    const big = await s.layout(structuredCfg(1, 1500), { engine: "linear" });
    if (big.status !== "done") throw new Error(big.status);
    expect(big.layout.simplified?.causes.map((c) => c.kind)).toEqual(["collapsed"]);
    expect(big.layout.simplified?.reason).toMatch(
      /^1,500 blocks are more than 800: loops, branches and straight lines are drawn as regions \(\d+ cards\)\. Open one by its button, or by Enter\.$/,
    );
    const regions = [...new Set(big.layout.simplified!.shownAs.values())];
    const opened = await s.layout(structuredCfg(1, 1500), { engine: "linear", opened: new Set(regions.slice(0, 1)) });
    if (opened.status !== "done") throw new Error(opened.status);
    expect([...opened.layout.simplified!.shownAs.values()]).not.toContain(regions[0]);
    expect(opened.layout.nodes.length).toBeGreaterThan(big.layout.nodes.length);
    expect(checkLayout(opened.layout.simplified!.graph, opened.layout)).toEqual([]);
    expect(checkLayout(big.layout.simplified!.graph, big.layout)).toEqual([]);
  });
});

describe("plan runner", () => {
  it("does the work in place when the worker dies", async () => {
    const onError: (() => void)[] = [];
    const dead: PlanWorker = {
      postMessage: () => onError.forEach((f) => void f()),
      addEventListener: (type: string, listener: ((event: { data: PlanAnswer }) => void) | (() => void)) => {
        if (type === "error") onError.push(listener as () => void);
      },
      terminate: () => undefined,
    };
    const s = createLayoutService({ elk: null, planner: createPlanRunner(() => dead), plannerAbove: 0 });
    const outcome = await s.layout(structuredCfg(1, 20));
    expect(outcome.status === "done" && outcome.layout.engine).toBe("linear");
  });
});
