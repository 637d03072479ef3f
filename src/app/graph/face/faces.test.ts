import { describe, expect, it } from "vitest";
import { TAG_HEIGHT } from "../model/metrics.ts";
import { blockView, draw, LOOP, LOOP_BLOCKS, momentOf, unionOf } from "../testing/sample.ts";
import { createFaceStore } from "./face-store.ts";

const LOOP_DRAWN = await draw(LOOP);

function storeWith(moment = momentOf(LOOP_BLOCKS), drawing = LOOP_DRAWN) {
  const faces = createFaceStore();
  faces.update({ drawing, moment });
  const told: string[] = [];
  faces.store.subscribe(({ nodes, edges }, before) => {
    for (const [id, face] of nodes) if (face !== before.nodes.get(id)) told.push(id);
    for (const [id, face] of edges) if (face !== before.edges.get(id)) told.push(id);
  });
  return { faces, told };
}

describe("faces", () => {
  it("tell only the cards and lines that a step touched", async () => {
    const { faces, told } = storeWith();
    const event = { kind: "match", focus: { blocks: [2], insts: [11] } } as never;
    faces.update({ moment: { ...momentOf(LOOP_BLOCKS, event), blocks: faces.store.getState().inputs.moment!.blocks } });
    expect(told.sort()).toEqual(["b1", "b2"]);
    expect(faces.node("b2")).toMatchObject({ focus: true, changed: false });
    expect(faces.node("b1")?.marks.get(11)).toMatchObject({ focus: true });
    told.length = 0;
    // The same again: nothing is new.
    faces.update({ moment: { ...faces.store.getState().inputs.moment! } });
    expect(told).toEqual([]);
  });

  it("make ghosts of blocks and edges that the state has not", async () => {
    const { faces } = storeWith(
      momentOf(LOOP_BLOCKS.filter((b) => b.id !== 2).map((b) => (b.id === 1 ? blockView(1, { succs: [3], succKinds: ["jump"] }) : b))),
    );
    expect(faces.node("b2")).toMatchObject({ present: false, block: null });
    expect(faces.edge("b1>b2")).toMatchObject({ present: false });
    expect(faces.edge("b1>b3")).toMatchObject({ present: true, label: "", kind: "jump" });
  });

  it("hide the loop around a block of which only a tag is left, and nothing else", async () => {
    const looped = unionOf(
      2,
      [
        [0, 1, "fall", 0],
        [1, 1, "taken", 0, true],
      ],
      [{ header: 1, own: [1], parent: null }],
    );
    const drawing = await draw(looped);
    const seen = (blocks: Parameters<typeof momentOf>[0]) => storeWith(momentOf(blocks), drawing).faces.edge("b1>b1");
    const entry = blockView(0, { succs: [1], succKinds: ["fall"] });
    expect(seen([entry, blockView(1, { succs: [1], succKinds: ["taken"] })])).toMatchObject({ present: true, hidden: false });
    expect(seen([entry, blockView(1, { succs: [], succKinds: [] })])).toMatchObject({ present: false, hidden: false });
    expect(seen([blockView(0, { succs: [], succKinds: [] })])).toMatchObject({ present: false, hidden: true });
  });

  it("say of a line that it leaves a card of which only a tag is left, and of none that leaves a whole card", async () => {
    const { faces } = storeWith(momentOf([blockView(0, { succs: [], succKinds: [] }), blockView(2), blockView(3)]));
    expect(faces.edge("b1>b2")).toMatchObject({ present: false, foot: TAG_HEIGHT, hidden: false });
    expect(faces.edge("b0>b1")).toMatchObject({ present: false });
  });

  it("name the sides of a branch and the edges that run back", async () => {
    const { faces } = storeWith();
    expect(faces.edge("b1>b3")?.label).toBe("T");
    expect(faces.edge("b1>b2")?.label).toBe("F");
    expect(faces.edge("b0>b1")?.label).toBe("");
    expect(faces.edge("b2>b1")?.retreating).toBe(true);
  });

  it("give a register to the cards that mention it, and no others", async () => {
    const { faces, told } = storeWith();
    faces.update({ selected: { kind: "reg", name: "R1" } });
    expect(told.sort()).toEqual(["b0", "b1", "b2"]);
    expect(faces.node("b3")?.reg).toBeNull();
  });

  it("show the selection in a collapsed loop on its region, and edges of the event on their line", async () => {
    const { faces } = storeWith(momentOf(LOOP_BLOCKS), await draw(LOOP, { collapsedLoops: new Set([1]) }));
    faces.update({ selected: { kind: "inst", id: 12 } });
    expect(faces.node("loop:b1")).toMatchObject({ selected: true, selectedInst: 12 });
    const event = { kind: "edge-remove", focus: { edges: [[1, 3]] } } as never;
    faces.update({ moment: momentOf(LOOP_BLOCKS, event) });
    const line = faces.store.getState().inputs.drawing!.linesOf.get("1>3")![0]!;
    expect(faces.edge(line)?.event).toBe("removed");
  });

  it("give value numbers to the cards that hold them", async () => {
    const { faces, told } = storeWith();
    const overlay = { kind: "values" as const, nodes: new Map(), links: [], values: new Map([[12, 7]]), legend: [], note: null };
    faces.update({ overlay });
    expect(told).toEqual(["b2"]);
    expect(faces.node("b2")?.values?.get(12)).toBe(7);
    faces.update({ overlay: { ...overlay, values: new Map([[12, 7]]) } });
    expect(told).toEqual(["b2"]);
  });

  it("say which blocks cannot be reached", async () => {
    const { faces } = storeWith(
      momentOf([
        ...LOOP_BLOCKS.slice(0, 3).map((b) => (b.id === 1 ? { ...b, succs: [2], succKinds: ["fall" as const] } : b)),
        LOOP_BLOCKS[3]!,
      ]),
    );
    expect(faces.node("b3")?.unreachable).toBe(true);
    expect(faces.node("b2")?.unreachable).toBe(false);
  });
});
