import { describe, expect, it } from "vitest";
import { intervalTest } from "../../analysis/reducible.ts";
import { funcOf, randomGraph, randomInts } from "../../analysis/testing/graphs.ts";
import { generateModule } from "../../fuzz/generate/generate.ts";
import { Editor } from "../../ir/edit.ts";
import { reg } from "../../ir/reg.ts";
import type { Func, Module } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPassOnce } from "../../pipeline/run-phase.ts";
import { freshSeed } from "../../testing/seed.ts";
import { parseModule } from "../../text/parser.ts";
import { NO_RECORDER, type Recorder } from "../../trace/recorder.ts";
import { Recording } from "../../trace/recording.ts";
import { Trace } from "../../trace/trace.ts";
import { verifyFunc } from "../../verify/verify.ts";
import { branchFolding } from "./branch-folding.ts";

function fold(fn: Func, module: Module, knobs: readonly string[] = [], rec: Recorder = NO_RECORDER) {
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, knobs }, module.target);
  const { target, level, policy } = plan;
  return runPassOnce(branchFolding, "branch-folding", fn, { module, target, level, policy, knobs: plan.knobs, rec });
}

const size = (fn: Func): number => fn.layout.reduce((n, id) => n + (fn.blocks[id]?.insts.length ?? 0), 0);
const reducible = (fn: Func): boolean => intervalTest(fn).reducible;
const errors = (fn: Func, module: Module): string[] => verifyFunc(fn, module).flatMap((d) => (d.severity === "error" ? [d.message] : []));

describe("BranchFolding", () => {
  const seed = freshSeed(1_000_000);

  it(`never makes a program longer, and keeps it reducible (seeds from ${seed})`, () => {
    let merges = 0;
    for (let i = 0; i < 60; i++) {
      const module = generateModule({ seed: seed + i, profile: i % 3 === 0 ? "any" : "tails" });
      const fn = module.funcs[0] as Func;
      const { fn: after, outcome, error } = fold(fn, module, [`tail-merge-size=${i % 5}`]);
      expect(error, `seed ${seed + i}`).toBeNull();
      merges += outcome?.figures?.merges ?? 0;
      expect(size(after), `seed ${seed + i}`).toBeLessThanOrEqual(size(fn));
      if (reducible(fn)) expect(reducible(after), `seed ${seed + i}`).toBe(true);
      expect(errors(after, module), `seed ${seed + i}`).toEqual([]);
    }
    expect(merges).toBeGreaterThan(0);
  });

  it(`keeps reducible graphs reducible by the interval test, with tails everywhere (seeds from ${seed})`, () => {
    const { module } = parseModule("");
    let merges = 0;
    let tried = 0;
    // The first once became irreducible: a latch shared its tail with a block outside of its loop.
    const kept: readonly (readonly [seed: number, size: number])[] = [[876_096, 1]];
    const fresh = Array.from({ length: 600 }, (_, i) => [seed + i, 1 + (i % 3)] as const);
    for (const [one, least] of [...kept, ...fresh]) {
      const fn = withTails(funcOf(randomGraph(one, 14), one % 2 === 0), one);
      const { fn: after, outcome, error } = fold(fn, module, [`tail-merge-size=${least}`]);
      const at = `seed ${one}`;
      expect(error, at).toBeNull();
      const [was, is] = [reducible(fn), reducible(after)];
      expect(outcome?.figures, at).toMatchObject({ reducibleBefore: Number(was), reducible: Number(is) });
      if (!was) continue;
      tried++;
      merges += outcome?.figures?.merges ?? 0;
      expect(is, at).toBe(true);
      expect(size(after), at).toBeLessThanOrEqual(size(fn));
    }
    expect(tried).toBeGreaterThan(120);
    expect(merges).toBeGreaterThan(10);
  });

  it.each([
    "tail-merge-size=0",
    "tail-merge-size=1",
    "tail-merge-size=1000000",
    "tail-merge-threshold=0",
    "tail-merge-threshold=1",
    "tail-merge-threshold=1000000",
  ])("takes %s", (knob) => {
    const module = generateModule({ seed: 7, profile: "tails", size: 30 });
    const { fn, error } = fold(module.funcs[0] as Func, module, [knob]);
    expect(error).toBeNull();
    expect(errors(fn, module)).toEqual([]);
    if (knob === "tail-merge-size=1000000" || knob === "tail-merge-threshold=0") {
      expect(fold(module.funcs[0] as Func, module, [knob]).outcome?.figures?.merges).toBe(0);
    }
  });

  it("upstream mode says what cicc would have done with the pair: gate 3 refuses a reserved register", () => {
    const tail = "    S2R R5, SR_TID.X\n    IADD R2, R1, R5\n    SHL R3, R2, 1\n    IADD R4, R3, 9\n";
    const head = ".kernel k(n: R0, out: RD0)\nBB0:\n    ISETP.EQ P0, R0, 1\n@P0 BRA BB2\n";
    const text = `${head}BB1:\n    MOV R1, 10\n${tail}    BRA BB3\nBB2:\n    MOV R1, 20\n${tail}BB3:\n    STG [RD0], R4\n    EXIT\n`;
    const sentences = (knobs: readonly string[]): readonly string[] => {
      const { module } = parseModule(text);
      const fn = module.funcs[0] as Func;
      const recording = new Recording(fn);
      fold(fn, module, knobs, recording);
      const trace = new Trace(recording, fn);
      return Array.from({ length: trace.steps }, (_, step) => trace.event(step).sentence).filter((each) => each.startsWith("BB1 + BB2"));
    };
    expect(sentences([]).at(-1)).toContain("the reserved register SR_TID.X would be live into the shared tail");
    expect(sentences(["upstream-llvm20=on"]).at(-1)).toContain("cicc would not merge here either, for the reserved register SR_TID.X");
  });

  it("merges the tails of 1,000 predecessors of one block", () => {
    const text = [".kernel wide(n: R0, out: RD0)"];
    const count = 1000;
    for (let i = 0; i < count; i++) {
      text.push(`T${i}:`, `    ISETP.EQ P0, R0, ${i}`, `@P0 BRA C${i}`);
    }
    text.push("    MOV R1, 77", "    BRA J");
    for (let i = 0; i < count; i++) {
      text.push(`C${i}:`, `    IADD R1, R0, ${i}`, "    IMUL R2, R1, 3", "    LOP.XOR R3, R2, R0", "    SHL R1, R3, 2", "    BRA J");
    }
    text.push("J:", "    STG [RD0], R1", "    EXIT", "");
    const { module, diagnostics } = parseModule(text.join("\n"));
    expect(diagnostics).toEqual([]);
    const fn = module.funcs[0] as Func;
    const { fn: after, outcome } = fold(fn, module);
    expect(outcome?.figures?.merges).toBe(count - 1);
    expect(size(after)).toBe(size(fn) - 3 * (count - 1));
    expect(errors(after, module)).toEqual([]);
  });
});

/** The same graph with a few instructions of two kinds in each block, so that many blocks end alike. */
function withTails(fn: Func, seed: number): Func {
  const rng = randomInts(seed + 1);
  const edit = new Editor(fn, NO_RECORDER);
  const plain = (index: number) => ({ kind: "reg", reg: reg("R", index), neg: false, abs: false, not: false }) as const;
  for (const id of fn.layout) {
    for (let n = rng(5); n > 0; n--) {
      const at = 10 + rng(2);
      edit.insert(id, 0, edit.make("IADD", [plain(at), plain(at), { kind: "imm", value: 1 }]));
    }
  }
  return edit.func;
}
