import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import type { CellValue } from "../trace/recorder.ts";
import { BitsetRbTree, RB_NODE_FIELDS } from "./bitset-rb-tree.ts";
import { ScopeTree, scopeAddress } from "./scope-tree.ts";
import { MirrorRecorder, sorted } from "./testing/mirror-recorder.ts";

/** Order, links, colours, black heights, bitmap population; without recursion. `emptyNodes` is allowed between drain and pop. */
function check(t: BitsetRbTree, emptyNodes = false): void {
  const blackAbove = new Map<number, number>();
  let leafBlack = -1;
  let lastKey = -1;
  let bits = 0;
  let nodes = 0;
  const stack = t.root < 0 ? [] : [t.root];
  if (t.root >= 0 && (t.nodeView(t.root).red || t.nodeView(t.root).parent !== -1)) expect.fail("root");
  while (stack.length > 0) {
    const n = stack.pop()!;
    const view = t.nodeView(n);
    const above = (blackAbove.get(view.parent) ?? 0) + (view.red ? 0 : 1);
    blackAbove.set(n, above);
    nodes++;
    for (const child of [view.left, view.right]) {
      if (child < 0) {
        if (leafBlack >= 0 && leafBlack !== above) expect.fail(`black height under node ${n}`);
        leafBlack = above;
        continue;
      }
      if (t.nodeView(child).parent !== n) expect.fail(`parent of node ${child}`);
      if (view.red && t.nodeView(child).red) expect.fail(`red node ${n} has a red child`);
      stack.push(child);
    }
  }
  for (const n of t.nodes()) {
    const view = t.nodeView(n);
    if (view.key <= lastKey) expect.fail(`key order at node ${n}`);
    lastKey = view.key;
    if (!emptyNodes && view.words.every((w) => w === 0)) expect.fail(`empty node ${n}`);
    for (const w of view.words) for (let word = w; word !== 0; word &= word - 1) bits++;
  }
  expect([nodes, bits]).toEqual([t.nodeCount, t.size]);
}

function expected(t: BitsetRbTree): Record<string, CellValue> {
  const cells = new Map<string, CellValue>([["meta", { root: t.root, size: t.size, nodes: t.nodeCount, free: t.freeCount }]]);
  for (const n of t.nodes()) cells.set(`n${n}`, { ...t.nodeView(n) });
  return sorted(cells);
}

const ascending = (values: Iterable<number>): number[] => [...values].sort((a, b) => a - b);

describe("bitset red-black tree", () => {
  it("splits an index into key, word and bit, in the described 64 bytes", () => {
    expect(RB_NODE_FIELDS.map((f) => f.offset)).toEqual([0, 8, 16, 24, 32, 40, 48, 56]);
    const t = new BitsetRbTree();
    for (const index of [0x1_05, 0x1_c3, 0x2_00, 0x0_3f]) t.insert(index);
    const node = t.root;
    expect(t.nodeView(node)).toMatchObject({ key: 1, parent: -1, red: false });
    const bytes = t.nodeBytes(node);
    const view = new DataView(bytes.buffer);
    expect(bytes.length).toBe(64);
    expect(view.getUint32(24, true)).toBe(0x8000_0001);
    expect(view.getBigUint64(32, true)).toBe(1n << 5n);
    expect(view.getBigUint64(40, true)).toBe(0n);
    expect(view.getBigUint64(56, true)).toBe(1n << 3n);
    expect(view.getBigUint64(16, true)).toBe(0n);
    const left = t.nodeView(node).left;
    expect(view.getBigUint64(0, true)).toBe(BigInt(0x1000 + 64 * left));
    const leftBytes = new DataView(t.nodeBytes(left).buffer);
    expect(leftBytes.getUint32(24, true)).toBe(0); // key 0, red: bit 31 clear
    expect(leftBytes.getBigUint64(32, true)).toBe(1n << 63n);
    expect(leftBytes.getBigUint64(16, true)).toBe(BigInt(0x1000 + 64 * node));
  });

  it("orders all of uint32, and takes a negative index as its pattern", () => {
    const t = new BitsetRbTree();
    const values = [0xffffffff, 0, 0x80000000, 0x7fffffff, 1, 0xffffff00, 255, 256, 0x80000001];
    for (const v of values) expect(t.insert(v)).toBe(true);
    expect(t.insert(-1)).toBe(false);
    expect([...t.values()]).toEqual(ascending(values));
    expect([...t.valuesDescending()]).toEqual(ascending(values).reverse());
    expect([t.min(), t.max(), t.has(-1), t.has(2)]).toEqual([0, 0xffffffff, true, false]);
    expect(t.remove(-0x80000000)).toBe(true);
    expect(t.has(0x80000000)).toBe(false);
    check(t);
  });

  it("has no minimum when empty, and re-uses freed nodes", () => {
    const t = new BitsetRbTree();
    expect([t.min(), t.max(), t.takeMax(), t.root, t.remove(3), t.has(3)]).toEqual([-1, -1, -1, -1, false, false]);
    for (let i = 0; i < 20; i++) t.insert(i * 256);
    for (let i = 0; i < 20; i++) t.remove(i * 256);
    expect([t.size, t.nodeCount, t.freeCount]).toEqual([0, 0, 20]);
    for (let i = 0; i < 20; i++) t.insert(i * 300);
    expect([t.nodeCount, t.freeCount]).toEqual([20, 0]);
    check(t);
  });

  it("stays shallow when keys come in order", () => {
    const t = new BitsetRbTree();
    for (let i = 0; i < 4096; i++) t.insert(i * 256);
    check(t);
    let depth = 0;
    for (let n = t.lastNode(); n >= 0; n = t.nodeView(n).parent) depth++;
    expect(depth).toBeLessThanOrEqual(24);
  });

  for (const [seed, range, label] of [
    [0xa11ce, 4000, "dense"],
    [0xb0b, 200_000, "sparse"],
    [0xcab1e, 0x1_0000_0000, "all of uint32"],
  ] as const) {
    it(`agrees with a Set over 60,000 random operations, ${label} (seed ${seed})`, () => {
      const next = createPrng(seed).u32;
      const t = new BitsetRbTree();
      const model = new Set<number>();
      const recent: number[] = [];
      for (let i = 0; i < 60_000; i++) {
        // Phases of growth and of shrinking, so that deletion repairs large trees and empties small ones.
        const growing = Math.floor(i / 15_000) % 2 === 0;
        const fresh = next() % range;
        const index = next() % 4 === 0 ? fresh : (recent[next() % Math.max(1, recent.length)] ?? fresh);
        const what = next() % 10;
        if (what < 2) {
          if (t.has(index) !== model.has(index)) expect.fail(`has ${index} at ${i}`);
        } else if (what < 8 === growing) {
          if (t.insert(fresh) === model.has(fresh)) expect.fail(`insert ${fresh} at ${i}`);
          model.add(fresh);
          if (recent.length < 4000) recent.push(fresh);
          else recent[next() % 4000] = fresh;
        } else {
          if (t.remove(index) !== model.delete(index)) expect.fail(`remove ${index} at ${i}`);
        }
        if (t.size !== model.size) expect.fail(`size at ${i}`);
        if (i % 7500 === 0) check(t);
      }
      check(t);
      const sortedModel = ascending(model);
      expect([...t.values()]).toEqual(sortedModel);
      const visited: number[] = [];
      t.forEach((v) => {
        visited.push(v);
      });
      expect(visited).toEqual(sortedModel);
      expect([t.min(), t.max()]).toEqual([sortedModel[0] ?? -1, sortedModel.at(-1) ?? -1]);
      const taken: number[] = [];
      for (let v = t.takeMax(); v >= 0; v = t.takeMax()) {
        taken.push(v);
        if (taken.length % 2000 === 0) check(t);
      }
      expect(taken).toEqual(sortedModel.reverse());
      expect([t.size, t.nodeCount]).toEqual([0, 0]);
    });
  }
});

describe("observed tree", () => {
  it("tells comparisons, creation, recolouring, rotations and bits", () => {
    const rec = new MirrorRecorder();
    const t = new BitsetRbTree({ rec, name: "tree", title: "Tree" });
    t.insert(0);
    expect(rec.ops()).toEqual(["create", "recolor", "bit-set"]);
    t.insert(256);
    let from = rec.events.length;
    t.insert(512);
    expect(rec.ops(from)).toEqual(["compare", "compare", "create", "recolor", "rotate-left", "bit-set"]);
    from = rec.events.length;
    t.insert(513);
    expect(rec.ops(from)).toEqual(["compare", "compare", "bit-set"]);
    from = rec.events.length;
    t.takeMax();
    expect(rec.ops(from)).toEqual(["bsr", "bit-clear"]);
    t.takeMax();
    expect(rec.ops(from)).toEqual(["bsr", "bit-clear", "bsr", "bit-clear", "remove-node", "free-node"]);
    expect(rec.events.every((e) => e.kind === "tree" && !/\{\w+\}/.test(e.sentence))).toBe(true);
    expect(rec.events[3]!.focus.nodes).toEqual(["tree/n0"]);
  });

  it("mirrors the tree after every operation, and cells undo to every earlier state (seed 31337)", () => {
    const next = createPrng(31337).u32;
    const rec = new MirrorRecorder();
    const t = new BitsetRbTree({ rec, name: "tree", title: "Tree" });
    const states = [{ position: rec.position, state: expected(t) }];
    for (let i = 0; i < 1200; i++) {
      const index = next() % 12_000;
      const what = next() % 100;
      if (what === 0 && i % 3 === 0) t.clear();
      else if (what < 10) t.takeMax();
      else if (what < 55) t.insert(index);
      else t.remove(t.size > 0 && what < 90 ? [...t.values()][index % t.size]! : index);
      states.push({ position: rec.position, state: expected(t) });
      expect(rec.state()).toEqual(states.at(-1)!.state);
    }
    for (const op of ["rotate-left", "rotate-right", "recolor", "free-node", "clear"]) expect(rec.ops()).toContain(op);
    for (const { position, state } of states.reverse()) {
      rec.undoTo(position);
      expect(rec.state()).toEqual(state);
    }
  });
});

describe("scope tree", () => {
  it("addresses a block as the reference does", () => {
    expect(scopeAddress(0x12_ff)).toEqual({ groupKey: 0x12, word: 3, bit: 63 });
    expect(scopeAddress(0x3_41)).toEqual({ groupKey: 3, word: 1, bit: 1 });
  });

  it("pushes in any order, drains in ascending order, pops node by node, releases (seed 2024)", () => {
    const next = createPrng(2024).u32;
    const s = new ScopeTree();
    for (let round = 0; round < 30; round++) {
      const model = new Set<number>();
      for (let i = 0; i < 500; i++) {
        const block = next() % (round % 2 === 0 ? 700 : 60_000);
        expect(s.push(block)).toBe(!model.has(block));
        model.add(block);
        expect(s.has(block)).toBe(true);
      }
      const nodes = new Set([...model].map((b) => b >>> 8)).size;
      expect([s.size, s.nodeCount]).toEqual([model.size, nodes]);
      const drained: number[] = [];
      s.drain((b) => drained.push(b));
      expect(drained).toEqual(ascending(model));
      expect([s.size, s.nodeCount]).toEqual([0, nodes]);
      expect(s.release()).toBe(0);
      expect(s.popAll()).toBe(nodes);
      expect([s.nodeCount, s.cursor, s.pop()]).toEqual([0, -1, false]);
      expect(s.freeCount).toBeGreaterThanOrEqual(nodes);
      if (round % 3 === 0) expect([s.release() > 0, s.freeCount]).toEqual([true, 0]);
    }
  });

  it("keeps a valid tree while popping undrained nodes", () => {
    const t = new BitsetRbTree();
    for (let i = 0; i < 300; i++) t.insert(i * 131);
    while (t.firstNode() >= 0) {
      t.removeNode(t.firstNode());
      check(t);
    }
    expect(t.size).toBe(0);
  });

  it("tells the three phases step by step", () => {
    const rec = new MirrorRecorder();
    const s = new ScopeTree({ rec, name: "scope-tree", title: "Scope tree" });
    for (const b of [70, 3, 300]) s.push(b);
    const from = rec.events.length;
    s.drain(() => {});
    s.popAll();
    s.release();
    expect(rec.ops(from)).toEqual([
      "tzcnt",
      "bit-clear",
      "tzcnt",
      "bit-clear",
      "tzcnt",
      "bit-clear",
      "remove-node",
      "recolor",
      "free-node",
      "remove-node",
      "free-node",
      "release",
    ]);
    expect(rec.events[from]!.sentence).toBe("tzcnt of word 0 of node 0 = 3: index 3 | 0 << 6 | 0 << 8 = 3");
    expect(rec.events[from + 2]!.sentence).toBe("tzcnt of word 1 of node 0 = 6: index 6 | 1 << 6 | 0 << 8 = 70");
    expect(rec.state()).toEqual({ meta: { root: -1, size: 0, nodes: 0, free: 0 } });
  });
});
