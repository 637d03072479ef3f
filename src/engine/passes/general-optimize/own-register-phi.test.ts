/** PHIs that name their own register: what they merge with depends on which definition reaches. */

import { describe, expect, it } from "vitest";
import { checkEquivalent } from "../../fuzz/equivalence.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { type PlanOptions, planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { parseModule } from "../../text/parser.ts";
import { printFunc } from "../../text/printer.ts";

const joined = (head: string, phi: string, store = "STG [RD0], R1"): string => `.kernel k(n: R0, r: R1, out: RD0)
BB0:
    ISETP.LT P0, R0, 9
${head}
@P0 BRA BB2
BB1:
    NOP
BB2:
    ${phi}
    ${store}
    EXIT
`;

const OTHER_DEFINITION: readonly (readonly [string, string])[] = [
  ["a parameter", joined("", "PHI R1, [BB0: R1], [BB1: 7]")],
  ["an earlier instruction", joined("    IADD R1, R0, 3", "PHI R1, [BB0: R1], [BB1: 7]")],
  ["a copy that is propagated", joined("    MOV R2, R1", "PHI R1, [BB0: R2], [BB1: 7]")],
  ["the value at entry", joined("", "PHI R9, [BB0: R9], [BB1: 7]", "STG [RD0], R9")],
  ["a predicate", joined("    ISETP.GT P1, R0, 2", "PHI P1, [BB0: P1], [BB1: PT]", "SEL R1, 1, 2, P1\n    STG [RD0], R1")],
  [
    "a loop's counter",
    `.kernel k(n: R0, r: R1, out: RD0)
BB0:
    MOV R2, 5
    LOP.AND R3, R0, 7
BB1:
    PHI R2, [BB0: 0], [BB1: R2]
    IADD R2, R2, 1
    ISETP.LT P0, R2, R3
@P0 BRA BB1
BB2:
    STG [RD0], R2
    EXIT
`,
  ],
];

function run(text: string, options: Partial<PlanOptions>) {
  const { module } = parseModule(text);
  const fn = module.funcs[0]!;
  const { plan, problems } = planPipeline({ ...DEFAULT_OPTIONS, ...options }, null);
  expect(problems).toEqual([]);
  const { result } = runPipeline(fn, module, plan);
  return { text: printFunc(result), check: checkEquivalent(fn, result, module, { inputs: 24, seed: 1 }) };
}

describe.each(OTHER_DEFINITION)("a PHI whose own register holds %s", (_what, text) => {
  it.each(["general-optimize-early", "29", "37", "46", "58", "65"])("keeps its meaning in phase %s", (phase) => {
    const { check } = run(text, { phases: [phase] });
    expect(check).toMatchObject({ ok: true, counterexample: null });
    expect(check.effective).toBeGreaterThan(12);
  });

  it.each([2, 3])("keeps its meaning through the whole pipeline at -O%i", (level) => {
    for (const policy of ["notes", "measured"] as const) expect(run(text, { level, policy }).check).toMatchObject({ counterexample: null });
  });
});

it("a PHI that keeps its own result around a loop is still the constant it began with", () => {
  const text = `.kernel k(n: R0, out: RD0)
BB0:
    MOV R3, 0
BB1:
    PHI R1, [BB0: 7], [BB1: R1]
    IADD R3, R3, 1
    ISETP.LT P0, R3, R0
@P0 BRA BB1
BB2:
    STG [RD0], R1
    EXIT
`;
  const result = run(text, { phases: ["29"] });
  expect(result.check).toMatchObject({ ok: true });
  expect(result.text).not.toContain("PHI");
  expect(result.text).toContain("STG     [RD0], 7");
});
