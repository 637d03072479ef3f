import { describe, expect, it } from "vitest";
import { reversePostOrder } from "../../analysis/order.ts";
import type { KnobSettings } from "../../config/knob-parse.ts";
import { targetOf } from "../../config/targets.ts";
import { Editor } from "../../ir/edit.ts";
import type { Func } from "../../ir/types.ts";
import { runPassOnce } from "../../pipeline/run-phase.ts";
import { Remarks } from "../../remark/remarks.ts";
import { fnv1a32 } from "../../structures/fnv.ts";
import { parseModule } from "../../text/parser.ts";
import { printFunc } from "../../text/printer.ts";
import { NO_RECORDER } from "../../trace/recorder.ts";
import { Recording } from "../../trace/recording.ts";
import { Trace } from "../../trace/trace.ts";
import { eraseCascade } from "./erase.ts";
import { oriBranchOpt, RULES } from "./ori-branch-opt.ts";
import { BranchOptState } from "./state.ts";

const env = { target: targetOf("sm_90"), level: 3, policy: "measured", knobs: {}, rec: NO_RECORDER } as const;

function run(text: string): { readonly fn: Func; readonly figures: Readonly<Record<string, number>> } {
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const result = runPassOnce(oriBranchOpt, "ori-branch-opt", module.funcs[0]!, { ...env, module });
  expect(result.error).toBe(null);
  return { fn: result.fn, figures: result.outcome!.figures! };
}

interface Told {
  readonly kind: string;
  readonly sentence: string;
  /** Row of the phase's table at that step, as JSON. */
  readonly row: (key: string) => string | undefined;
}

/** What is reported of a run, under policy 'notes'. */
function told(text: string, knobs: KnobSettings = {}, skips: readonly number[] = []) {
  const { module } = parseModule(text);
  const fn = module.funcs[0]!;
  const recording = new Recording(fn);
  const interventions = { skips: new Set(skips), drops: new Set<string>() };
  const given = { ...env, policy: "notes", knobs, rec: recording, module, interventions } as const;
  const { outcome, fn: after, error } = runPassOnce(oriBranchOpt, "ori-branch-opt", fn, given);
  expect(error).toBe(null);
  const trace = new Trace(recording, fn);
  const { journal } = trace;
  const steps = Array.from({ length: trace.steps }, (_, step): Told => {
    trace.funcAt(step);
    const rows = new Map<string, string>();
    for (let cell = 0; cell < journal.cells; cell++) rows.set(journal.keyOfCell(cell), JSON.stringify(trace.cell(cell)));
    return { kind: trace.event(step).kind, sentence: trace.event(step).sentence, row: (key) => rows.get(key) };
  });
  return { steps, outcome: outcome!, text: printFunc(after) };
}

describe("what the reference says", () => {
  const STORE = "    STG [RD0], 1\n";
  /** Three jumps to the next block. */
  const JUMPS = `.kernel k(out: RD0)\nBB0:\n${STORE}    BRA BB1\nBB1:\n${STORE}    BRA BB2\nBB2:\n${STORE}    BRA BB3\nBB3:\n    EXIT\n`;

  it("knob 464 gates the inner loop: once it is spent, each further block is tested once and left as it is", () => {
    const { steps, outcome, text } = told(JUMPS, { "convergence-budget": 1 });
    const of = (what: RegExp) => steps.filter(({ sentence }) => what.test(sentence)).map(({ sentence }) => sentence);
    expect(of(/is examined$/)).toHaveLength(4);
    expect(of(/examined again/)).toEqual(["BB0 is examined again"]);
    expect(of(/is left as it is/)).toHaveLength(2);
    expect(outcome).toMatchObject({ rewrites: 1, figures: { fold: 1 } });
    expect(text.match(/BRA/g)).toHaveLength(2);
  });

  it("a rule that matched is counted once, whatever became of it", () => {
    const others = told(JUMPS).steps.filter(({ sentence }) => sentence.includes("is kept:") || sentence.includes("stays:")).length;
    expect(told(JUMPS).outcome).toMatchObject({ matches: others + 3, rewrites: 3 });
    const skipped = told(JUMPS, {}, [1, 2, 3]);
    const refused = skipped.steps.filter(({ sentence }) => sentence.includes("is kept:")).length;
    expect(skipped.outcome).toMatchObject({ matches: refused + 3, rewrites: 0 });
  });

  it("the compare of a decided branch is deleted with it, unless something else reads its predicate", () => {
    const compare = (after: string) =>
      told(`.kernel k(n: R0, out: RD0)\nBB0:\n    ISETP.EQ P0, R0, R0\n@P0 BRA BB2\nBB1:\n    STG [RD0], 1\nBB2:\n${after}    EXIT\n`);
    expect(compare("    STG [RD0], 2\n").text).not.toContain("ISETP");
    expect(compare("@P0 STG [RD0], 2\n").text).toContain("ISETP");
    const sameBlock = told(
      ".kernel k(n: R0, out: RD0)\nBB0:\n    ISETP.EQ P0, R0, R0\n    SEL R1, R0, 1, P0\n    STG [RD0], R1\n@P0 BRA BB2\nBB1:\n    STG [RD0], 1\nBB2:\n    EXIT\n",
    );
    expect(sameBlock.outcome.figures).toMatchObject({ constant: 1 });
    expect(sameBlock.text).toContain("ISETP");
  });

  it("pred_count is what the step says of it", () => {
    const { steps } = told(
      ".kernel k(n: R0, out: RD0)\nBB0:\n    ISETP.NE P0, R0, R0\n@P0 BRA BB2\nBB1:\n    BRA BB3\nBB2:\n    STG [RD0], 2\nBB3:\n    EXIT\n",
    );
    const at = (what: string) => steps.find(({ sentence }) => sentence === what);
    const erased = at("erase BB2: pred_count 1 becomes 0");
    expect(erased?.row("b2")).toContain('"pred_count":0');
  });
});

it("shows the search of erase: bucket, chain, slots", () => {
  // Unreachable blocks in between, so that E is block 34, which shares block 2's bucket of 32, and F block 35.
  const lines = [".kernel k(n: R0, out: RD0)", "BB0:", "    ISETP.NE P0, R0, R0", "@P0 BRA E"];
  for (let i = 1; i < 34; i++) lines.push(`BB${i}:`, i < 4 ? `    STG [RD0], ${i}` : "    EXIT");
  lines.push("E:", "    ISETP.LT P1, R0, 3", "@P1 BRA BB4", "F:", "    STG [RD0], 9", "    BRA BB4");
  const { steps } = told(`${lines.join("\n")}\n`);
  const erased = (label: string) => steps.findIndex(({ sentence }) => sentence === `erase ${label}: pred_count 1 becomes 0`);
  const walk = (label: string): unknown => JSON.parse(steps[erased(label)]?.row(label) ?? "null");
  const bucket = (block: number): string => `${fnv1a32(block) & 31} of 32`;
  expect(steps[erased("E") - 1]?.row("E")).toBeUndefined();
  expect(walk("E")).toEqual({ bucket: bucket(2), chain: ["BB2", "E"], slots: ["0xFFFFFFFF", "BB4", "F", "0xFFFFFFFF"] });
  expect(walk("F")).toEqual({ bucket: bucket(35), chain: ["BB3", "F"], slots: ["BB4"] });
  expect(bucket(34)).toBe(bucket(2));
});

describe("OriBranchOpt", () => {
  it("threads a chain of 1,500 empty blocks with as many entries, each to its end", () => {
    const n = 1500;
    const lines = [".kernel chain(n: R0, out: RD0)", "BB0:", "    ISETP.LT P0, R0, 4"];
    for (let i = 1; i < n; i++) lines.push(`@P0 BRA E${(i * 7919) % n}`, `BB${i}:`, "    IADD R0, R0, 1");
    lines.push("    STG [RD0], R0", "    EXIT");
    for (let i = 0; i < n; i++) lines.push(`E${i}:`, i + 1 < n ? `    BRA E${i + 1}` : "    EXIT");
    const { fn, figures } = run(lines.join("\n"));
    expect(fn.layout.length).toBe(n + 1);
    expect(figures.thread).toBe(n - 2);
  });

  it("erases 5,000 blocks in one cascade without recursion", () => {
    const n = 5000;
    const lines = [".kernel chain(n: R0, out: RD0)", "BB0:", "    ISETP.NE P0, R0, R0", "@P0 BRA E0", "BB1:", "    EXIT"];
    for (let i = 0; i < n; i++) lines.push(`E${i}:`, "    IADD R0, R0, 1");
    const { fn, figures } = run(`${lines.join("\n")}\n    EXIT\n`);
    expect(fn.layout.length).toBe(2);
    expect(figures.removedByCascade).toBe(n);
  });

  it("takes 30,000 instructions", () => {
    const n = 3_000;
    const lines = [".kernel big(n: R0, out: RD0)", "BB0:", "    ISETP.LT P0, R0, 4"];
    for (let i = 1; i <= n; i++)
      lines.push(
        i % 3 === 0 ? "    ISETP.EQ P0, 1, 2" : "    ISETP.LT P0, R0, 9",
        `@P0 BRA BB${n}`,
        `BB${i}:`,
        ...Array(8).fill("    IADD R0, R0, 1"),
      );
    const { fn, figures } = run(`${lines.join("\n")}\n    EXIT\n`);
    expect(figures.constant).toBe(Math.floor(n / 3));
    expect(reversePostOrder(fn).order.length).toBe(fn.layout.length);
  });

  it("erases inner blocks first, from the counter down, and leaves a join's count", () => {
    const { module } = parseModule(`.kernel k(n: R0, p: P0)
BB0:
    EXIT
BB1:
@P0 BRA BB3
BB2:
    BRA BB4
BB3:
    NOP
BB4:
    EXIT
`);
    const edit = new Editor(module.funcs[0]!, NO_RECORDER);
    const state = new BranchOptState(edit, new Remarks(edit, NO_RECORDER, RULES, null), "notes");
    state.tables.fill(Int32Array.from([-1, 0, 1, 2, 3, 4]));
    eraseCascade(state, edit.func.layout[1]!);
    // BB3 (taken edge first), BB2, then BB1; BB4 has two predecessors and stays, for the rebuild.
    expect(edit.func.layout.map((id) => edit.block(id).label)).toEqual(["BB0", "BB4"]);
    expect([...state.tables.rpoToBix]).toEqual([-1, 0, 1, 1, 2, 3]);
    expect([1, 2, 3].map((id) => state.tables.predCount[id])).toEqual([0, 0, 0]);
    expect(state.tables.counter).toBe(2);
  });
});
