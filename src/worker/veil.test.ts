import { beforeAll, describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import { TWO_ADDS } from "../features/labs/engine/testing/two-adds.ts";
import { localEngine } from "./local.ts";
import { type AsyncEngine, everyQuestion } from "./questions.ts";
import { type Veil, Veiled } from "./veil.ts";
import { veiledEngine } from "./veiled-engine.ts";

describe("the veil of a prediction", () => {
  let veil: Veil | null = null;
  let engine: AsyncEngine;
  let plain: AsyncEngine;
  let run = -1;
  let step = -1;

  beforeAll(async () => {
    const local = localEngine();
    plain = everyQuestion(
      (name) =>
        async (...args) =>
          Reflect.apply(local[name], local, args),
    );
    engine = veiledEngine(plain, () => veil);
    await plain.open(1, TWO_ADDS, "ori");
    const result = await plain.run(1, "k", DEFAULT_PIPELINE);
    run = result.phases.find((p) => p.id === "gvn-cse")?.run ?? -1;
    step = (await plain.breakpointTicks(run, [{ kind: "event", event: "rewrite" }]))[0] ?? -1;
    expect(step).toBeGreaterThan(1);
  });

  it("ends the run right before the step, wherever it is asked for", async () => {
    veil = { phase: "gvn-cse", occurrence: 0, step };
    const result = await engine.run(1, "k", DEFAULT_PIPELINE);
    expect(result.phases).toHaveLength(run + 1);
    expect(result.phases[run]).toMatchObject({ changed: false, rewrites: 0, matches: 0, hidden: true });
    const info = await engine.trace(run);
    expect(info?.steps).toBe(step);
    expect(info?.changes.includes(1)).toBe(false);
    expect(await engine.events(run, 0, 10_000)).toHaveLength(step);
    expect((await engine.view(run, step + 5, null)).step).toBe(step - 1);
    expect((await engine.text({ run, step: null })).text).toBe((await plain.text({ run, step: step - 1 })).text);
    expect((await engine.breakpointTicks(run, [{ kind: "event", event: "rewrite" }])).length).toBe(0);
    expect(await engine.find(run, -1, 1, { kind: "event", event: "rewrite" }, [])).toBeNull();
    const { items } = await engine.history(null, { kind: "reg", name: "R4" });
    expect(items.every((item) => item.run < run || (item.run === run && item.step < step))).toBe(true);
    const graph = await engine.graph(run);
    expect(graph.blocks.length).toBeGreaterThan(0);
  });

  it("tells of no watched state that comes after", async () => {
    // The run ends with fewer instructions than it begins with.
    const text = "instructions < 8";
    const [all, seen] = [await plain.watch(text, null), await engine.watch(text, null)];
    if (typeof all === "string" || typeof seen === "string") throw new Error(`${String(all)}, ${String(seen)}`);
    expect(all.hits.some((hit) => hit.run > run || (hit.run === run && hit.step >= step))).toBe(true);
    expect(seen.hits).toEqual(all.hits.filter((hit) => hit.run < run || (hit.run === run && hit.step < step)));
    await expect(engine.watch(text, run + 1)).rejects.toThrow(Veiled);
  });

  it("refuses what would tell it", async () => {
    await expect(engine.text({ run: run + 1, step: null })).rejects.toThrow(Veiled);
    await expect(engine.registerLife("R4")).rejects.toThrow(Veiled);
    await expect(engine.publish({} as never)).rejects.toThrow(Veiled);
    await expect(engine.compareFutures("k", DEFAULT_PIPELINE, DEFAULT_PIPELINE)).rejects.toThrow(Veiled);
    await expect(engine.searchNeed("gvn-cse:value-overwritten", 1, 1, true, DEFAULT_PIPELINE)).rejects.toThrow(Veiled);
    await expect(engine.ownAsk("k", DEFAULT_PIPELINE)).rejects.toThrow(Veiled);
    await expect(engine.light(1)).rejects.toThrow(Veiled);
    expect(await engine.gvnModes(run)).toEqual([]);
  });

  it("hides nothing once it is lifted", async () => {
    veil = null;
    const result = await engine.run(1, "k", DEFAULT_PIPELINE);
    expect(result.phases.length).toBeGreaterThan(run + 1);
    expect((await engine.trace(run))?.changes.includes(1)).toBe(true);
  });
});
