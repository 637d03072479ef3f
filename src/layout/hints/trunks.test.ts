import { describe, expect, it } from "vitest";
import { laidOut } from "../testing/draw.ts";
import { quality } from "../testing/quality.ts";
import { ladderCfg } from "../testing/random-cfg.ts";
import { defaultSpacing } from "../types.ts";
import { hintsFor, STEPS } from "./hints.ts";

describe("lines into the same card", () => {
  it("share the lane of the one that begins highest, also where lines to another card pass between", () => {
    const { graph, order, row, trunk, place } = hintsFor(ladderCfg(1, 12, 2), defaultSpacing);
    const long = Array.from(graph.to.keys()).filter(
      (e) => order.back[e] !== 1 && (row[graph.to[e] ?? 0] ?? 0) - (row[graph.from[e] ?? 0] ?? 0) > 1,
    );
    expect(long.length).toBeGreaterThan(8);
    const trunks = new Set(long.map((e) => trunk[e]));
    expect(trunks.size).toBe(2);
    for (const e of long) {
      const main = trunk[e] ?? -1;
      expect(graph.to[main]).toBe(graph.to[e]);
      expect(row[graph.from[main] ?? 0]).toBeLessThanOrEqual(row[graph.from[e] ?? 0] ?? 0);
      expect(Math.abs((place[e] ?? 0) - (place[main] ?? 0))).toBeLessThan(0.5);
    }
  });

  it("join it without a step aside", async () => {
    for (const exits of [1, 2, 3]) {
      const input = ladderCfg(7, 24, exits);
      expect(quality(input, await laidOut(input)).kinks, `${exits} exits`).toBe(0);
    }
  });

  it("keep their own lanes without this step", () => {
    const { trunk } = hintsFor(
      ladderCfg(1, 12, 2),
      defaultSpacing,
      STEPS.filter((step) => step.name !== "trunks"),
    );
    expect([...trunk].every((e) => e === -1)).toBe(true);
  });
});
