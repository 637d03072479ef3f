import { describe, expect, it } from "vitest";
import type { AlignedBlock, AlignReport } from "../engine/align/report.ts";
import { alignRows, edgesText } from "./rows.ts";

const block = (id: number, label: string, match: number | null, succs: readonly number[] = []): AlignedBlock => ({
  id,
  label,
  line: 0,
  instructions: ["EXIT"],
  succs,
  loopDepth: 0,
  isLoopHeader: false,
  match,
});

const report: AlignReport = {
  ok: true,
  ours: { name: "k", blocks: [block(0, "BB0", 5), block(1, "BB1", null)] },
  real: { name: "k", blocks: [block(5, "L_0000", 0, [6, 9]), block(6, ".L_x_0", null)] },
  candidates: ["k"],
  pairs: [{ ours: 0, real: 5, score: 0.9, reasons: ["compare 7", "call"] }],
  decisions: [
    { id: "blocks", title: "blocks", ours: 2, real: 2, agree: true },
    { id: "loops", title: "loops", ours: 1, real: 0, agree: false },
    { id: "calls", title: "calls", ours: 0, real: 0, agree: true },
  ],
  score: 0.9,
  notes: [],
  diagnostics: [],
};

describe("alignRows", () => {
  it("joins pairs with their blocks and lists what is alone", () => {
    const rows = alignRows(report);
    expect(rows.pairs.map((p) => [p.ours.label, p.real.label, p.reasons])).toEqual([["BB0", "L_0000", "compare 7, call"]]);
    expect(rows.onlyOurs.map((b) => b.label)).toEqual(["BB1"]);
    expect(rows.onlyReal.map((b) => b.label)).toEqual([".L_x_0"]);
  });

  it("leaves out decisions that neither side made", () => {
    const { decisions, agreeing } = alignRows(report);
    expect(decisions.map((d) => d.id)).toEqual(["blocks", "loops"]);
    expect(agreeing).toBe(1);
  });
});

describe("edgesText", () => {
  it("names the successors, or says that there are none", () => {
    const { blocks } = report.real;
    expect(edgesText(blocks[0]!, blocks)).toBe("→ .L_x_0, #9");
    expect(edgesText(blocks[1]!, blocks)).toBe("ends the thread");
  });
});
