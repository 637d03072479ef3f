import { describe, expect, it } from "vitest";
import { laidOut } from "../../../layout/testing/draw.ts";
import { draw, LOOP, PLAIN, unionOf } from "../testing/sample.ts";
import { anchored, drawingOf, nodeOfBlock } from "./drawing.ts";
import { graphModel, pairKey } from "./graph-model.ts";

describe("graph model", () => {
  it("draws each block as a card and each edge as a line", async () => {
    const drawing = await draw(LOOP);
    expect([...drawing.nodes.keys()]).toEqual(["b0", "b1", "b2", "b3"]);
    expect([...drawing.edges.values()].map((e) => e.pairs)).toEqual([[[0, 1]], [[1, 3]], [[1, 2]], [[2, 1]]]);
    expect(drawing.edges.get("b2>b1")?.back).toBe(true);
  });

  it("collapses a loop into one card and keeps the lines in and out", async () => {
    const drawing = await draw(LOOP, { collapsedLoops: new Set([1]) });
    expect(drawing.nodes.get("loop:b1")).toMatchObject({ kind: "region", title: "loop BB1", blocks: [1, 2] });
    expect(nodeOfBlock(drawing, 2)?.id).toBe("loop:b1");
    expect(drawing.linesOf.get(pairKey(0, 1))).toHaveLength(1);
    expect(drawing.linesOf.get(pairKey(1, 3))).toHaveLength(1);
    expect(drawing.linesOf.has(pairKey(2, 1))).toBe(false);
  });

  it("shows only what is near a block, with stubs for what leads on", async () => {
    const drawing = await draw(LOOP, { around: { block: 3, steps: 1 } });
    expect(nodeOfBlock(drawing, 0)).toBeNull();
    expect(nodeOfBlock(drawing, 1)?.id).toBe("b1");
    const stub = [...drawing.nodes.values()].find((n) => n.kind === "stub");
    expect(stub).toMatchObject({ title: "→ BB2", blocks: [2] });
    expect(drawing.linesOf.get(pairKey(1, 2))).toHaveLength(1);
  });

  it("draws a table between a jump and its targets, with one line per target", async () => {
    const drawing = await draw(
      unionOf(5, [
        [0, 1, "table", 0],
        [0, 2, "table", 1],
        [0, 3, "default", 2],
        [1, 4, "jump", 0],
        [2, 4, "jump", 0],
        [3, 4, "fall", 0],
      ]),
    );
    expect(drawing.nodes.get("t0")?.kind).toBe("table");
    expect(drawing.edges.get("b0>t0")).toMatchObject({
      role: "trunk",
      pairs: [
        [0, 1],
        [0, 2],
        [0, 3],
      ],
    });
    expect(drawing.edges.get("t0>b2")).toMatchObject({ role: "case", pairs: [[0, 2]] });
    expect(drawing.linesOf.get(pairKey(0, 2))).toEqual(["b0>t0", "t0>b2"]);
  });

  it("groups the case blocks of a large table, and opens a group on request", async () => {
    const cases = Array.from({ length: 256 }, (_, i) => i + 1);
    const union = unionOf(258, [...cases.map((c, i) => [0, c, "table", i] as const), ...cases.map((c) => [c, 257, "jump", 0] as const)]);
    const drawing = await draw(union);
    const groups = [...drawing.nodes.values()].filter((n) => n.id.startsWith("cases:"));
    expect(groups).toHaveLength(16);
    expect(groups.flatMap((g) => g.blocks)).toEqual(cases);
    expect(drawing.edgesFrom.get("t0")).toHaveLength(16);
    expect(drawing.nodes.get("t0")?.width).toBeLessThan(2_500);
    const opened = await draw(union, { opened: new Set([groups[3]!.id]) });
    expect(nodeOfBlock(opened, groups[3]!.blocks[0]!)?.kind).toBe("block");
    expect([...opened.nodes.values()].filter((n) => n.id.startsWith("cases:"))).toHaveLength(15);
  });

  it("collapses straight lines", async () => {
    const chain = unionOf(4, [
      [0, 1, "fall", 0],
      [1, 2, "jump", 0],
      [2, 3, "fall", 0],
    ]);
    const drawing = await draw(chain, { lines: true });
    expect([...drawing.nodes.values()].map((n) => [n.title, n.blocks])).toEqual([["BB0 … BB3", [0, 1, 2, 3]]]);
  });
});

describe("anchored drawings", () => {
  it("leave the anchor where it was, even where it is in a region now", async () => {
    const before = await draw(LOOP);
    const model = graphModel(LOOP, { ...PLAIN, collapsedLoops: new Set([1]) });
    const after = drawingOf(model, anchored(model, await laidOut(model.input), before, "BB3"));
    expect(nodeOfBlock(after, 3)).toMatchObject({ x: nodeOfBlock(before, 3)!.x, y: nodeOfBlock(before, 3)!.y });
    const inRegion = drawingOf(model, anchored(model, await laidOut(model.input), before, "BB1"));
    expect(nodeOfBlock(inRegion, 1)?.kind).toBe("region");
  });

  it("find blocks again by label when their numbers are new", async () => {
    const before = await draw(LOOP);
    const renumbered = unionOf(4, [[0, 1, "fall", 0]], [], ["start", "BB3", "BB1", "other"]);
    const model = graphModel(renumbered, PLAIN);
    const after = drawingOf(model, anchored(model, await laidOut(model.input), before, "BB3"));
    expect(nodeOfBlock(after, 1)).toMatchObject({ x: nodeOfBlock(before, 3)!.x, y: nodeOfBlock(before, 3)!.y });
  });
});
