import { describe, expect, it } from "vitest";
import type { BlockView } from "../../engine/api/types.ts";
import type { MomentState } from "../session/moment.ts";
import { outlineRows } from "./tree.ts";

const block = (id: number): BlockView => ({
  id,
  label: `B${id}`,
  insts: [],
  succs: [],
  preds: [],
  succKinds: [],
  weight: null,
  rpo: 0,
  latchExit: 0,
  flags: 0,
  flags2: 0,
  scratch120: 0,
  scratch232: 0,
  line: 0,
});
const moment = (layout: number[]): MomentState => ({
  run: 0,
  step: -1,
  name: "",
  entry: 0,
  blocks: new Map(layout.map((id) => [id, block(id)])),
  layout,
  tables: [],
  funcFlags: 0,
  structures: new Map(),
  event: null,
  stack: [],
  changed: { blocks: [], insts: [] },
});

describe("outlineRows", () => {
  it("nests loops and keeps their blocks together", () => {
    const loops = [
      { header: 1, own: [1, 4], parent: null },
      { header: 2, own: [2], parent: 1 },
    ];
    expect(outlineRows(moment([0, 1, 2, 3, 4]), loops).map((r) => [r.block.id, r.depth, r.header])).toEqual([
      [0, 0, false],
      [1, 1, true],
      [2, 2, true],
      [4, 1, false],
      [3, 0, false],
    ]);
  });

  it("puts a header before the rest of its loop, and takes nests of any depth", () => {
    expect(outlineRows(moment([2, 1]), [{ header: 1, own: [1, 2], parent: null }]).map((r) => r.block.id)).toEqual([1, 2]);
    const n = 20_000;
    const ids = Array.from({ length: n }, (_, i) => i);
    const rows = outlineRows(
      moment(ids),
      ids.map((i) => ({ header: i, own: [i], parent: i === 0 ? null : i - 1 })),
    );
    expect(rows.at(-1)).toMatchObject({ depth: n, header: true });
  });

  it("leaves out what no longer exists", () => {
    expect(outlineRows(moment([0]), [{ header: 9, own: [9], parent: null }]).map((r) => r.block.id)).toEqual([0]);
  });
});
