/** Goals for the layouts of the stored graphs, measured over all of them: figures that a change must not make worse. */

import { describe, expect, it } from "vitest";
import { readGraphs } from "../../bench/graphs/format.ts";
import { crossings } from "./crossings.ts";
import { nodeElk } from "./elk/node.ts";
import { elkLayout } from "./elk-layout.ts";
import { flowGraph } from "./flow-graph.ts";
import { inColumns } from "./in-columns.ts";
import { drawGraph } from "./plan.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { laidOut, requestFor, WITHOUT_REGIONS } from "./testing/draw.ts";
import { type Quality, quality, total } from "./testing/quality.ts";
import { movesBetween, quantile, withoutBlock } from "./testing/stability.ts";
import type { Box, GraphInput, GraphLayout } from "./types.ts";

const { graphs, phases } = readGraphs();

/** Caches drawings: several goals use the same one, and phases that change nothing and graphs without long lines repeat inputs. */
function once<In, Out>(draw: (input: In) => Promise<Out>): typeof draw {
  const made = new Map<string, Promise<Out>>();
  return (input) => {
    const key = JSON.stringify(input);
    const layout = made.get(key) ?? draw(input);
    made.set(key, layout);
    return layout;
  };
}
const elk = once(nodeElk);
const plain = once((input: GraphInput) => elkLayout(input, elk));
const simplified = once((input: GraphInput) => drawGraph(input, requestFor(WITHOUT_REGIONS), elk));

/** The qualities of a group of graphs, drawn as in the page but without regions. */
async function qualities(group: (typeof graphs)[number]["group"]): Promise<Quality[]> {
  const all: Quality[] = [];
  for (const { input } of graphs.filter((g) => g.group === group)) {
    const layout = await simplified(input);
    all.push(quality(layout.simplified?.graph ?? input, layout));
  }
  return all;
}

// Some hundred graphs, each drawn by an ELK that has just been loaded.
describe("goals of the layout", { timeout: 600_000 }, () => {
  it("keeps the rules in every picture", async () => {
    for (const { name, input } of graphs) {
      expect(checkLayout(input, await plain(input)), name).toEqual([]);
      const layout = await simplified(input);
      expect(checkLayout(layout.simplified?.graph ?? input, layout), name).toEqual([]);
    }
  });

  it("keeps every rule in columns but that lines go down only, and crosses no more", async () => {
    const places = (input: GraphInput, { edges }: GraphLayout): number =>
      new Set(crossings(flowGraph(input), edges).map((c) => c.place)).size;
    for (const { name, input } of graphs) {
      const whole = await plain(input);
      const layout = inColumns(whole);
      expect(checkLayout(input, layout, { columns: true }), name).toEqual([]);
      expect(places(input, layout), name).toBeLessThanOrEqual(places(input, whole));
      expect(inColumns(whole)).toEqual(layout);
    }
  });

  // Measured: 3 crossings, two of them in graphs that have no drawing without crossings.
  it("draws kernels with straight fall-throughs and few bends and crossings", async () => {
    const all = await qualities("real");
    expect(all.length).toBeGreaterThan(20);
    const sum = total(all);
    expect(sum.crossings).toBeLessThanOrEqual(3);
    expect(sum.vertical / sum.falls).toBeGreaterThanOrEqual(0.99);
    expect(sum.kinks / sum.forward).toBeLessThan(0.009);
    expect(sum.bends / sum.edges).toBeLessThan(1.1);
    expect(sum.tall).toBeLessThanOrEqual(1.07);
    expect(sum.worstTall).toBeLessThan(1.45);
    expect(sum.strangers).toBe(0);
    expect(sum.wrongWay).toBe(0);
    expect(sum.width).toBeLessThan(1_400);
  });

  // Measured: fitted into 900 × 700, 12 px text grows from 3.8 to 8.3 px, from 2.6 to 3.1 (search trees and jump tables are inherently wide), and
  // from 0.4 to 2.5.
  it("makes fitted text of kernels about twice as large in columns", async () => {
    const text = ({ width, height }: Box): number => 12 * Math.min(1, 900 / width, 700 / height);
    for (const [least, most, times] of [
      [5, 15, 2],
      [16, 50, 1.2],
      [51, 300, 1.8],
    ] as const) {
      const some = graphs.filter((g) => g.group === "real" && g.input.nodes.length >= least && g.input.nodes.length <= most);
      const layouts: GraphLayout[] = [];
      for (const { input } of some) layouts.push(await simplified(input));
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

  it("draws generated programs with loops one below the other where columns hold them, and nothing strange in a loop's frame", async () => {
    const sum = total(await qualities("generated"));
    expect(sum.tall).toBeLessThan(1.4);
    expect(sum.worstTall).toBeLessThan(2);
    // Joins far to the left of their loop's header are under the right arm: fewer straight fall-throughs, but no stairs to the left.
    expect(sum.vertical / sum.falls).toBeGreaterThan(0.89);
    expect(sum.width).toBeLessThan(4_900);
    expect(sum.crossings).toBe(0);
    expect(sum.kinks / sum.forward).toBeLessThan(0.115);
    expect(sum.bends / sum.edges).toBeLessThan(1.46);
    expect(sum.strangers / sum.loops).toBeLessThan(0.05);
  });

  it("draws shapes with the crossings that they need, and not taller", async () => {
    const sum = total(await qualities("shape"));
    expect(sum.crossings / sum.edges).toBeLessThan(0.195);
    expect(sum.vertical).toBe(sum.falls);
    expect(sum.kinks / sum.forward).toBeLessThan(0.036);
    expect(sum.bends / sum.edges).toBeLessThan(1.6);
    expect(sum.tall).toBeLessThan(1.21);
    expect(sum.worstTall).toBeLessThan(1.44);
    expect(sum.width).toBeLessThan(4_000);
  });

  it("keeps what crosses little in graphs that cannot be drawn without crossings", async () => {
    const of = async (name: string): Promise<number> => {
      const found = graphs.find((g) => g.name === name);
      return found === undefined ? Number.NaN : quality(found.input, await plain(found.input)).crossings;
    };
    expect(await of("irreducible 100")).toBeLessThan(100);
    expect(await of("irreducible 30")).toBeLessThan(15);
    expect(await of("500 generated_500")).toBe(0);
    expect(await of("ladder 100")).toBe(0);
    expect(await of("nest of 5 with exits")).toBe(0);
  });

  it("hardly moves what stays when one block goes, and never changes its side", async () => {
    const moved: number[] = [];
    let pairs = 0;
    let flips = 0;
    for (const { input, group } of graphs) {
      if (group === "shape" || input.nodes.length > 160) continue;
      const before = await plain(input);
      const [third, late] = [input.nodes[Math.floor(input.nodes.length / 3)], input.nodes[Math.floor((2 * input.nodes.length) / 3)]];
      for (const gone of [third, late]) {
        if (gone === undefined || gone.id === input.entry) continue;
        const found = movesBetween(before, await laidOut(withoutBlock(input, gone.id)), (id) => id);
        moved.push(...found.sideways);
        pairs += found.pairs;
        flips += found.flips;
      }
    }
    // Measured: 0 px, 22 of 2,558, nine of them in one state machine.
    expect(quantile(moved, 0.5)).toBeLessThan(1);
    expect(flips / pairs).toBeLessThan(0.008_7);
  });

  it("keeps cards near their places from one phase of a kernel to the next", async () => {
    const means: number[] = [];
    let pairs = 0;
    let flips = 0;
    for (const { inputs } of phases) {
      for (const [i, input] of inputs.entries()) {
        const next = inputs[i + 1];
        if (next === undefined || input.nodes.length > 200) continue;
        const names = new Map([...input.nodes, ...next.nodes].map((n) => [n.id, n.name ?? n.id]));
        const found = movesBetween(await plain(input), await plain(next), (id) => (id.startsWith("t") ? id : (names.get(id) ?? id)));
        if (found.sideways.length > 0) means.push(found.sideways.reduce((a, b) => a + b, 0) / found.sideways.length);
        pairs += found.pairs;
        flips += found.flips;
      }
    }
    expect(means.length).toBeGreaterThan(20);
    // Measured: 0 px, 30 px, 16 of 3,778. A program of 300 blocks without flips is left out: it takes as long as all others together.
    expect(quantile(means, 0.5)).toBeLessThan(1);
    expect(quantile(means, 0.9)).toBeLessThan(33);
    expect(flips / pairs).toBeLessThan(0.004_5);
  });
});
