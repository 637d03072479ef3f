/** What pictures of the stored graphs are to be like, measured over all of them: figures that a change must not make worse. */

import { describe, expect, it } from "vitest";
import { readGraphs } from "../../bench/graphs/format.ts";
import { chooseEngine } from "./choose-engine.ts";
import { fromElk } from "./from-elk.ts";
import { linearLayout } from "./linear.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { inProcessElk } from "./testing/in-process-elk.ts";
import { quality, total } from "./testing/quality.ts";
import { toElk } from "./to-elk.ts";
import type { GraphInput, GraphLayout } from "./types.ts";

const { graphs } = readGraphs();
const elk = await inProcessElk();

async function draw(input: GraphInput): Promise<GraphLayout> {
  return chooseEngine(input) === "linear" ? linearLayout(input) : fromElk(input, await elk.layout(toElk(input)));
}

describe("goals of the layout", () => {
  it("keeps the rules in every picture, by whichever engine", async () => {
    for (const { name, input } of graphs) {
      expect(checkLayout(input, await draw(input)), name).toEqual([]);
      expect(checkLayout(input, linearLayout(input)), `${name}, linear`).toEqual([]);
    }
  });

  it("draws kernels with straight fall-throughs and few bends", async () => {
    const all = await Promise.all(graphs.filter((g) => g.group === "real").map(async ({ input }) => quality(input, await draw(input))));
    expect(all.length).toBeGreaterThan(20);
    const sum = total(all);
    expect(sum.vertical / sum.falls).toBeGreaterThan(0.4);
    expect(sum.kinks / sum.forward).toBeLessThan(0.06);
    expect(sum.bends / sum.edges).toBeLessThan(2.2);
    expect(sum.wrongWay).toBe(0);
  });
});
