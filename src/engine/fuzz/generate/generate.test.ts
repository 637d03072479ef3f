import { describe, expect, it } from "vitest";
import { runKernel } from "../../interp/interpreter.ts";
import { isConstantReg } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { draws, freshSeed } from "../../testing/seed.ts";
import { parseModule } from "../../text/parser.ts";
import { verifyFunc } from "../../verify/verify.ts";
import { inputShape, makeInput, toRunInputs } from "../inputs.ts";
import { generateModule, generateText } from "./generate.ts";
import { ALL_PROFILES } from "./options.ts";

const FIRST = freshSeed(1_000_000);
const PROGRAMS = draws(4);

const insts = (fn: Func) => fn.layout.flatMap((id) => fn.blocks[id]!.insts);

describe.each(
  ALL_PROFILES.flatMap(
    (p) =>
      [
        [p, false],
        [p, true],
      ] as const,
  ),
)("programs of profile %s, with kinds: %s", (profile, kinds) => {
  it(`are accepted by the verifier, and but for a rare one of lanes without a warning (seeds from ${FIRST})`, () => {
    const warned: number[] = [];
    for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      const { module, diagnostics } = parseModule(generateText({ seed, profile, kinds }));
      const found = verifyFunc(module.funcs[0]!, module);
      expect([seed, diagnostics, found.filter(({ severity }) => severity === "error")]).toEqual([seed, [], []]);
      if (found.length > 0) warned.push(seed);
    }
    // In regions with many exits, some 5 programs in 10,000 read what only some of the paths define.
    expect(warned.length, `seeds ${warned}`).toBeLessThanOrEqual(profile === "lanes" ? 1 : 0);
  });

  it(`end normally on every input (seeds from ${FIRST})`, () => {
    for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
      const module = generateModule({ seed, profile, kinds });
      const fn = module.funcs[0]!;
      const shape = inputShape(fn, 64);
      for (let i = 0; i < 4; i++) {
        const { status, message } = runKernel(module, fn, toRunInputs(makeInput(shape, seed, i, 64), 200_000));
        expect([seed, i, status, message]).toEqual([seed, i, "ok", ""]);
      }
    }
  });

  it("are the same for the same seed, and others for another", () => {
    expect(generateText({ seed: 3, profile, kinds })).toBe(generateText({ seed: 3, profile, kinds }));
    expect(generateText({ seed: 3, profile, kinds })).not.toBe(generateText({ seed: 4, profile, kinds }));
  });
});

describe("what profiles are for", () => {
  const sample = (profile: (typeof ALL_PROFILES)[number]): Func[] =>
    Array.from({ length: 40 }, (_, seed) => generateModule({ seed: seed + 1, profile }).funcs[0]!);

  it("tails and copies differ in what they hold", () => {
    for (const fn of sample("tails")) expect(insts(fn).some((i) => i.op === "PHI")).toBe(false);
    const moves = (fn: Func): number => insts(fn).filter((i) => i.op === "MOV").length / insts(fn).length;
    const average = (fns: Func[]): number => fns.reduce((s, fn) => s + moves(fn), 0) / fns.length;
    expect(average(sample("copies"))).toBeGreaterThan(average(sample("any")));
  });

  it("switch programs compare one register with several constants", () => {
    const chained = sample("switch").filter((fn) => {
      const bySelector = new Map<number, number>();
      for (const i of insts(fn)) {
        const selector = i.ops[1];
        if (
          i.op === "ISETP" &&
          i.mods[0] === "EQ" &&
          selector?.kind === "reg" &&
          !isConstantReg(selector.reg) &&
          i.ops[2]?.kind === "imm"
        ) {
          bySelector.set(selector.reg, (bySelector.get(selector.reg) ?? 0) + 1);
        }
      }
      return Math.max(0, ...bySelector.values()) >= 3;
    });
    expect(chained.length).toBeGreaterThan(30);
  });

  it("any has every feature at some seed", () => {
    const ops = new Set(sample("any").flatMap((fn) => insts(fn).map((i) => i.op)));
    for (const op of [
      "PHI",
      "BSSY",
      "BAR",
      "JMX",
      "OPAQUE",
      "SHFL",
      "LDG",
      "STS",
      "STL",
      "RED",
      "BMSK",
      "QSPC",
      "LDGSTS",
      "DEPBAR",
      "BARRED",
      "NANOSLEEP",
      "FADD",
      "IMAD",
      "PLOP3",
      "SEL",
    ])
      expect([...ops]).toContain(op);
  });

  it("wide ones call, read constant banks, use generic addresses and barrier objects, and kill threads", () => {
    const ops = new Set(sample("wide").flatMap((fn) => insts(fn).map((i) => i.op)));
    for (const op of ["CALL", "LDC", "LD", "ST", "KILL", "SYNCS", "PHASECHK"]) expect([...ops]).toContain(op);
  });
});
