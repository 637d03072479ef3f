import { describe, expect, it } from "vitest";
import type { ExecReport } from "../../../engine/api/types.ts";
import { verdictOf } from "./verdict.ts";

const counters = { warpInstructions: 30, laneInstructions: 900, branches: 2, divergentBranches: 0, maxSyncDepth: 0, loads: 0, stores: 1 };
const report = (part: Partial<ExecReport>): ExecReport => ({
  status: "ok",
  message: "",
  at: null,
  counters,
  heat: [],
  returns: [],
  memory: { out: "0102" },
  diagnostics: [],
  ...part,
});
const outcome = (where: string, part: Partial<ExecReport> = {}, input = "x") => ({ where, input, report: report(part) });

describe("the verdict of runs", () => {
  it("says that memory is the same, and what was saved", () => {
    const after = outcome("after all phases", { counters: { ...counters, warpInstructions: 19 } });
    expect(verdictOf([after, outcome("as written")])).toEqual({
      tone: "ok",
      text: "Same memory, 11 fewer instructions issued after all phases than as written.",
    });
  });

  it("names the first byte that differs", () => {
    const after = outcome("this step", { memory: { out: "0107" } });
    expect(verdictOf([after, outcome("input")])).toEqual({
      tone: "error",
      text: "The memory differs: out +1 is 0x02, then 0x07 (input, then this step).",
    });
  });

  it("decides nothing where a stand-in does, and says what is one", () => {
    const standIns = {
      message: "1 of 1 word depends on the opaque instruction 'foo' (line 3)",
      undecided: null,
      sources: [{ kind: "function" as const, what: "the opaque instruction 'foo'", func: "k", line: 3 }],
      returns: [],
      memory: { out: [{ from: 1, to: 2, source: 0 }] },
      stores: [],
    };
    const because = " 1 of 1 word depends on the opaque instruction 'foo' (line 3).";
    const one = outcome("input", { standIns });
    expect(verdictOf([one])).toMatchObject({ tone: "warn", text: expect.stringContaining(because) as string });
    expect(verdictOf([outcome("end", { standIns }), one])).toEqual({
      tone: "warn",
      text: `Same memory, as many instructions issued end as input.${because}`,
    });
    expect(verdictOf([outcome("end", { memory: { out: "0107" } }), one])).toEqual({
      tone: "warn",
      text: `Not decided: the memory differs only where it contains stand-ins (input, then end).${because}`,
    });
    expect(verdictOf([outcome("end", { memory: { out: "0702" } }), one])).toMatchObject({ tone: "error" });
    const gone = outcome("end", { standIns: { ...standIns, undecided: 0, message: "not decided: the branch depends on foo" } });
    expect(verdictOf([gone, one])?.text).toBe("Not decided (input, then end). Not decided: the branch depends on foo.");
  });

  it("compares neither runs of other inputs nor runs that did not end", () => {
    expect(verdictOf([outcome("here", {}, "y"), outcome("input", {}, "x")])?.text).toMatch(/^Ended normally: 30 instructions issued/);
    const stopped = outcome("here", { status: "fuel", message: "out of fuel" });
    expect(verdictOf([stopped, outcome("input")])).toEqual({
      tone: "error",
      text: "No comparison: here the run ended by fuel: out of fuel",
    });
    expect(verdictOf([])).toBeNull();
  });
});
