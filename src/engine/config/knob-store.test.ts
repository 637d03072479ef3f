import { describe, expect, it } from "vitest";
import { type Facts, formatSentence } from "../trace/event.ts";
import { NO_RECORDER, type Recorder } from "../trace/recorder.ts";
import { createKnobReader } from "./knob-store.ts";

interface Seen {
  kind: string;
  line: number;
  sentence: string;
}

function listener(): { rec: Recorder; seen: Seen[] } {
  const seen: Seen[] = [];
  const event = (kind: string, line: number, template: string, facts: Facts = {}) => {
    seen.push({ kind, line, sentence: formatSentence(template, facts) });
  };
  return { rec: { ...NO_RECORDER, on: true, event }, seen };
}

describe("createKnobReader", () => {
  it("gives defaults, settings, and the default for a setting of the wrong type", () => {
    const reader = createKnobReader(
      { "tail-merge-size": 7, "enable-gvn-cse": false, "gvn-mode": "four" as never, "limit-fold-fp": 1 },
      NO_RECORDER,
    );
    expect(reader.int("tail-merge-size")).toBe(7);
    expect(reader.int("tail-merge-threshold")).toBe(150);
    expect(reader.int("gvn-mode")).toBe(4);
    expect(reader.flag("enable-gvn-cse")).toBe(false);
    expect(reader.flag("limit-fold-fp")).toBe(false);
    expect(reader.double("mov-weight")).toBe(0.25);
    expect(reader.optionalInt("indexed-size-limit")).toBeNull();
  });

  it("says each knob once, at the line given", () => {
    const { rec, seen } = listener();
    const reader = createKnobReader({ "switch-cascade-max-cases": 2 }, rec, 3);
    reader.int("switch-cascade-max-cases");
    reader.int("switch-cascade-max-cases", 9);
    reader.flag("enable-gvn-cse", 5);
    reader.budget("convergence-budget");
    expect(seen).toEqual([
      { kind: "knob", line: 3, sentence: "switch-cascade-max-cases is 2 (set)" },
      { kind: "knob", line: 5, sentence: "EnableGvnCse is on (default)" },
      { kind: "knob", line: 3, sentence: "MergeEquivalentConditionalFlowBudget is unbounded (default)" },
    ]);
  });

  it("counts a budget and says the first refusal only", () => {
    const { rec, seen } = listener();
    const budget = createKnobReader({ "convergence-budget": 2 }, rec).budget("convergence-budget");
    expect([budget.take(), budget.take(), budget.take(7), budget.take(8)]).toEqual([true, true, false, false]);
    expect([budget.spent, budget.limit]).toEqual([2, 2]);
    expect(seen.slice(1)).toEqual([{ kind: "budget", line: 7, sentence: "MergeEquivalentConditionalFlowBudget is spent: 2 of 2" }]);
  });

  it("never refuses an unbounded budget, and counts all the same", () => {
    const budget = createKnobReader({}, NO_RECORDER).budget("switch-opt-budget");
    for (let i = 0; i < 1000; i += 1) expect(budget.take()).toBe(true);
    expect(budget.spent).toBe(1000);
    expect(budget.limit).toBeNull();
  });
});
