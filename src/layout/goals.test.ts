/** What pictures of the stored graphs are to be like, measured over all of them: figures that a change must not make worse. */

import { describe, expect, it } from "vitest";
import { readGraphs } from "../../bench/graphs/format.ts";
import { linearLayout } from "./linear.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { quality, total } from "./testing/quality.ts";

const { graphs } = readGraphs();

describe("goals of the layout", () => {
  it("keeps the rules in every picture", () => {
    for (const { name, input } of graphs) expect(checkLayout(input, linearLayout(input)), name).toEqual([]);
  });

  // Measured when these were set: crossings 41, fall-throughs 0.99, kinks 0.012, bends 1.82 (1.99 in two ladders of 130 and 260 blocks), height 1.14.
  it("draws kernels with straight fall-throughs and few bends and crossings", () => {
    const all = graphs.filter((g) => g.group === "real").map(({ input }) => quality(input, linearLayout(input)));
    expect(all.length).toBeGreaterThan(20);
    const sum = total(all);
    expect(sum.crossings).toBeLessThanOrEqual(45);
    expect(sum.vertical / sum.falls).toBeGreaterThan(0.96);
    expect(sum.kinks / sum.forward).toBeLessThan(0.02);
    expect(sum.bends / sum.edges).toBeLessThan(1.9);
    expect(sum.tall).toBeLessThan(1.2);
    expect(sum.strangers).toBe(0);
    expect(sum.wrongWay).toBe(0);
  });

  it("draws generated programs hardly taller than their longest way, with nothing strange in a loop's frame", () => {
    const all = graphs.filter((g) => g.group === "generated").map(({ input }) => quality(input, linearLayout(input)));
    const sum = total(all);
    expect(sum.tall).toBeLessThan(1.1);
    expect(sum.worstTall).toBeLessThan(1.5);
    expect(sum.vertical / sum.falls).toBeGreaterThan(0.96);
    expect(sum.crossings / sum.edges).toBeLessThan(0.015);
    expect(sum.strangers / sum.loops).toBeLessThan(0.1);
  });

  it("keeps what crosses little in graphs that cannot be drawn without crossings", () => {
    const of = (name: string): number => {
      const found = graphs.find((g) => g.name === name);
      return found === undefined ? Number.NaN : quality(found.input, linearLayout(found.input)).crossings;
    };
    expect(of("irreducible 100")).toBeLessThan(100);
    expect(of("irreducible 30")).toBeLessThan(20);
    expect(of("ladder 100")).toBe(0);
    expect(of("nest of 5 with exits")).toBe(0);
  });
});
