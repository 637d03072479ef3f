import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { LiveRows } from "./live-rows.ts";

const BLOCKS = 30;

/** Does the same to rows and to plain sets; the sets say what the rows must answer. */
function play(seed: number, bits: number, scratch: number): void {
  const rng = createPrng(seed);
  const rows = new LiveRows(BLOCKS, bits, scratch);
  const heads = Array.from({ length: BLOCKS }, () => new Set<number>());
  const ascending = (set: ReadonlySet<number>): number[] => [...set].filter((b) => b < bits).sort((a, b) => a - b);
  for (let step = 0; step < 120; step++) {
    const from = Array.from({ length: rng.below(4) }, () => rng.below(BLOCKS));
    const open = new Set(from.flatMap((b) => [...(heads[b] ?? [])]));
    rows.load(from);
    // Some steps touch a few neighbours, some many bits all over.
    const near = rng.below(scratch);
    for (let i = rng.below(12); i > 0; i--) {
      const bit = rng.chance(0.7) ? Math.min(scratch - 1, near + rng.below(9)) : rng.below(scratch);
      const value = rng.chance(0.6) ? 1 : 0;
      rows.put(bit, value);
      if (value === 1) open.add(bit);
      else open.delete(bit);
    }
    const asked = Array.from({ length: 20 }, () => rng.below(scratch));
    expect(
      asked.filter((bit) => rows.has(bit) !== open.has(bit)),
      `seed ${seed}, step ${step}`,
    ).toEqual([]);
    const listed: number[] = [];
    rows.eachOpen((bit) => listed.push(bit));
    expect(listed, `seed ${seed}, step ${step}`).toEqual(ascending(open));

    const block = rng.below(BLOCKS);
    const before = heads[block] ?? new Set();
    const added: number[] = [];
    const grew = rows.store(block, (bit) => added.push(bit));
    const fresh = ascending(open).filter((bit) => !before.has(bit));
    expect(added, `seed ${seed}, step ${step}`).toEqual(fresh);
    expect(grew).toBe(fresh.length > 0);
    heads[block] = new Set(ascending(open));
  }
  const union = rows.gather();
  const all = new Set<number>();
  for (const [block, head] of heads.entries()) {
    const found: number[] = [];
    rows.eachAtHead(block, (bit) => found.push(bit));
    expect(found, `seed ${seed}, block ${block}`).toEqual(ascending(head));
    expect(found.every((bit) => rows.headHas(block, bit))).toBe(true);
    if (block % 3 !== 0) continue;
    union.add(block);
    for (const bit of head) all.add(bit);
  }
  expect(Array.from({ length: bits }, (_, bit) => bit).filter((bit) => union.has(bit) !== all.has(bit))).toEqual([]);
}

describe("live rows", () => {
  it.each([1, 31, 512, 513, 3000])("hold what plain sets hold, with %i bits", (bits) => {
    for (let seed = 1; seed <= 8; seed++) play(seed, bits, bits + 40);
  });

  it("share what does not change: a long chain of blocks costs a few chunks, not a row each", () => {
    const rows = new LiveRows(20_000, 50_000);
    rows.load([]);
    for (let bit = 0; bit < 50_000; bit += 8) rows.put(bit, 1);
    rows.store(0);
    for (let block = 1; block < 20_000; block++) {
      rows.load([block - 1]);
      rows.put(2 * block + 1, 1);
      rows.put(2 * block - 1, 0);
      rows.store(block);
    }
    expect(rows.headHas(19_999, 49_992)).toBe(true);
    // Dense rows would take 125 MB; these are rows of 98 numbers, and two chunks of 64 bytes a block.
    expect(rows.bytes).toBeLessThan(16_000_000);
  });
});
