import { expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { POLICIES } from "../config/policy.ts";
import { DEFAULT_TARGET_ID, targetOf } from "../config/targets.ts";
import type { Opcode } from "../ir/opcodes.ts";
import { outOfSsa } from "../ir/out-of-ssa.ts";
import type { Func, Module } from "../ir/types.ts";
import { PASSES } from "../passes/registry.ts";
import { freshSeed } from "../testing/seed.ts";
import { printModule } from "../text/printer.ts";
import { SOUP_OPCODES, withAnyOpcodes } from "./any-opcode.ts";
import { generateModule } from "./generate/generate.ts";
import { checkLaws, type LawOptions, SharedChecks, type Subject } from "./laws.ts";
import { shrinkProgram } from "./shrink.ts";

const FIRST = freshSeed();
const PROGRAMS = 32;
const MORE = 12;
const SHAPES = ["diamond", "redundant", "tails", "copies", "effects", "lanes", "nest", "switch"] as const;

function smallest(fn: Func, module: Module, subject: Subject, options: LawOptions, law: string): string {
  const fails = (candidate: Func): boolean => checkLaws(candidate, module, subject, options).violation?.law === law;
  return printModule({ ...module, funcs: [shrinkProgram(fn, module, fails, 400).fn], tail: [] });
}

it(`phases keep the meaning of any opcode, seeds from ${FIRST}`, { timeout: 300_000 }, () => {
  const met = new Set<Opcode>();
  let changed = 0;
  for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
    const profile = SHAPES[seed % SHAPES.length] ?? "diamond";
    const module = generateModule({ seed, profile, size: 2 });
    const [given] = module.funcs;
    const made = given === undefined ? null : withAnyOpcodes(given, module, createPrng(seed), MORE);
    if (made === null) continue;
    for (const op of made.added) met.add(op);
    const options = { inputs: 6, seed, trace: false, text: seed % 4 === 0, repeat: seed % 4 === 1, refuse: false } as const;
    const policy = POLICIES[createPrng(seed).below(POLICIES.length)] ?? "notes";
    const env = { target: targetOf(DEFAULT_TARGET_ID), level: 3, policy, knobs: {} } as const;
    const shared = new SharedChecks(made.fn, module, options);
    for (const pass of PASSES) {
      for (const id of pass.ids) {
        const subject = { pass, id, env };
        const fn: Func = id === "branch-folding" ? outOfSsa(made.fn).fn : made.fn;
        const report = checkLaws(fn, module, subject, options, fn === made.fn ? shared : undefined);
        if (report.changed) changed++;
        const wrong = report.violation;
        if (wrong === null) continue;
        expect.fail(
          `${id} breaks '${wrong.law}' (${policy}, seed ${seed}): ${wrong.message}\n${smallest(fn, module, subject, options, wrong.law)}`,
        );
      }
    }
  }
  expect(changed).toBeGreaterThan(PROGRAMS);
  // The programs do contain them.
  expect(met.size).toBeGreaterThan(0.7 * SOUP_OPCODES.length);
});
