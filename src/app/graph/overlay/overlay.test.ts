import { describe, expect, it } from "vitest";
import type { Analyses, ExecReport } from "../../../engine/api/types.ts";
import type { CellValue } from "../../session/moment.ts";
import { structureNumbers } from "../../session/value-numbers.ts";
import { blockView, LOOP_BLOCKS, momentOf } from "../testing/sample.ts";
import { countShade, shadeOf } from "./heat.ts";
import { overlayData } from "./overlay.ts";
import { valueNumbers } from "./values.ts";

const IN_LOOP = 0x800000;
const analyses: Analyses = {
  idom: [
    [0, null],
    [1, 0],
    [2, 1],
    [3, 1],
  ],
  ipdom: [
    [0, 1],
    [1, 3],
    [2, 1],
    [3, null],
  ],
  loops: [{ header: 1, latches: [2], blocks: [1, 2], natural: true, parent: null }],
  loopsCut: null,
  innermost: [
    [1, 1],
    [2, 1],
  ],
  retreatingEdges: [[2, 1]],
  irreducible: false,
  liveIn: [
    [0, ["R0"]],
    [1, ["R0", "R1", "R2", "R3", "R4", "R5", "R6", "R7"]],
  ],
  liveOut: [
    [0, ["R0", "R1"]],
    [1, []],
  ],
  liveCut: null,
  divergent: [1],
  divergenceCapped: false,
};
const sources = { moment: momentOf(LOOP_BLOCKS), analyses, report: null, values: null };

describe("overlays", () => {
  it("draw the dominator tree as arrows from dominator to block", () => {
    const data = overlayData("dominators", sources);
    expect(data?.links).toEqual([
      [0, 1],
      [1, 2],
      [1, 3],
    ]);
    expect(data?.nodes.get(2)?.chips[0]).toMatchObject({ text: "idom BB1", title: "Dominated by BB1, BB0" });
    expect(overlayData("post-dominators", sources)?.nodes.get(0)?.chips[0]?.text).toBe("ipdom BB1");
    expect(overlayData("dominators", { ...sources, analyses: null })).toBeNull();
  });

  it("tell the RPO interval from the natural loop", () => {
    const blocks = LOOP_BLOCKS.map((b) => (b.id === 1 || b.id === 3 ? { ...b, flags: IN_LOOP } : b));
    const data = overlayData("loops", { ...sources, moment: momentOf(blocks) });
    expect([1, 2, 3].map((id) => data?.nodes.get(id)?.tone)).toEqual(["loop-both", "loop-natural", "loop-interval"]);
    expect(data?.nodes.get(2)?.chips.map(({ text }) => text)).toContain("depth 1");
    expect(data?.note).toBe("2 blocks are in one and not in the other.");
  });

  it("list live registers, the first few of many", () => {
    const data = overlayData("liveness", sources);
    expect(overlayData("liveness", { ...sources, analyses: { ...analyses, liveCut: 2 } })?.note).toContain("first 2 blocks");
    expect(data?.nodes.get(1)?.chips.map((c) => c.text)).toEqual(["in R0 R1 R2 R3 R4 R5 +2", "out –"]);
    expect(data?.nodes.get(1)?.chips[0]?.title).toContain("R7");
    // The block with the most has the strongest shade: that is seen where no text is.
    expect(data?.nodes.get(1)?.tone).toBe("heat-4");
    expect(data?.nodes.get(0)?.tone).toBe("heat-1");
    expect([0, 1, 4, 5, 8].map((n) => countShade(n, 8))).toEqual(["heat-0", "heat-1", "heat-2", "heat-2", "heat-4"]);
  });

  it("shade executions by order of magnitude and say where they were counted", () => {
    expect([0, 1, 10, 100, 1000].map((n) => shadeOf(n, 1000))).toEqual(["heat-0", "heat-1", "heat-2", "heat-3", "heat-4"]);
    const report = { heat: [{ block: 1, executions: 40, divergences: 3 }] } as unknown as ExecReport;
    const run = { report, where: "this step" };
    expect(overlayData("heat", { ...sources, report: run })?.nodes.get(1)?.chips[0]?.text).toBe("× 40");
    const capped = { ...sources, analyses: { ...analyses, divergenceCapped: true } };
    expect(overlayData("divergence", capped)?.note).toContain("too large");
    expect(overlayData("divergence", { ...sources, report: run })?.nodes.get(1)?.chips[0]?.text).toBe("diverges 3/40");
    expect(overlayData("heat", sources)?.note).toContain("Run on inputs");
  });

  it("show profile weights, and say how to give some", () => {
    const weighed = momentOf([blockView(0, { weight: 900 }), blockView(1)]);
    expect(overlayData("weights", { ...sources, moment: weighed })?.nodes.get(0)?.tone).toBe("heat-4");
    expect(overlayData("weights", sources)?.note).toContain(".weight");
  });

  it("take value numbers from events up to the step", () => {
    const event = (step: number, inst: number, value: number) =>
      ({ step, kind: "value-number", facts: { value }, focus: { insts: [inst] } }) as never;
    const events = [event(1, 10, 5), event(2, 11, 5), event(9, 12, 6)];
    expect([...valueNumbers(events, 5)]).toEqual([
      [10, 5],
      [11, 5],
    ]);
    const data = overlayData("values", { ...sources, values: valueNumbers(events, 9) });
    expect(data?.legend).toHaveLength(1);
    expect(data?.legend[0]?.text).toBe("value 5: 2 instructions");
  });

  it("take value numbers from the structure: of the expression, else of the register", () => {
    const cells = new Map<string, CellValue>([
      ["10", { number: 5, key: 5 }],
      ["11", { number: 8, key: 5 }],
      ["12", { number: 6, key: -1 }],
      ["meta", "odd"],
    ]);
    expect([...structureNumbers(cells)]).toEqual([
      [10, 5],
      [11, 5],
      [12, 6],
    ]);
  });
});
