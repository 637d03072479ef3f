import { describe, expect, it } from "vitest";
import { collapseToLimit } from "./collapse.ts";
import { defaultCardMetrics } from "./measure.ts";
import { openRegions } from "./open-regions.ts";
import { structuredCfg } from "./testing/random-cfg.ts";

const LIMIT = 100;
const open = (input: ReturnType<typeof structuredCfg>, ids: readonly string[]) =>
  openRegions(input, collapseToLimit(input, LIMIT, defaultCardMetrics), new Set(ids), defaultCardMetrics);
const regionsIn = (collapsed: ReturnType<typeof open>): string[] =>
  collapsed.graph.nodes.filter((n) => n.kind === "region").map((n) => n.id);

describe("opening the regions of a large graph", () => {
  it("changes nothing while none is open, or one that is not drawn", () => {
    const input = structuredCfg(1, 1000);
    const closed = collapseToLimit(input, LIMIT, defaultCardMetrics);
    expect(openRegions(input, closed, new Set(), defaultCardMetrics)).toBe(closed);
    expect(openRegions(input, closed, new Set(["loop:nowhere"]), defaultCardMetrics)).toBe(closed);
  });

  it("replaces one region by what is in it, and leaves the others", () => {
    const input = structuredCfg(1, 1000);
    const closed = open(input, []);
    const [id = ""] = regionsIn(closed);
    const after = open(input, [id]);
    expect(regionsIn(after)).not.toContain(id);
    expect(regionsIn(after)).toEqual(expect.arrayContaining(regionsIn(closed).filter((other) => other !== id)));
    expect(after.graph.nodes.length).toBeGreaterThan(closed.graph.nodes.length);
    for (const [block, region] of after.shownAs) if (closed.shownAs.get(block) !== id) expect(closed.shownAs.get(block)).toBe(region);
  });

  it.each([1, 2, 3])("reaches every block by opening what is drawn, again and again (seed %i)", (seed) => {
    const input = structuredCfg(seed, 2000);
    const opened: string[] = [];
    for (let rounds = 0; ; rounds++) {
      expect(rounds).toBeLessThan(50);
      const now = open(input, opened);
      const shown = new Set(now.graph.nodes.map((n) => n.id));
      for (const { id } of input.nodes) expect(shown.has(now.shownAs.get(id) ?? id)).toBe(true);
      for (const edge of now.graph.edges) expect(shown.has(edge.from) && shown.has(edge.to)).toBe(true);
      const regions = regionsIn(now);
      if (regions.length === 0) break;
      opened.push(...regions);
    }
    expect(open(input, opened).graph).toEqual(input);
  });
});
