import { describe, expect, it } from "vitest";
import { PASS_IDS, type PassId } from "../passes/positions.ts";
import { brokenBy, checkOrder, ORDER_CONSTRAINTS } from "./constraints.ts";

describe("checkOrder", () => {
  it("accepts the pipeline", () => {
    expect(checkOrder(PASS_IDS)).toEqual([]);
  });

  it.each(ORDER_CONSTRAINTS.map((c) => [c.earlier, c.later, c] as const))("refuses %s after %s", (earlier, later, constraint) => {
    expect(checkOrder([later, earlier])).toMatchObject([{ constraint, at: constraint.kind === "feeds" ? 0 : 1 }]);
    expect(checkOrder([earlier, later])).toEqual([]);
  });

  it.each<[PassId[], string[]]>([
    [["expand-jmx-computation"], []],
    [
      ["gvn-cse", "general-optimize-mid2", "gvn-cse"],
      ["GvnCse runs before GeneralOptimizeMid2, but should follow it: copies would hide equal operands from value numbering."],
    ],
    [["general-optimize-mid2", "gvn-cse", "general-optimize-mid2"], []],
    [
      ["do-switch-opt-second", "expand-jmx-computation", "do-switch-opt-second"],
      ["DoSwitchOptSecond runs with no ExpandJmxComputation after it: a JMX is a pseudo-instruction and must be expanded."],
    ],
    [[], []],
  ])("%j", (order, messages) => {
    expect(checkOrder(order).map((v) => v.message)).toEqual(messages);
  });
});

describe("brokenBy", () => {
  const without = (id: PassId) => PASS_IDS.filter((one) => one !== id);

  it("says nothing of the pipeline as it is, nor of what was broken before", () => {
    expect(brokenBy(PASS_IDS, PASS_IDS)).toEqual([]);
    const wrong: PassId[] = ["gvn-cse", "general-optimize-mid2"];
    expect(brokenBy(wrong, wrong)).toEqual([]);
  });

  it("says of a phase that moves what it comes too early or too late for", () => {
    expect(brokenBy(["general-optimize-mid2", "gvn-cse"], ["gvn-cse", "general-optimize-mid2"])).toEqual([
      "GvnCse runs before GeneralOptimizeMid2, but should follow it: copies would hide equal operands from value numbering.",
    ]);
  });

  it.each(ORDER_CONSTRAINTS.map((c) => [c.earlier, c.later, c] as const))(
    "%s and %s: says what is missing",
    (earlier, later, { kind, reason }) => {
      const said = brokenBy(PASS_IDS, without(kind === "feeds" ? earlier : later));
      expect(said.filter((sentence) => sentence.endsWith(`: ${reason}.`)).length).toBeGreaterThan(0);
    },
  );
});
