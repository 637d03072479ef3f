import { expect, test } from "vitest";
import type { CellValue } from "../../../session/moment.ts";
import { sortedCandidates } from "./tails.tsx";

test("candidates stand by hash, then priority, then layout place, whatever the order they came in", () => {
  const cells = new Map<string, CellValue>([
    ["late", { hash: 40, priority: 0, place: 9 }],
    ["condition", { hash: 7, priority: 2, place: 1 }],
    ["early", { hash: 40, priority: 0, place: 3 }],
    ["jump", { hash: 7, priority: 0, place: 5 }],
    // Its hash is not ready: no priority yet.
    ["coming", { hash: 7, priority: null, place: 8 }],
    ["no row", "text"],
  ]);
  expect(sortedCandidates(cells).map((row) => row.key)).toEqual(["coming", "jump", "condition", "early", "late"]);
});
