import { describe, expect, it } from "vitest";
import type { TraceInfo } from "../../engine/api/types.ts";
import { EVENT_KINDS } from "../../engine/trace/kinds.ts";
import { KIND_GROUPS } from "../session/event-kinds.ts";
import { computeLanes, stepAt } from "./lanes.ts";

function trace(rows: readonly (readonly [kind: (typeof EVENT_KINDS)[number], depth: number])[]): TraceInfo {
  return {
    run: 0,
    id: "x",
    steps: rows.length,
    cut: false,
    limit: 0,
    rewrites: null,
    kinds: Uint8Array.from(rows, ([k]) => EVENT_KINDS.indexOf(k)),
    depths: Uint8Array.from(rows, ([, d]) => d),
    parents: new Int32Array(rows.length),
    lines: new Uint16Array(rows.length),
    changes: new Uint8Array(rows.length),
    pseudocode: [],
    structures: [],
  };
}

describe("computeLanes", () => {
  it("counts every event once, in its group", () => {
    const lanes = computeLanes(
      trace([
        ["visit", 0],
        ["match", 1],
        ["rewrite", 1],
        ["visit", 0],
        ["inst-delete", 1],
      ]),
      2,
    );
    const sum = (group: string) => [
      ...lanes.counts.subarray(KIND_GROUPS.indexOf(group as never) * 2, KIND_GROUPS.indexOf(group as never) * 2 + 2),
    ];
    expect(sum("change")).toEqual([1, 1]);
    expect(sum("decide")).toEqual([1, 0]);
    expect(sum("walk")).toEqual([1, 1]);
  });

  it("never has more columns than steps", () => {
    expect(computeLanes(trace([["note", 0]]), 900).columns).toBe(1);
    expect(computeLanes(trace([]), 900).columns).toBe(1);
  });

  it("finds spans with their ends", () => {
    const lanes = computeLanes(
      trace([
        ["round", 0],
        ["visit", 1],
        ["match", 2],
        ["visit", 1],
        ["note", 0],
      ]),
      10,
    );
    expect(lanes.spans).toContainEqual({ first: 0, last: 3, depth: 0 });
    expect(lanes.spans).toContainEqual({ first: 1, last: 2, depth: 1 });
    expect(lanes.spans).toHaveLength(2);
  });

  it("maps positions to steps", () => {
    expect([stepAt(-0.1, 10), stepAt(0, 10), stepAt(0.55, 10), stepAt(1, 10), stepAt(0.5, 0)]).toEqual([-1, 0, 5, 9, -1]);
  });
});
