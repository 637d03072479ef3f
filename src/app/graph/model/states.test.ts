import { describe, expect, it } from "vitest";
import { laidOut } from "../../../layout/testing/draw.ts";
import { createFaceStore } from "../face/face-store.ts";
import { blockView, draw, inst, LOOP, LOOP_BLOCKS, momentOf, PLAIN } from "../testing/sample.ts";
import { drawingOf } from "./drawing.ts";
import { graphModel } from "./graph-model.ts";
import { sideBySide } from "./sides.ts";
import { diffOf, edgeDiff, graphAt, graphOfTwo, shapeOf } from "./states.ts";

/** The loop's body is gone, and a block is new. */
const AFTER = momentOf([
  LOOP_BLOCKS[0]!,
  blockView(1, { succs: [4], succKinds: ["jump"] }),
  LOOP_BLOCKS[3]!,
  blockView(4, { succs: [3], succKinds: ["fall"], insts: [inst(40, "NOP")] }),
]);
const BEFORE = momentOf(LOOP_BLOCKS);

describe("graphs of single states", () => {
  it("hold what exists at the step and nothing else, in the order of its successors", () => {
    const graph = graphAt(LOOP, momentOf(LOOP_BLOCKS.filter((b) => b.id !== 2)));
    expect(graph.blocks.map((b) => b.id)).toEqual([0, 1, 3]);
    expect(graph.edges.map((e) => [e.from, e.to])).toEqual([
      [0, 1],
      [1, 3],
    ]);
    expect(graph.loops[0]?.own).toEqual([1]);
  });

  it("are drawn anew for blocks and edges, not for instructions", () => {
    const more = LOOP_BLOCKS.map((b) => (b.id === 2 ? { ...b, insts: [...b.insts, inst(99, "NOP")] } : b));
    expect(shapeOf(momentOf(more))).toBe(shapeOf(BEFORE));
    expect(shapeOf(AFTER)).not.toBe(shapeOf(BEFORE));
  });
});

describe("two states", () => {
  it("are one graph that says where everything exists", () => {
    const graph = graphOfTwo(BEFORE, AFTER, LOOP.loops);
    expect(graph.blocks.map((b) => [b.id, b.before, b.after])).toEqual([
      [0, true, true],
      [1, true, true],
      [2, true, false],
      [3, true, true],
      [4, false, true],
    ]);
    const edge = (from: number, to: number) => graph.edges.find((e) => e.from === from && e.to === to);
    expect(edge(1, 2)).toMatchObject({ before: true, after: false });
    expect(edge(1, 4)).toMatchObject({ before: false, after: true });
    // The loop is in one of them only, and its line back is still one.
    expect(graph.edges.filter((e) => e.retreating).map((e) => [e.from, e.to])).toEqual([[2, 1]]);
  });

  it("tell four diffs apart", () => {
    expect(diffOf(LOOP_BLOCKS[0], LOOP_BLOCKS[0])).toBe("same");
    expect(diffOf(LOOP_BLOCKS[2], undefined)).toBe("removed");
    expect(diffOf(undefined, LOOP_BLOCKS[2])).toBe("added");
    expect(diffOf(LOOP_BLOCKS[1], AFTER.blocks.get(1))).toBe("changed");
    expect(diffOf(LOOP_BLOCKS[0], { ...LOOP_BLOCKS[0]! })).toBe("same");
    expect([edgeDiff(BEFORE, AFTER, 1, 2), edgeDiff(BEFORE, AFTER, 1, 4), edgeDiff(BEFORE, AFTER, 0, 1)]).toEqual([
      "removed",
      "added",
      "same",
    ]);
  });

  it("show on one picture what is gone as it was, and follow the step", async () => {
    const model = graphModel(graphOfTwo(BEFORE, AFTER, LOOP.loops), PLAIN);
    const faces = createFaceStore();
    faces.update({ drawing: drawingOf(model, await laidOut(model.input)), moment: AFTER, compare: { base: BEFORE, head: null } });
    expect(faces.node("b2")).toMatchObject({ diff: "removed", present: true, block: LOOP_BLOCKS[2] });
    expect(faces.node("b4")).toMatchObject({ diff: "added", present: true });
    expect(faces.node("b3")?.diff).toBe("same");
    expect(faces.edge("b1>b2")).toMatchObject({ diff: "removed", present: true });
    expect(faces.edge("b1>b4")).toMatchObject({ diff: "added", present: true });
    faces.update({ moment: BEFORE });
    expect(faces.node("b2")?.diff).toBe("same");
  });

  it("stand beside each other without touching, each with its own state", async () => {
    const left = await draw(graphAt(LOOP, BEFORE));
    const right = await draw(graphAt({ ...LOOP, blocks: graphOfTwo(BEFORE, AFTER, []).blocks }, AFTER));
    const both = sideBySide(left, right);
    expect(both.nodes.size).toBe(left.nodes.size + right.nodes.size);
    const lefts = [...both.nodes.values()].filter((n) => n.side === "before");
    const rights = [...both.nodes.values()].filter((n) => n.side === "after");
    expect(Math.max(...lefts.map((n) => n.x + n.width))).toBeLessThan(Math.min(...rights.map((n) => n.x)));
    const { bounds } = both.layout;
    for (const n of both.nodes.values()) {
      expect(n.x).toBeGreaterThanOrEqual(bounds.x);
      expect(n.y).toBeGreaterThanOrEqual(bounds.y);
      expect(n.x + n.width).toBeLessThanOrEqual(bounds.x + bounds.width);
      expect(n.y + n.height).toBeLessThanOrEqual(bounds.y + bounds.height);
    }
    const faces = createFaceStore();
    faces.update({ drawing: both, moment: BEFORE, compare: { base: BEFORE, head: AFTER }, selected: { kind: "block", id: 1 } });
    expect(faces.node("before:b2")).toMatchObject({ diff: "removed", present: true });
    expect(faces.node("b4")).toMatchObject({ diff: "added", present: true });
    expect([faces.node("before:b1")?.selected, faces.node("b1")?.selected]).toEqual([true, true]);
    expect(faces.node("b1")?.block?.succs).toEqual([4]);
    expect(both.edgesFrom.get("before:b1")?.map((e) => e.to)).toEqual(["before:b3", "before:b2"]);
  });
});
