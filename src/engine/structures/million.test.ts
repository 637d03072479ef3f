/** The value table and the red-black tree against plain collections, over many random operations: `ORISCOPE_TIMES=5` makes a million of each. */

import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { draws, freshSeed } from "../testing/seed.ts";
import { BitsetRbTree } from "./bitset-rb-tree.ts";
import { ValueTable } from "./value-table.ts";

const OPERATIONS = draws(200_000);
const SEED = 1 + freshSeed();

describe("random operations", () => {
  it(`on the value table agree with a Map (seed ${SEED})`, () => {
    const next = createPrng(SEED).u32;
    const table = new ValueTable();
    const model = new Map<number, number>();
    for (let i = 0; i < OPERATIONS; i++) {
      const key = next() % 8 === 0 ? next() : next() % 50_000;
      const what = next() % 4;
      if (what < 2) {
        if (table.lookup(key) !== (model.get(key) ?? -1)) expect.fail(`lookup of ${key} at operation ${i}`);
        continue;
      }
      const found = table.insert(key, i);
      if (found.isNew === model.has(key) || found.value !== (model.get(key) ?? i)) expect.fail(`insert of ${key} at operation ${i}`);
      if (!found.isNew && what === 3) table.replace(found.node, i);
      if (found.isNew || what === 3) model.set(key, i);
    }
    expect(table.size).toBe(model.size);
    for (const [key, value] of model) if (table.lookup(key) !== value) expect.fail(`${key} at the end`);
    expect([...table.entries()].length).toBe(model.size);
  });

  it(`on the red-black tree agree with a Set (seed ${SEED})`, () => {
    const next = createPrng(SEED).u32;
    const tree = new BitsetRbTree();
    const model = new Set<number>();
    for (let i = 0; i < OPERATIONS; i++) {
      const index = next() % 4 === 0 ? next() % 20_000_000 : next() % 100_000;
      const what = next() % 5;
      if (what === 0) {
        if (tree.has(index) !== model.has(index)) expect.fail(`has ${index} at operation ${i}`);
      } else if (what < 3) {
        if (tree.insert(index) === model.has(index)) expect.fail(`insert ${index} at operation ${i}`);
        model.add(index);
      } else if (tree.remove(index) !== model.delete(index)) {
        expect.fail(`remove ${index} at operation ${i}`);
      }
    }
    expect(tree.size).toBe(model.size);
    const order: number[] = [];
    tree.forEach((index) => {
      order.push(index);
    });
    expect(order).toEqual([...model].sort((a, b) => a - b));
  });
});
