import { describe, expect, it } from "vitest";
import { existingLoops, headersAround, outermost } from "./loop-nest.ts";

/** 1 around 2 around 3, and 5 next to them. */
const LOOPS = [
  { header: 1, own: [1, 10], parent: null },
  { header: 2, own: [2, 20], parent: 1 },
  { header: 3, own: [3], parent: 2 },
  { header: 5, own: [5, 50], parent: null },
];

describe("loops of a graph", () => {
  it("around a block, innermost first", () => {
    expect(headersAround(LOOPS, 3)).toEqual([3, 2, 1]);
    expect(headersAround(LOOPS, 10)).toEqual([1]);
    expect(headersAround(LOOPS, 7)).toEqual([]);
  });

  it("that are chosen have all blocks of the loops inside them, which are not listed again", () => {
    expect([...outermost(LOOPS, ({ header }) => header !== 1)]).toEqual([
      [2, [2, 20, 3]],
      [5, [5, 50]],
    ]);
    expect([...outermost(LOOPS, () => true).keys()]).toEqual([1, 5]);
  });

  it("dissolve without their header", () => {
    expect(existingLoops(LOOPS, (block) => block !== 2 && block !== 50)).toEqual([
      { header: 1, own: [1, 10, 20], parent: null },
      { header: 3, own: [3], parent: 1 },
      { header: 5, own: [5], parent: null },
    ]);
    expect(existingLoops(LOOPS, (block) => block > 1)[0]).toEqual({ header: 2, own: [2, 20], parent: null });
  });
});
