/** Kernels for the comparison with ptxas, without ptxas: they mean the same after the pipeline under policy 'measured', and what ptxas made of a sample is kept. */

import { describe, expect, it } from "vitest";
import { checkEquivalent } from "../../src/engine/fuzz/equivalence.ts";
import { importPtx } from "../../src/engine/import/ptx/import.ts";
import type { Func } from "../../src/engine/ir/types.ts";
import { readFacts } from "../../src/engine/passes/testing/facts.ts";
import { DEFAULT_OPTIONS } from "../../src/engine/pipeline/defaults.ts";
import { planPipeline } from "../../src/engine/pipeline/plan.ts";
import { runPipeline } from "../../src/engine/pipeline/run.ts";
import { draws, freshSeed } from "../../src/engine/testing/seed.ts";
import { verifyFunc } from "../../src/engine/verify/verify.ts";
import { readCubin } from "./cubin.ts";
import { kernels } from "./families.ts";
import { answer, named, type Question } from "./kernel.ts";
import { made } from "./ours.ts";
import { seenIn } from "./seen.ts";

interface Fact {
  readonly file: string;
  readonly family: string;
  readonly recipe: string;
  readonly questions: readonly Question[];
  readonly target: string;
  readonly level: number;
  /** By question: what ptxas made. */
  readonly seen: Readonly<Record<string, string>>;
}

/** Kernels that come out otherwise, and why. */
const KNOWN: Readonly<Record<string, string>> = {
  "0010.ptx":
    "nine independent ifs: ptxas has the compares before the first branch and seven predicate registers, and makes a compare again that has none",
};

const { facts, kernel } = readFacts<Fact>("families");

describe("kernels of every family", () => {
  it("mean the same after the pipeline under policy 'measured'", { timeout: 120_000 }, () => {
    const seed = freshSeed();
    for (const { family, recipe, ptx } of kernels(seed, draws(20))) {
      const { module, diagnostics } = importPtx(ptx);
      expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
      const before = module.funcs[0] as Func;
      const { plan } = planPipeline({ ...DEFAULT_OPTIONS, target: "sm_80", policy: "measured" }, module.target);
      const { result } = runPipeline(before, module, plan);
      const { ok, counterexample } = checkEquivalent(before, result, module, { seed, inputs: 4 });
      const told = { seed, family, recipe, errors: verifyFunc(result), ok, counterexample: counterexample?.text ?? null };
      expect(told).toEqual({ seed, family, recipe, errors: [], ok: true, counterexample: null });
    }
  });

  it("come out as ptxas 13.0.88 made them, but for the known few", { timeout: 120_000 }, () => {
    const missed: string[] = [];
    const unexplained: string[] = [];
    // Half of them, the others on other commits.
    const some = facts.filter((_, i) => i % 2 === freshSeed() % 2);
    for (const { file, family, recipe, questions, target, level, seen } of some) {
      const mine = made(kernel(file), target, level);
      const different = questions.filter((question) => answer(mine, question) !== seen[named(question)]);
      if (different.length === 0) continue;
      const told = `${file} ${family}: ${recipe}: ${different.map((q) => `${named(q)} ${answer(mine, q)}, ptxas ${seen[named(q)]}`).join("; ")}`;
      missed.push(file);
      if (KNOWN[file] === undefined) unexplained.push(told);
    }
    const agreed = some.length - missed.length;
    process.stdout.write(`families of kernels: ${agreed} of ${some.length} agree (${((100 * agreed) / some.length).toFixed(1)} %)\n`);
    expect(unexplained).toEqual([]);
    expect(missed).toEqual(Object.keys(KNOWN).filter((file) => some.some((fact) => fact.file === file)));
    expect(facts.length).toBeGreaterThan(200);
  });
});

describe("machine code", () => {
  it("is read as it was recorded of a switch: a table of three entries, clamped, in constant bank 2", () => {
    const [code] = readCubin(Uint8Array.from(Buffer.from(kernel("switch.cubin.base64"), "base64")));
    if (code === undefined) throw new Error("no kernel in the file");
    const seen = seenIn(code);
    expect(code.name).toBe("k");
    expect(seen).toMatchObject({ tables: [3], brx: 1, eq: 0, ordered: 0, cond_branches: 1, bssy: 1, bsync: 1, stores: 5, predicated: 0 });
  });

  it("is refused when it is none", () => {
    expect(() => readCubin(new Uint8Array(100))).toThrow("not a 64-bit ELF file");
  });
});
