/** The measured report of the three strategies. */

import { describe, expect, it } from "vitest";
import { listSwitches, type SelectorDistribution, switchReport } from "./report.ts";
import { chainText, parse } from "./testing/chain.ts";

const limits = { cascadeMax: 4, tableDensity: 5, tableMinCases: 2 };

function report(values: readonly number[], distribution: SelectorDistribution) {
  const { fn } = parse(chainText(values));
  const [first] = listSwitches(fn, "notes");
  const made = first === undefined ? null : switchReport(fn, first.head, { policy: "notes", limits, distribution });
  if (made === null) throw new Error("no switch");
  return made;
}

const cost = (r: ReturnType<typeof report>, strategy: string) => r.strategies.find((s) => s.strategy === strategy);

describe("the report of a switch", () => {
  it("is plain data", () => {
    const r = report([10, 11, 12, 10, 14], { kind: "cases" });
    expect(JSON.parse(JSON.stringify(r))).toEqual(r);
    expect(r.cases.map((c) => c.counts)).toEqual([true, true, true, false, true]);
    expect(r.facts).toMatchObject({ cases: 5, distinct: 4, min: 10, max: 14, range: 5 });
  });

  it("counts no divergence when all lanes agree, and each strategy's own instructions", () => {
    const r = report([10, 11, 12, 13, 14, 15], { kind: "one", value: 15 });
    // Six compares and branches; normalize, compare, branch, jump; three levels of the tree.
    expect(cost(r, "cascade")?.measured).toEqual({ instructions: 12, divergentBranches: 0, syncDepth: 0, bodies: 1 });
    expect(cost(r, "table")?.measured).toEqual({ instructions: 4, divergentBranches: 0, syncDepth: 0, bodies: 1 });
    expect(cost(r, "tree")?.measured?.divergentBranches).toBe(0);
  });

  it("shows that a table goes apart once, a cascade at every compare", () => {
    const r = report([10, 11, 12, 13, 14, 15, 16, 17], { kind: "random", seed: 5 });
    expect(cost(r, "table")?.measured?.divergentBranches).toBe(1);
    expect(cost(r, "cascade")?.measured?.divergentBranches).toBeGreaterThanOrEqual(5);
    expect(r.notes.strategy).toBe("table");
  });

  it("takes the default with values that are no case, and given values lane by lane", () => {
    expect(new Set(report([0, 1, 3, 4, 5], { kind: "default" }).selectors)).toEqual(new Set([2]));
    expect(report([0, 1, 3, 4, 5], { kind: "values", values: [7, -1] }).selectors.slice(0, 4)).toEqual([7, -1, 7, -1]);
  });

  it("says why a table cannot be built", () => {
    const r = report([-0x80000000, 0x7fffffff, 0, 5, 9], { kind: "cases" });
    expect(cost(r, "table")).toMatchObject({ measured: null, problem: expect.stringContaining("4294967296 entries") });
    expect(cost(r, "tree")?.measured).not.toBe(null);
  });

  it("is null for a block outside of every chain", () => {
    const { fn } = parse(chainText([1, 2, 3]));
    const last = fn.layout.at(-1);
    expect(last === undefined ? undefined : switchReport(fn, last, { policy: "notes", limits, distribution: { kind: "cases" } })).toBe(
      null,
    );
  });
});
