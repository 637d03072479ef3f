import { expect, it } from "vitest";
import type { BlockView } from "../../engine/api/types.ts";
import { lineDiffs } from "./line-diffs.ts";
import type { MomentState } from "./moment.ts";

type Line = readonly [id: number, line: number, text: string];
const moment = (blocks: Readonly<Record<string, readonly Line[]>>) =>
  ({
    layout: Object.keys(blocks).map((_, i) => i),
    blocks: new Map(
      Object.entries(blocks).map(([label, insts], id) => [
        id,
        { id, label, line: 0, insts: insts.map(([inst, line, text]) => ({ id: inst, line, text })) } as unknown as BlockView,
      ]),
    ),
  }) as unknown as MomentState;

it("tells deleted, moved and replaced lines apart, and leaves the others out", () => {
  const input = moment({
    A: [
      [0, 1, "MOV R1, 0"],
      [1, 2, "IADD R2, R1, 1"],
    ],
    B: [
      [2, 4, "STG [RD0], R2"],
      [3, 5, "EXIT"],
    ],
  });
  const now = moment({
    A: [
      [1, 2, "MOV R2, 1"],
      [2, 4, "STG [RD0], R2"],
    ],
    B: [[3, 5, "EXIT"]],
  });
  expect([...lineDiffs(input, now)].map(([line, { diff, text }]) => [line, diff, text])).toEqual([
    [1, "deleted", "Deleted: nothing of this line is left in the program."],
    [2, "replaced", "Now: MOV R2, 1"],
    [4, "moved", "Moved from B to A."],
  ]);
  expect(lineDiffs(input, input).size).toBe(0);
  expect([...lineDiffs(input, now, (line) => (line === 2 ? null : "Tail merging")).values()].map((diff) => diff.text)).toEqual([
    "Deleted by Tail merging: nothing of this line is left in the program.",
    "Now: MOV R2, 1",
    "Moved by Tail merging from B to A.",
  ]);
});
