/** What pictures of the stored graphs are to be like, measured over all of them: figures that a change must not make worse. */

import { describe, expect, it } from "vitest";
import { readGraphs } from "../../bench/graphs/format.ts";
import { linearLayout } from "./linear.ts";
import { defaultCardMetrics } from "./measure.ts";
import { defaultLayoutLimits, drawGraph } from "./plan.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { quality, total } from "./testing/quality.ts";
import { irreducibleCfg, ladderCfg, structuredCfg } from "./testing/random-cfg.ts";
import { movesBetween, quantile, withoutBlock } from "./testing/stability.ts";
import { defaultSpacing, type GraphInput, type GraphLayout } from "./types.ts";

const { graphs, phases } = readGraphs();

/** As the page draws it, long lines in tags; past so many cards with regions. */
function drawn(input: GraphInput, collapseAbove = Number.POSITIVE_INFINITY): GraphLayout {
  return drawGraph(input, { limits: { collapseAbove }, metrics: defaultCardMetrics, spacing: defaultSpacing, opened: new Set() });
}

describe("goals of the layout", () => {
  it("keeps the rules in every picture", () => {
    for (const { name, input } of graphs) {
      expect(checkLayout(input, linearLayout(input)), name).toEqual([]);
      const layout = drawn(input);
      expect(checkLayout(layout.simplified?.graph ?? input, layout), name).toEqual([]);
    }
  });

  // Measured when these were set: crossings 3, of which two are in graphs that no drawing on paper is without, fall-throughs 0.99, kinks
  // 0.010, bends 1.08, height 1.07 (1.42 in two ladders of 130 and 260 blocks whose arms are twice as tall as their tests).
  it("draws kernels with straight fall-throughs and few bends and crossings", () => {
    const all = graphs
      .filter((g) => g.group === "real")
      .map(({ input }) => {
        const layout = drawn(input);
        return quality(layout.simplified?.graph ?? input, layout);
      });
    expect(all.length).toBeGreaterThan(20);
    const sum = total(all);
    expect(sum.crossings).toBeLessThanOrEqual(3);
    expect(sum.vertical / sum.falls).toBeGreaterThan(0.96);
    expect(sum.kinks / sum.forward).toBeLessThan(0.012);
    expect(sum.bends / sum.edges).toBeLessThan(1.2);
    expect(sum.tall).toBeLessThan(1.1);
    expect(sum.worstTall).toBeLessThan(1.5);
    expect(sum.strangers).toBe(0);
    expect(sum.wrongWay).toBe(0);
  });

  it("draws any of them, and a thousand blocks, within a tenth of a second of processor time", () => {
    const large = [structuredCfg(1, 1_000), ladderCfg(1, 1_000, 2), irreducibleCfg(1, 1_000)];
    for (const input of [...graphs.map((g) => g.input), ...large]) {
      let least = Number.POSITIVE_INFINITY;
      for (let i = 0; i < 6 && least > 100; i++) {
        const start = process.cpuUsage();
        drawn(input, defaultLayoutLimits.collapseAbove);
        least = Math.min(least, process.cpuUsage(start).user / 1_000);
      }
      expect(least, `${input.nodes.length} blocks`).toBeLessThanOrEqual(100);
    }
  });

  it("draws generated programs hardly taller than their longest way, with nothing strange in a loop's frame", () => {
    const all = graphs.filter((g) => g.group === "generated").map(({ input }) => quality(input, linearLayout(input)));
    const sum = total(all);
    expect(sum.tall).toBeLessThan(1.1);
    expect(sum.worstTall).toBeLessThan(1.5);
    // Joins far to the left of their loop's head stand under the arm on the right: fewer straight falls, and no stairs to the left.
    expect(sum.vertical / sum.falls).toBeGreaterThan(0.88);
    expect(all.reduce((width, q) => width + q.width, 0)).toBeLessThan(36_000);
    // Four ways out on the right of a loop cross its line back; lines back cross nothing else.
    expect(sum.crossings / sum.edges).toBeLessThan(0.004);
    expect(sum.strangers / sum.loops).toBeLessThan(0.1);
  });

  it("keeps what crosses little in graphs that cannot be drawn without crossings", () => {
    const of = (name: string): number => {
      const found = graphs.find((g) => g.name === name);
      return found === undefined ? Number.NaN : quality(found.input, linearLayout(found.input)).crossings;
    };
    expect(of("irreducible 100")).toBeLessThan(100);
    expect(of("irreducible 30")).toBeLessThan(15);
    expect(of("500 generated_500")).toBe(0);
    expect(of("ladder 100")).toBe(0);
    expect(of("nest of 5 with exits")).toBe(0);
  });

  it("hardly moves what stays when one block goes, and never changes its side", () => {
    const moved: number[] = [];
    let pairs = 0;
    let flips = 0;
    for (const { input, group } of graphs) {
      if (group === "shape" || input.nodes.length > 160) continue;
      const before = linearLayout(input);
      const [third, late] = [input.nodes[Math.floor(input.nodes.length / 3)], input.nodes[Math.floor((2 * input.nodes.length) / 3)]];
      for (const gone of [third, late]) {
        if (gone === undefined || gone.id === input.entry) continue;
        const found = movesBetween(before, linearLayout(withoutBlock(input, gone.id)), (id) => id);
        moved.push(...found.sideways);
        pairs += found.pairs;
        flips += found.flips;
      }
    }
    expect(quantile(moved, 0.5)).toBeLessThan(20);
    expect(flips / pairs).toBeLessThan(0.01);
  });

  it("keeps cards near their places from one phase of a kernel to the next", () => {
    const means: number[] = [];
    for (const { inputs } of phases) {
      inputs.forEach((input, i) => {
        const next = inputs[i + 1];
        if (next === undefined) return;
        const names = new Map([...input.nodes, ...next.nodes].map((n) => [n.id, n.name ?? n.id]));
        const { sideways } = movesBetween(linearLayout(input), linearLayout(next), (id) =>
          id.startsWith("t") ? id : (names.get(id) ?? id),
        );
        if (sideways.length > 0) means.push(sideways.reduce((a, b) => a + b, 0) / sideways.length);
      });
    }
    expect(means.length).toBeGreaterThan(20);
    expect(quantile(means, 0.5)).toBeLessThan(40);
  });
});
