import { describe, expect, it } from "vitest";
import { readGraphs } from "../../bench/graphs/format.ts";
import { inColumns } from "./in-columns.ts";
import { laidOut } from "./testing/draw.ts";
import { ladderCfg } from "./testing/random-cfg.ts";

const stored = readGraphs().graphs;

describe("columns", () => {
  it("leave a drawing that they do not make larger as it is", async () => {
    const wide = await laidOut(stored.find((g) => g.name === "state machine 30")!.input);
    expect(inColumns(wide)).toBe(wide);
    const empty = await laidOut({ nodes: [], edges: [], entry: "" });
    expect(inColumns(empty)).toBe(empty);
  });

  it("fold a ladder with two exits, whose lines share a lane for each exit", async () => {
    const ladder = await laidOut(ladderCfg(1, 100, 2));
    expect(inColumns(ladder).bounds.height).toBeLessThan(ladder.bounds.height / 5);
  });
});
