import { describe, expect, it } from "vitest";
import { rewriteAt, stepOfRewrite } from "./rewrites.ts";

describe("rewrites of a trace", () => {
  const columns = (rows: readonly (readonly [n: number, from: number, to: number, refused?: number])[]) => ({
    n: Int32Array.from(rows, (r) => r[0]),
    from: Int32Array.from(rows, (r) => r[1]),
    to: Int32Array.from(rows, (r) => r[2]),
    refused: Uint8Array.from(rows, (r) => r[3] ?? 0),
  });
  // The second was refused; the fourth is inside the third.
  const trace = {
    steps: 20,
    // One of the changes is in no rewrite.
    changes: Uint8Array.from({ length: 20 }, (_, step) => Number(step === 3 || step === 5 || step === 12)),
    rewrites: columns([
      [1, 2, 4],
      [2, 6, 7, 1],
      [3, 9, 15],
      [4, 11, 12],
    ]),
  } as never;

  it("a step belongs to the innermost one; a match that was found to the next", () => {
    const at = (step: number, found = false) => rewriteAt(trace, step, found)?.n ?? null;
    expect([0, 2, 3, 4, 6, 9, 11, 12, 15].map((step) => at(step))).toEqual([null, 1, 1, null, 2, 3, 4, 3, null]);
    expect(at(5)).toBe(1);
    expect([at(0, true), at(8, true), at(16, true)]).toEqual([1, 3, null]);
    expect(rewriteAt(trace, 11, false)).toEqual({ n: 4, before: 2, refused: false, from: 11, to: 12 });
    expect(rewriteAt(trace, 6, false)).toMatchObject({ n: 2, before: 1, refused: true });
  });

  it("fuel counts those that were done", () => {
    expect([1, 2, 3, 4].map((count) => stepOfRewrite(trace, count))).toEqual([5, 14, 12, null]);
  });
});
