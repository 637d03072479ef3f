import { describe, expect, it } from "vitest";
import { defaultCardMetrics, measureCard, textColumns } from "./measure.ts";

const metrics = {
  ...defaultCardMetrics,
  charWidth: 10,
  lineHeight: 20,
  paddingX: 4,
  paddingY: 6,
  headerHeight: 30,
  minWidth: 50,
  maxColumns: 20,
  maxLines: 3,
  portGap: 15,
};

describe("measureCard", () => {
  it("is as wide as its widest line, header or ports, within limits", () => {
    expect(measureCard({ headerColumns: 3, lines: ["1234567", "12"], successors: 1 }, metrics)).toEqual({
      width: 74,
      height: 76,
      shownLines: 2,
      cut: false,
    });
    expect(measureCard({ headerColumns: 9, lines: [], successors: 0 }, metrics).width).toBe(94);
    expect(measureCard({ headerColumns: 1, lines: ["x".repeat(99)], successors: 0 }, metrics).width).toBe(204);
    expect(measureCard({ headerColumns: 1, lines: [], successors: 9 }, metrics).width).toBe(150);
  });

  it("cuts long blocks and leaves room for the line that says so", () => {
    expect(measureCard({ headerColumns: 1, lines: ["a", "b", "c", "d"], successors: 1 }, metrics)).toMatchObject({
      height: 96,
      shownLines: 2,
      cut: true,
    });
  });

  it("counts cells, not code units", () => {
    expect(["abc", "日本", "é", "🙂"].map(textColumns)).toEqual([3, 4, 1, 2]);
  });
});
