import { expect, test } from "vitest";
import { wholeShares } from "./splitter.tsx";

test("shares come to whole pixels of the room, and are left alone once they do", () => {
  const next = wholeShares({ side: 32, graph: 68 }, 1439);
  expect(next).not.toBeNull();
  for (const share of Object.values(next ?? {})) {
    // A browser keeps 64ths of a pixel.
    expect(Math.round((share / 100) * 1439 * 64) % 64).toBe(0);
  }
  expect(Object.values(next ?? {}).reduce((a, b) => a + b, 0)).toBeCloseTo(100, 6);
  expect(wholeShares(next ?? {}, 1439)).toBeNull();
});

test("a room of part of a pixel, or of none, is left alone", () => {
  expect(wholeShares({ a: 50, b: 50 }, 300.5)).toBeNull();
  expect(wholeShares({ a: 50, b: 50 }, 0)).toBeNull();
});
