import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import type { CellValue } from "../trace/recorder.ts";
import { EdgeMap, EdgeSet, EMPTY_SLOT } from "./edge-map.ts";
import { fnv1a32 } from "./fnv.ts";
import { FnvHashMap } from "./fnv-hash-map.ts";
import { MirrorRecorder, sorted } from "./testing/mirror-recorder.ts";

function expectedEdges(map: EdgeMap): Record<string, CellValue> {
  const { blocks } = map;
  const cells = new Map<string, CellValue>();
  let occupied = 0;
  for (let b = 0; b < blocks.capacity; b++) {
    if (blocks.bucketView(b).count === 0) continue;
    occupied++;
    cells.set(`b${b}`, blocks.bucketView(b));
  }
  for (let n = 0; n < blocks.size; n++) {
    const { value, ...rest } = blocks.nodeView(n);
    cells.set(`n${n}`, { ...rest, value: value!.view().map((s) => (s === EMPTY_SLOT ? null : s)) });
  }
  cells.set("meta", {
    buckets: blocks.capacity,
    count: blocks.size,
    occupied,
    load: blocks.load,
    longest: blocks.longestChain,
    resizes: Math.log2(blocks.capacity / 8) / 2,
  });
  return sorted(cells);
}

describe("CFG hash map", () => {
  it("holds any value and agrees with a Map over 100,000 random operations (seed 0xc0ffee)", () => {
    const next = createPrng(0xc0ffee).u32;
    const map = new FnvHashMap<string>((s) => s);
    const model = new Map<number, string>();
    for (let i = 0; i < 100_000; i++) {
      const key = next() % 5000;
      const what = next() % 3;
      if (what === 0) {
        if (map.get(key) !== model.get(key)) expect.fail(`get ${key} at ${i}`);
      } else if (what === 1) {
        if (map.has(key) !== model.has(key)) expect.fail(`has ${key} at ${i}`);
      } else {
        if (map.insert(key, `v${i}`) === model.has(key)) expect.fail(`insert ${key} at ${i}`);
        model.set(key, `v${i}`);
      }
    }
    expect(new Map(map.entries())).toEqual(model);
    expect(map.size).toBe(model.size);
    expect(map.load).toBe(map.size / map.capacity);
  });

  it("iterates by bucket, then by chain", () => {
    const map = new FnvHashMap<number>((n) => n);
    for (let i = 0; i < 40; i++) map.insert(i * 3, i);
    const buckets = [...map.entries()].map(([key]) => fnv1a32(key) % map.capacity);
    expect(buckets).toEqual([...buckets].sort((a, b) => a - b));
  });
});

describe("edge set", () => {
  it("is one slot for one edge, then a sub-hash that grows by 4", () => {
    const set = new EdgeSet();
    expect(set.view()).toEqual([EMPTY_SLOT]);
    expect(set.add(7)).toBe(true);
    expect(set.add(7)).toBe(false);
    expect(set.view()).toEqual([7]);
    set.add(9);
    expect(set.view().length).toBe(4);
    set.add(11);
    expect(set.view().length).toBe(16);
    expect([...set].sort((a, b) => a - b)).toEqual([7, 9, 11]);
    expect([set.has(7), set.has(9), set.has(11), set.has(8)]).toEqual([true, true, true, false]);
    expect(() => set.add(EMPTY_SLOT)).toThrow(RangeError);
  });

  it("agrees with a Set (seed 424243)", () => {
    const next = createPrng(424243).u32;
    for (let round = 0; round < 200; round++) {
      const set = new EdgeSet();
      const model = new Set<number>();
      for (let i = 0; i < 60; i++) {
        const target = next() % 80;
        expect(set.add(target)).toBe(!model.has(target));
        model.add(target);
        expect(set.has(target)).toBe(true);
      }
      for (let i = 0; i < 80; i++) expect(set.has(i)).toBe(model.has(i));
      expect(new Set(set)).toEqual(model);
      expect(set.size).toBe(model.size);
    }
  });
});

describe("edge map", () => {
  it("holds the edges of a graph", () => {
    const map = new EdgeMap();
    expect(map.add(1, 2)).toBe(true);
    expect(map.add(1, 3)).toBe(true);
    expect(map.add(1, 2)).toBe(false);
    expect(map.add(2, 1)).toBe(true);
    expect(map.edgeCount).toBe(3);
    expect([map.has(1, 3), map.has(2, 3), map.has(9, 1)]).toEqual([true, false, false]);
    expect([...(map.get(1) ?? [])].sort()).toEqual([2, 3]);
    expect(map.get(5)).toBeUndefined();
    expect([...map.entries()].length).toBe(3);
    map.clear();
    expect([map.edgeCount, map.blocks.size]).toEqual([0, 0]);
  });

  it("mirrors the map after every edge, and cells undo to every earlier state (seed 77001)", () => {
    const next = createPrng(77001).u32;
    const rec = new MirrorRecorder();
    const map = new EdgeMap({ rec, name: "succ", title: "Successors" });
    const states = [{ position: rec.position, state: expectedEdges(map) }];
    for (let i = 0; i < 250; i++) {
      map.add(next() % 60, next() % 60);
      states.push({ position: rec.position, state: expectedEdges(map) });
      expect(rec.state()).toEqual(states.at(-1)!.state);
    }
    for (const { position, state } of states.reverse()) {
      rec.undoTo(position);
      expect(rec.state()).toEqual(state);
    }
    expect(rec.events.filter((e) => /\{\w+\}/.test(e.sentence))).toEqual([]);
  });
});
