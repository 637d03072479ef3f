/** What policy 'measured' knows of launches keeps the meaning: required sizes of blocks, upper bits, non-coherent loads. */

import { describe, expect, it } from "vitest";
import { createPrng, type Prng } from "../../../../base/prng.ts";
import { boundedChain, CHAIN_CONSTANTS, CHAIN_REGISTERS } from "../../../analysis/testing/bounded-chain.ts";
import { checkEquivalent } from "../../../fuzz/equivalence.ts";
import { generateText } from "../../../fuzz/generate/generate.ts";
import type { Func } from "../../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../../pipeline/defaults.ts";
import { planPipeline } from "../../../pipeline/plan.ts";
import { runPipeline } from "../../../pipeline/run.ts";
import { draws, freshSeed } from "../../../testing/seed.ts";
import { parseModule } from "../../../text/parser.ts";
import { verifyFunc } from "../../../verify/verify.ts";

const COUNT = draws(12);

function keepsMeaning(text: string, seed: number, target: string): string {
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const before = module.funcs[0] as Func;
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, target, policy: "measured" }, module.target);
  const { result } = runPipeline(before, module, plan);
  const { ok, effective, counterexample } = checkEquivalent(before, result, module, { seed, inputs: 6 });
  if (!ok || verifyFunc(result).some((d) => d.severity === "error"))
    throw new Error(`seed ${seed}, ${target}: ${counterexample?.text}\n${text}`);
  return effective > 0
    ? result.layout
        .flatMap((id) => result.blocks[id]?.insts ?? [])
        .map(({ op }) => op)
        .join(" ")
    : "";
}

/** A random program as one that requires a block's size, with some of its loads non-coherent. */
function bounded(rng: Prng, text: string): string {
  const size = rng.pick(["64", "48", "33, 1, 1", "32, 2", "8, 4, 2", "5", "1"]);
  return text
    .replace(/^(\.kernel [^\n]*)$/m, `$1 .reqntid ${size}`)
    .replace(/\bLDG((?:\.(?:U8|S8|U16|S16|32|64|128))?)(?=\s)/g, (load: string, mods: string) =>
      rng.chance(0.5) ? `LDG${mods}.CONSTANT` : load,
    );
}

describe("under policy 'measured'", () => {
  it("compares of bounded values are decided as a run decides them", { timeout: 60_000 + COUNT * 1000 }, () => {
    const seed = freshSeed();
    let left = 0;
    for (let n = 0; n < COUNT; n++) {
      const rng = createPrng(seed + n);
      const compares = Array.from({ length: CHAIN_REGISTERS - 1 }, (_, i) => {
        const cmp = rng.pick(["LT", "LE", "GT", "GE", "EQ", "NE"]);
        const operands = rng.chance(0.2) ? `${rng.pick(CHAIN_CONSTANTS)}, R${i + 1}` : `R${i + 1}, ${rng.pick(CHAIN_CONSTANTS)}`;
        return [`ISETP.${cmp}${rng.chance(0.5) ? ".U32" : ""} P${10 + i}, ${operands}`, `SEL R${i + 1}, 1, 2, P${10 + i}`];
      });
      const made = keepsMeaning(boundedChain(rng, compares.flat()).join("\n"), seed + n, rng.pick(["sm_75", "sm_80", "sm_89", "sm_90"]));
      left += made.split(" ").filter((op) => op === "ISETP").length;
    }
    expect(left).toBeLessThan(COUNT * (CHAIN_REGISTERS - 1) * 0.9);
  });

  it("random programs with required sizes and non-coherent loads mean the same", { timeout: 60_000 + COUNT * 1000 }, () => {
    const seed = freshSeed();
    let ran = 0;
    for (let n = 0; n < COUNT; n++) {
      const rng = createPrng(seed + n);
      const text = bounded(rng, generateText({ seed: seed + n, profile: rng.pick(["any", "redundant", "effects", "nest"]) }));
      if (keepsMeaning(text, seed + n, rng.pick(["sm_75", "sm_80", "sm_90", "sm_100"])) !== "") ran++;
    }
    expect(ran).toBeGreaterThan(COUNT / 2);
  });
});
