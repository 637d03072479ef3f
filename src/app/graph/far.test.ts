import { describe, expect, it } from "vitest";
import { findBlocks } from "./block-list.tsx";
import type { DrawnNode } from "./model/drawing.ts";
import { placeNames } from "./names.tsx";
import { LOOP_BLOCKS, momentOf } from "./testing/sample.ts";
import { madeBlocks } from "./use-follow.ts";

const node = (title: string, x: number, y: number): DrawnNode => ({
  id: title,
  kind: "block",
  title,
  blocks: [],
  x,
  y,
  width: 200,
  height: 100,
});
const pane = { width: 400, height: 300 };
const widthOf = (name: string): number => name.length * 7;

describe("names from afar", () => {
  it("never lie on each other, the weightiest first", () => {
    const nodes = Array.from({ length: 300 }, (_, i) => ({
      node: node(`BB${i}`, (i % 20) * 240, Math.floor(i / 20) * 140),
      weight: i === 137 ? 4 : 0,
    }));
    const placed = placeNames(nodes, [0, 0, 0.08], pane, widthOf);
    expect(placed[0]?.name).toBe("BB137");
    expect(placed.length).toBeGreaterThan(20);
    expect(placed.length).toBeLessThan(300);
    placed.forEach((a, i) => {
      for (const b of placed.slice(i + 1)) {
        const apart = a.x + widthOf(a.name) <= b.x || b.x + widthOf(b.name) <= a.x || Math.abs(a.y - b.y) >= 11;
        expect(apart, `${a.name} and ${b.name}`).toBe(true);
      }
    });
  });

  it("leave out what is out of sight", () => {
    expect(placeNames([{ node: node("far", 9_000, 0), weight: 4 }], [0, 0, 0.1], pane, widthOf)).toEqual([]);
  });
});

describe("list of blocks", () => {
  const moment = momentOf(LOOP_BLOCKS);
  it("finds labels first, then what the blocks say", () => {
    expect(findBlocks(moment.blocks, moment.layout, "").map((b) => b.id)).toEqual([...moment.layout]);
    expect(findBlocks(moment.blocks, moment.layout, "bb2")[0]?.id).toBe(2);
    const text = LOOP_BLOCKS[2]!.insts[0]!.text;
    expect(findBlocks(moment.blocks, moment.layout, text.toLowerCase()).map((b) => b.id)).toContain(2);
    expect(findBlocks(moment.blocks, moment.layout, "nothing so called")).toEqual([]);
  });
});

describe("what a step has made", () => {
  it("is what was not there before, in the same phase", () => {
    const before = momentOf(LOOP_BLOCKS.slice(0, 3));
    expect(madeBlocks(before, momentOf(LOOP_BLOCKS))).toEqual([3]);
    expect(madeBlocks({ ...before, run: 7 }, momentOf(LOOP_BLOCKS))).toEqual([]);
    expect(madeBlocks(null, momentOf(LOOP_BLOCKS))).toEqual([]);
  });
});
