import { describe, expect, it } from "vitest";
import { conditionProblem, conditionTest, parseCondition } from "./condition.ts";
import { Recording } from "./recording.ts";
import { toyFunc } from "./testing/toy.ts";
import { Trace } from "./trace.ts";

const recording = new Recording(toyFunc(3));
recording.event("rewrite", 4, "{x} moves", { x: "BB1", cost: 3, cheap: false, at: [1, 2], none: null }, {
  blocks: [1],
  edges: [[0, 2]],
} as never);
recording.event("match", 5, "no", { verdict: "no" }, { nodes: ["values/n3"], regs: [8] } as never);
const trace = new Trace(recording, toyFunc(3));

function holds(text: string, step: number): boolean {
  const parsed = parseCondition(text);
  if (!parsed.ok) throw new Error(parsed.error.message);
  return conditionTest(trace, parsed.condition)(step);
}

describe("conditions", () => {
  it.each([
    ["kind = rewrite", 0],
    ["kind = rewrite and block = BB1", 0],
    ["block = BB2 and edge = BB0->BB2", 0],
    ["cost > 2 and cost <= 3 and cost != 4", 0],
    ["not cheap and not none and cost", 0],
    ["at = 2", 0],
    ['sentence ~ "moves"', 0],
    ["kind = match or kind = rewrite and line = 5", 1],
    ["(kind = match or kind = rewrite) and line = 5", 1],
    ["node = values/n3 and reg = R1", 1],
    ["verdict = no and not (line = 4)", 1],
  ])("%s holds at step %i only", (text, step) => {
    expect([0, 1].filter((s) => holds(text, s))).toEqual([step]);
  });

  it.each([
    ["kind =", "column 7: expected a value after 'kind ='"],
    ["kind = rewrite and", "column 19: expected a name such as kind, block or line"],
    ["(line = 3", "column 10: expected ')'"],
    ["kind = rewrit", "column 8: there is no kind of event 'rewrit'; did you mean 'rewrite'?"],
    ["line = 3 b", "column 10: expected 'and', 'or' or the end, not 'b'"],
    ["kind § a", "column 6: '§' has no meaning in a condition"],
    ["= 3", "column 1: expected a name, not '='"],
    ["", "column 1: expected a name such as kind, block or line"],
  ])("%s: %s", (text, message) => {
    expect(conditionProblem(text)).toBe(message);
  });

  it("refuses endless nesting without overflowing", () => {
    expect(conditionProblem("(".repeat(900))).toContain("more than 40 levels");
    expect(conditionProblem("x".repeat(5000))).toContain("at most");
    expect(conditionProblem(`${"not ".repeat(200)}x`)).toBe(null);
  });
});
