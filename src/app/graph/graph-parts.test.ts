import { describe, expect, it } from "vitest";
import { edgePath, labelPlace } from "../../layout/line-path.ts";
import { PICTURE_COLOURS, type PictureColours } from "../../layout/picture.ts";
import { edgeIndex, fromFoot } from "./edge-path.ts";
import { createFaceStore } from "./face/face-store.ts";
import { moveFrom } from "./keyboard.ts";
import { tableRows } from "./model/table-rows.ts";
import { instWindow } from "./node/inst-window.ts";
import { pictureSvg } from "./picture/svg.ts";
import { searchGraph } from "./search-bar.tsx";
import { blockView, draw, inst, LOOP, LOOP_BLOCKS, momentOf, unionOf } from "./testing/sample.ts";
import { bringTo, centreOn, firstView, firstViewAt, fitAll, inSight, nudgeTo, zoomBy } from "./viewport.ts";

describe("a line from a card that is drawn less high than there is room for", () => {
  const card = { x: 0, y: 100, width: 160, height: 120 };

  it("begins at its foot, in line with what follows", () => {
    expect(
      fromFoot(
        [
          [80, 220],
          [80, 240],
          [30, 240],
          [30, 300],
        ],
        card,
        46,
      ),
    ).toEqual([
      [80, 146],
      [80, 240],
      [30, 240],
      [30, 300],
    ]);
    expect(
      fromFoot(
        [
          [80, 220],
          [80, 300],
        ],
        card,
        46,
      )[0],
    ).toEqual([80, 146]);
  });

  it("is as it was where the card is as high as its room", () => {
    const points = [
      [80, 140],
      [80, 300],
    ] as const;
    expect(fromFoot(points, card, 46)).toBe(points);
  });
});

describe("viewport", () => {
  const pane = { width: 800, height: 600 };
  const tall = { x: 0, y: 0, width: 400, height: 40_000 };
  const entry = { x: 150, y: 24, width: 100, height: 60 };

  it("starts with everything where that can be read, else with the entry at the top", () => {
    expect(firstView({ x: 0, y: 0, width: 700, height: 500 }, entry, pane, 5).zoom).toBe(1);
    // For an audience a graph that is only too high is drawn large, from its entry on.
    const shown = firstView({ x: 0, y: 0, width: 400, height: 900 }, entry, pane, 5, 1.75);
    expect(shown.zoom).toBe(1.4);
    expect(shown.y).toBe(24 - entry.y * 1.4);
    const view = firstView(tall, entry, pane, 5);
    // Letters of 10 px.
    expect(12 * view.zoom).toBeCloseTo(10);
    expect(entry.y * view.zoom + view.y).toBe(24);
    // A wide one is not cut on one side while there is space on the other.
    const wide = { x: 0, y: 0, width: 1400, height: 900 };
    const left = firstView(wide, { ...entry, x: 150 }, pane, 5);
    expect(left.x).toBe(24);
    const right = firstView(wide, { ...entry, x: 1150 }, pane, 5);
    expect(1400 * right.zoom + right.x).toBeCloseTo(800 - 24);
    const almost = firstView({ ...wide, width: 980 }, { ...entry, x: 600 }, pane, 5);
    expect(490 * almost.zoom + almost.x).toBeCloseTo(400);
    const middle = firstView(wide, { ...entry, x: 700 }, pane, 5);
    expect(750 * middle.zoom + middle.x).toBeCloseTo(400);
    // Of many blocks everything is shown with smaller letters than of few.
    const bounds = { x: 0, y: 0, width: 700, height: 860 };
    expect(firstView(bounds, entry, pane, 29).zoom * 12).toBeCloseTo(10);
    expect(firstView(bounds, entry, pane, 30)).toEqual(fitAll(bounds, pane));
    // Everything fits, however tall.
    expect(fitAll(tall, pane).zoom * tall.height).toBeLessThanOrEqual(pane.height);
    expect(fitAll({ ...tall, height: 200_000 }, pane).zoom * 200_000).toBeLessThanOrEqual(pane.height);
  });

  it("of two graphs it cuts nothing on one side while the other has room to spare", () => {
    const [room, left] = [
      { width: 660, height: 600 },
      { x: 0, y: 0, width: 160, height: 60 },
    ];
    const near = firstViewAt({ x: 0, y: 0, width: 780, height: 400 }, left, room, 7);
    expect(near).toMatchObject({ zoom: 10 / 12, x: 5 });
    const [wide, part] = [
      { x: 0, y: 0, width: 1200, height: 400 },
      { x: 100, y: 0, width: 160, height: 60 },
    ];
    // A pane that is narrow, but wide enough for these two.
    const narrow = { width: 600, height: 300 };
    expect(firstViewAt({ x: 0, y: 0, width: 540, height: 700 }, part, narrow, 7)?.zoom).toBeCloseTo(10 / 12);
    expect(firstViewAt({ x: 0, y: 0, width: 736, height: 700 }, part, narrow, 7)?.zoom).toBeCloseTo(0.75);
    expect(firstViewAt({ x: 0, y: 0, width: 1000, height: 700 }, part, narrow, 7)).toBeNull();
    expect(firstViewAt(wide, part, room, 7)?.x).toBeCloseTo(24);
    expect(firstViewAt(wide, { ...part, x: 1000 }, room, 7)?.x).toBeCloseTo(660 - 24 - 1000);
    expect(firstViewAt(wide, { ...part, x: 520 }, room, 7)?.x).toBeCloseTo(330 - (600 * 10) / 12);
  });

  it("moves as little as brings a box into sight", () => {
    const view = { x: 0, y: 0, zoom: 1 };
    const below = { x: 100, y: 900, width: 100, height: 50 };
    expect(inSight(below, view, pane)).toBe(false);
    const moved = nudgeTo(below, view, pane);
    expect(inSight(below, moved, pane)).toBe(true);
    expect(moved.x).toBe(0);
    expect(nudgeTo({ x: 100, y: 100, width: 50, height: 50 }, view, pane)).toEqual(view);
  });

  it("puts in the middle what is farther away than the pane is large, and only that", () => {
    const view = { x: 0, y: 0, zoom: 1 };
    const near = { x: 100, y: 900, width: 100, height: 50 };
    const large = { x: -3000, y: 0, width: 6000, height: 8000 };
    expect(bringTo(near, view, pane, large)).toEqual(nudgeTo(near, view, pane));
    const far = { x: -700, y: 4000, width: 100, height: 50 };
    expect(bringTo(far, view, pane, large)).toEqual(centreOn(far, view, pane, large));
    expect(bringTo(far, view, pane, large).x).toBe(pane.width / 2 + 650);
  });

  it("shows no empty room beyond the drawing while there is more of it on the other side", () => {
    const view = { x: 0, y: -9000, zoom: 1 };
    // The first card of a tall drawing is at the top, and its last at the bottom.
    expect(centreOn(entry, view, pane, tall).y).toBe(24);
    expect(centreOn({ ...entry, y: 39_900 }, view, pane, tall).y).toBe(pane.height - 24 - 40_000);
    expect(centreOn({ ...entry, y: 20_000 }, view, pane, tall).y).toBe(pane.height / 2 - 20_030);
  });

  it("zooms about the middle", () => {
    const view = zoomBy(2, { x: 0, y: 0, zoom: 0.5 }, pane);
    expect(view).toEqual({ x: -400, y: -300, zoom: 1 });
  });
});

describe("lines", () => {
  it("have rounded corners and end in an arrow head", () => {
    expect(
      edgePath([
        [0, 0],
        [0, 20],
        [40, 20],
        [40, 60],
      ]),
    ).toBe("M0 0L0 14Q0 20 6 20L34 20Q40 20 40 26L40 60M36 53L40 59L44 53");
    expect(edgePath([])).toBe("");
  });

  it("are labelled on the side they do not turn to", () => {
    expect(
      labelPlace([
        [10, 0],
        [10, 9],
        [50, 9],
      ]).anchor,
    ).toBe("end");
    expect(
      labelPlace([
        [10, 0],
        [10, 9],
        [0, 9],
      ]).anchor,
    ).toBe("start");
  });

  it("are found by place", async () => {
    const drawing = await draw(LOOP);
    const index = edgeIndex(drawing.edges.values());
    for (const edge of drawing.edges.values()) {
      const [x, y] = edge.points[0]!;
      expect(index.nearest(x + 2, y + 1, 6), edge.id).toBe(edge.id);
    }
    expect(index.nearest(-5_000, -5_000, 6)).toBeNull();
  });
});

describe("keys", async () => {
  const drawing = await draw(LOOP);
  const all = () => true;

  it("go down along the first forward edge and up where one came from", () => {
    expect(moveFrom(drawing, "b0", "down", all, [])).toBe("b1");
    expect(moveFrom(drawing, "b1", "down", all, [])).toBe("b3");
    expect(moveFrom(drawing, "b1", "down", all, ["b2"])).toBe("b2");
    expect(moveFrom(drawing, "b1", "up", all, [])).toBe("b0");
    expect(moveFrom(drawing, "b2", "down", all, [])).toBe("b1");
    expect(moveFrom(drawing, "b0", "down", () => false, [])).toBeNull();
  });

  it("go to the side among what is level first", async () => {
    const diamond = await draw(
      unionOf(4, [
        [0, 1, "taken", 0],
        [0, 2, "fall", 1],
        [1, 3, "jump", 0],
        [2, 3, "fall", 0],
      ]),
    );
    expect(moveFrom(diamond, "b1", "right", all, [])).toBe("b2");
    expect(moveFrom(diamond, "b2", "left", all, [])).toBe("b1");
    expect(moveFrom(diamond, "b1", "left", all, [])).toBeNull();
  });
});

describe("search", () => {
  const moment = momentOf(LOOP_BLOCKS);
  it("finds labels and instructions, all words in one line", () => {
    expect(searchGraph(moment, "bb2")).toEqual([{ block: 2, inst: null }]);
    expect(searchGraph(moment, "r1 iadd")).toEqual([{ block: 2, inst: 12 }]);
    expect(searchGraph(moment, "r1").map((m) => m.inst)).toEqual([10, 11, 12]);
    expect(searchGraph(moment, "  ")).toEqual([]);
  });
});

describe("cards", () => {
  it("of long blocks show the part that matters", () => {
    const insts = Array.from({ length: 100 }, (_, i) => inst(i, "NOP"));
    const block = blockView(0, { insts });
    const marks = new Map([[80, { focus: true, changed: false, operands: [] }]]);
    expect(instWindow(block, { marks: new Map(), selectedInst: -1 })).toEqual({ from: 0, to: 39 });
    const { from, to } = instWindow(block, { marks, selectedInst: -1 });
    expect(from <= 80 && 80 < to && to - from <= 38).toBe(true);
    expect(instWindow(block, { marks: new Map(), selectedInst: 99 }).to).toBe(100);
  });

  it("of tables have one row for each target, the default last", () => {
    const table = { name: "JT0", base: -1, default: 7, entries: [5, 5, 6, 7, 5] };
    expect(tableRows(table, (id) => `B${id}`).map((r) => `${r.cases} → ${r.label}`)).toEqual(["-1-0, 3 → B5", "1 → B6", "default, 2 → B7"]);
  });
});

describe("pictures", () => {
  const colours = Object.fromEntries(PICTURE_COLOURS.map((name) => [name, "#123456"])) as PictureColours;

  it("hold what exists at the step, as well-formed text", async () => {
    const store = createFaceStore();
    const gone = LOOP_BLOCKS.filter((b) => b.id !== 3).map((b) =>
      b.id === 1 ? { ...b, label: "a<b>&c", succs: [2], succKinds: ["fall" as const] } : b,
    );
    const drawing = await draw(LOOP);
    store.update({ drawing, moment: momentOf(gone) });
    const svg = pictureSvg({ drawing, node: store.node, edge: store.edge, colours, title: `"t" & 'u'` });
    expect(svg).toContain("a&#60;b&#62;&#38;c");
    expect(svg).not.toContain("BB3");
    expect(svg.match(/<path /g)).toHaveLength(3);
    expect(svg.match(/<(?!\/)[a-z]+/g)!.length).toBe(svg.match(/<\/[a-z]+>|\/>/g)!.length);
    expect(svg).not.toMatch(/undefined|NaN|null/);
  });
});
