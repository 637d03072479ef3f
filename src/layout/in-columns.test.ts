import { describe, expect, it } from "vitest";
import { readGraphs } from "../../bench/graphs/format.ts";
import { crossings } from "./crossings.ts";
import { flowGraph } from "./flow-graph.ts";
import { inColumns } from "./in-columns.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { drawn, laidOut } from "./testing/draw.ts";
import { irreducibleCfg, ladderCfg, structuredCfg } from "./testing/random-cfg.ts";
import { quantile } from "./testing/stability.ts";
import type { Box, GraphLayout } from "./types.ts";

const stored = readGraphs().graphs;

describe("columns", () => {
  it("keep every rule but that lines go down only, and cross no more", { timeout: 180_000 }, async () => {
    const random = [1, 2, 3, 4, 5].flatMap((seed) => [structuredCfg(seed, 60), irreducibleCfg(seed, 30)]);
    for (const input of [...stored.map((g) => g.input), ...random]) {
      const whole = await laidOut(input);
      const layout = inColumns(whole);
      expect(checkLayout(input, layout, { columns: true })).toEqual([]);
      const places = (drawing: typeof whole): number => new Set(crossings(flowGraph(input), drawing.edges).map((c) => c.place)).size;
      expect(places(layout)).toBeLessThanOrEqual(places(whole));
      expect(inColumns(whole)).toEqual(layout);
    }
  });

  it("leave a drawing that they do not make larger as it is", async () => {
    const wide = await laidOut(stored.find((g) => g.name === "state machine 30")!.input);
    expect(inColumns(wide)).toBe(wide);
    const empty = await laidOut({ nodes: [], edges: [], entry: "" });
    expect(inColumns(empty)).toBe(empty);
  });

  // Measured when these were set, pixels of 12 px text when all is fitted in 900 × 700: 3.8 to 8.3, 2.6 to 3.1 (search trees and jump tables are wide as they are), 0.4 to 2.5.
  it("make fitted text of kernels about twice as large", async () => {
    const text = ({ width, height }: Box): number => 12 * Math.min(1, 900 / width, 700 / height);
    for (const [least, most, times] of [
      [5, 15, 2],
      [16, 50, 1.2],
      [51, 300, 1.8],
    ] as const) {
      const graphs = stored.filter((g) => g.group === "real" && g.input.nodes.length >= least && g.input.nodes.length <= most);
      const layouts: GraphLayout[] = [];
      for (const { input } of graphs) layouts.push(await drawn(input));
      const whole = quantile(
        layouts.map((l) => text(l.bounds)),
        0.5,
      );
      const columns = quantile(
        layouts.map((l) => text(inColumns(l).bounds)),
        0.5,
      );
      expect(columns / whole, `${least} to ${most} blocks: ${whole} to ${columns}`).toBeGreaterThan(times);
    }
  });

  it("fold a ladder with two exits, whose lines share a lane for each exit", async () => {
    const ladder = await laidOut(ladderCfg(1, 100, 2));
    expect(inColumns(ladder).bounds.height).toBeLessThan(ladder.bounds.height / 5);
  });
});
