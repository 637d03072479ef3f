import { expect, it } from "vitest";
import type { DrawnSide } from "./drawing.ts";
import { shortTitle, titleSize } from "./sides.ts";

const side = (title: string, width: number): DrawnSide => ({
  side: "after",
  title,
  bounds: { x: 0, y: 0, width, height: 100 },
  entry: null,
});

it("titles above narrow sides have smaller letters, and are cut only where these are not enough", () => {
  const [left, right] = ["This run, as written", "This run, after all phases"];
  expect(titleSize([side(left, 500), side(right, 500)], 22)).toBe(22);
  const narrow = [side(left, 210), side(right, 210)];
  const size = titleSize(narrow, 22);
  expect(size).toBeLessThan(22);
  expect(narrow.map((s) => shortTitle(s, size))).toEqual([left, right]);
  expect(shortTitle(side(right, 80), titleSize([side(right, 80)], 22))).toMatch(/^This run.*…$/);
});
