import { describe, expect, it } from "vitest";
import { chooseColumns, type Size } from "./choose-columns.ts";

const pane: Size = { width: 700, height: 600 };
const tower: readonly Size[] = [
  { width: 300, height: 1_800 },
  { width: 660, height: 960 },
  { width: 1_000, height: 680 },
  { width: 1_400, height: 520 },
];

describe("columns by size", () => {
  it("are as many as make the letters largest in the pane", () => {
    expect(chooseColumns(tower, pane, "automatic")).toEqual({ columns: 3, zoom: 0.7 });
    // Columns gain nothing in a pane as tall as the tower.
    expect(chooseColumns(tower, { width: 400, height: 1_800 }, "automatic")).toEqual({ columns: 1, zoom: 1 });
    expect(chooseColumns(tower, { width: 2_000, height: 560 }, "automatic")).toEqual({ columns: 4, zoom: 1 });
  });

  it("are not made for letters that are hardly larger, and no more than are needed for as large ones", () => {
    const hardly = [tower[0]!, { width: 700, height: 1_600 }];
    expect(chooseColumns(hardly, pane, "automatic").columns).toBe(1);
    const asGood = [tower[0]!, { width: 660, height: 960 }, { width: 1_000, height: 950 }];
    expect(chooseColumns(asGood, pane, "automatic").columns).toBe(2);
  });

  it("are worth less where many lines have to be followed from one to the next", () => {
    const cut = (lines: number) => [
      { width: 300, height: 720 },
      { width: 660, height: 600, lines },
    ];
    expect(chooseColumns(cut(2), pane, "automatic").columns).toBe(2);
    expect(chooseColumns(cut(4), pane, "automatic").columns).toBe(1);
    expect(chooseColumns(cut(4), pane, "always").columns).toBe(2);
  });

  it("are not made where even they would have to be moved through: then one piece is easier to follow", () => {
    expect(chooseColumns(tower, { ...pane, least: 0.7 }, "automatic").columns).toBe(3);
    expect(chooseColumns(tower, { ...pane, least: 0.8 }, "automatic").columns).toBe(1);
    expect(chooseColumns(tower, { ...pane, least: 0.8 }, "always").columns).toBe(3);
  });

  it("stay as they were in the phase before, unless other columns are much better", () => {
    expect(chooseColumns(tower, pane, "automatic", 4)).toEqual({ columns: 3, zoom: 0.7 });
    const close = [tower[0]!, { width: 770, height: 900 }, { width: 950, height: 700 }];
    expect(chooseColumns(close, pane, "automatic").columns).toBe(3);
    expect(chooseColumns(close, pane, "automatic", 2).columns).toBe(2);
    expect(chooseColumns(close, pane, "automatic", 1).columns).toBe(3);
    expect(chooseColumns(close, pane, "never", 2).columns).toBe(1);
  });

  it("follow a request: never, or wherever there is a cut", () => {
    expect(chooseColumns(tower, pane, "never").columns).toBe(1);
    expect(
      chooseColumns(
        [
          { width: 300, height: 300 },
          { width: 700, height: 200 },
        ],
        pane,
        "always",
      ).columns,
    ).toBe(2);
    // It cannot be cut.
    expect(chooseColumns([tower[0]!, tower[0]!], pane, "always").columns).toBe(1);
    expect(chooseColumns([tower[0]!, tower[0]!, tower[2]!], pane, "automatic").columns).toBe(3);
  });
});
