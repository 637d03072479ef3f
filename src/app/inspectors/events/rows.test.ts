import { describe, expect, it } from "vitest";
import type { TraceInfo } from "../../../engine/api/types.ts";
import { EVENT_KINDS } from "../../../engine/trace/kinds.ts";
import { opensSpan, rowOfStep, visibleSteps } from "./rows.ts";

const KINDS = ["visit", "match", "rewrite", "visit", "match", "note"] as const;
const trace: TraceInfo = {
  run: 0,
  id: "x",
  steps: KINDS.length,
  cut: false,
  limit: 0,
  rewrites: null,
  kinds: Uint8Array.from(KINDS, (k) => EVENT_KINDS.indexOf(k)),
  depths: Uint8Array.from([0, 1, 1, 0, 1, 0]),
  parents: new Int32Array(6),
  lines: new Uint16Array(6),
  changes: new Uint8Array(6),
  pseudocode: [],
  structures: [],
};

describe("visibleSteps", () => {
  it("hides what a closed span holds", () => {
    expect([...visibleSteps(trace, [], new Set([0]), null)]).toEqual([0, 3, 4, 5]);
  });
  it("hides groups, but not what is inside", () => {
    expect([...visibleSteps(trace, ["walk"], new Set(), null)]).toEqual([1, 2, 4]);
  });
  it("shows matches even in closed spans", () => {
    expect([...visibleSteps(trace, [], new Set([0]), new Set([2]))]).toEqual([2]);
  });
  it("finds rows of steps", () => {
    const rows = visibleSteps(trace, ["walk"], new Set(), null);
    expect([-1, 0, 1, 3, 5].map((s) => rowOfStep(rows, s))).toEqual([-1, -1, 0, 1, 2]);
    expect([0, 1, 2].map((s) => opensSpan(trace, s))).toEqual([true, false, false]);
  });
});
