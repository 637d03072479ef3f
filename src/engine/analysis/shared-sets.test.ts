import { describe, expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { SharedSet, WorkingSet } from "./shared-sets.ts";

const BLOCKS = 30;

/** Does the same to these sets and to plain ones, which say what the answers must be. */
function play(seed: number, bits: number): void {
  const rng = createPrng(seed);
  const kept = Array.from({ length: BLOCKS }, () => new SharedSet(bits));
  const plain = Array.from({ length: BLOCKS }, () => new Set<number>());
  const working = new WorkingSet(bits);
  const ascending = (set: ReadonlySet<number>): number[] => [...set].sort((a, b) => a - b);
  for (let step = 0; step < 120; step++) {
    const at = `seed ${seed}, step ${step}`;
    const now = new Set<number>();
    working.clear();
    // Some steps touch a few neighbours, some many bits all over; before and after the unions.
    const near = rng.below(bits);
    const touch = (): void => {
      for (let i = rng.below(12); i > 0; i--) {
        const bit = rng.chance(0.7) ? Math.min(bits - 1, near + rng.below(9)) : rng.below(bits);
        if (rng.chance(0.6)) {
          working.add(bit);
          now.add(bit);
        } else {
          working.delete(bit);
          now.delete(bit);
        }
      }
    };
    if (rng.chance(0.5)) touch();
    for (let i = rng.below(4); i > 0; i--) {
      const b = rng.below(BLOCKS);
      working.addAll(kept[b]!);
      for (const bit of plain[b]!) now.add(bit);
    }
    touch();
    expect(working.members(), at).toEqual(ascending(now));
    const asked = Array.from({ length: 20 }, () => rng.below(bits));
    expect(
      asked.filter((bit) => working.has(bit) !== now.has(bit)),
      at,
    ).toEqual([]);

    const block = rng.below(BLOCKS);
    const before = plain[block]!;
    expect(kept[block]!.copyFrom(working), at).toBe(ascending(now).join() !== ascending(before).join());
    plain[block] = new Set(now);
    // What is kept does not follow the working set.
    touch();
  }
  for (const [block, set] of plain.entries()) expect(kept[block]!.members(), `seed ${seed}, block ${block}`).toEqual(ascending(set));
}

describe("shared sets", () => {
  it.each([1, 31, 512, 513, 3000])("have the members that plain sets have, of %i bits", (bits) => {
    for (let seed = 1; seed <= 8; seed++) play(seed, bits);
  });

  it("share what does not change: a long chain of blocks costs two chunks a block, not a row each", () => {
    const kept = Array.from({ length: 20_000 }, () => new SharedSet(50_000));
    const working = new WorkingSet(50_000);
    for (let bit = 0; bit < 50_000; bit += 8) working.add(bit);
    kept[0]!.copyFrom(working);
    for (let block = 1; block < 20_000; block++) {
      working.clear();
      working.addAll(kept[block - 1]!);
      working.add(2 * block + 1);
      working.delete(2 * block - 1);
      kept[block]!.copyFrom(working);
    }
    expect(kept[19_999]!.has(49_992)).toBe(true);
    expect(new Set(kept.flatMap(({ chunks }) => chunks)).size).toBeLessThan(2 * 20_000);
  });
});
