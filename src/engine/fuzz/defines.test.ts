/** What an instruction may write and must write, as the analyses see it, compared with the interpreter for any opcode, guard and mask. */

import { expect, it } from "vitest";
import { createPrng, type Prng } from "../../base/prng.ts";
import { immOp, regOp } from "../ir/builder.ts";
import { Editor } from "../ir/edit.ts";
import type { BlockId, Reg } from "../ir/ids.ts";
import type { Opcode } from "../ir/opcodes.ts";
import { isConstantReg, PT, regClass, regName } from "../ir/reg.ts";
import type { Func, Guard, Inst, Module } from "../ir/types.ts";
import { defsOf, getBlock, isDefOperand, sureDefsOf } from "../ir/visit.ts";
import { freshSeed } from "../testing/seed.ts";
import { printInst } from "../text/printer.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { verifyFunc } from "../verify/verify.ts";
import { withAnyOpcodes } from "./any-opcode.ts";
import { compareVersions } from "./equivalence.ts";
import { generateModule } from "./generate/generate.ts";
import { inputShape, makeInput } from "./inputs.ts";

const FIRST = freshSeed();
const PROGRAMS = 500;

/** Results by their place in the text, whether written or not. */
function namedResults(inst: Inst): Reg[] {
  const regs = inst.ops.flatMap((operand, i): readonly Reg[] => {
    if (!isDefOperand(inst, i)) return [];
    return operand.kind === "reg" ? [operand.reg] : operand.kind === "vec" || operand.kind === "list" ? operand.regs : [];
  });
  return [...new Set(regs)].filter((r) => !isConstantReg(r));
}

function placeOf(before: Func, after: Func): { readonly block: BlockId; readonly at: number } | null {
  for (const block of after.layout) {
    const at = getBlock(after, block).insts.findIndex((inst) => inst.id >= before.nextInst && namedResults(inst).length > 0);
    if (at >= 0) return { block, at };
  }
  return null;
}

/** The first new instruction under a different guard, R2P with a different mask. */
function varied(fn: Func, place: { readonly block: BlockId; readonly at: number }, rng: Prng): Func {
  const edit = new Editor(fn, NO_RECORDER);
  const inst = edit.block(place.block).insts[place.at] as Inst;
  const predicate = [...fn.params.map(({ reg }) => reg), ...defsIn(fn)].find((r) => regClass(r) === "P");
  const guards: (Guard | null)[] = [null, { reg: PT, neg: false }, { reg: PT, neg: true }];
  if (predicate !== undefined) guards.push({ reg: predicate, neg: rng.chance(0.5) });
  const ops = inst.op === "R2P" ? [...inst.ops.slice(0, 2), ...(rng.chance(0.8) ? [immOp(rng.below(5))] : [])] : inst.ops;
  edit.replace(place.block, place.at, { ...inst, guard: rng.pick(guards), ops });
  return edit.func;
}

/** Registers that the entry block defines, so that a guard may read them anywhere. */
const defsIn = (fn: Func): readonly Reg[] => getBlock(fn, fn.layout[0] as BlockId).insts.flatMap((inst) => sureDefsOf(inst));

/** Sets the register to a known value before the instruction and, unless null, after it. */
function poisoned(
  fn: Func,
  { block, at }: { readonly block: BlockId; readonly at: number },
  r: Reg,
  before: number,
  after: number | null,
): Func {
  const edit = new Editor(fn, NO_RECORDER);
  const set = (value: number): Inst =>
    regClass(r) === "P" ? edit.make("PMOV", [regOp(r), regOp(PT, { neg: value === 0 })]) : edit.make("MOV", [regOp(r), immOp(value)]);
  if (after !== null) edit.insert(block, at + 1, set(after));
  edit.insert(block, at, set(before));
  return edit.func;
}

const differs = (a: Func, b: Func, module: Module, seed: number): boolean => {
  const shape = inputShape(a, 64);
  return [0, 5, 9].some((i) => compareVersions(a, b, module, makeInput(shape, seed, i, 64), 100_000) !== null);
};

it(`the interpreter writes what the analyses say, of any opcode, seeds from ${FIRST}`, { timeout: 300_000 }, () => {
  const met = new Set<Opcode>();
  const wrong: string[] = [];
  let never = 0;
  for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
    const rng = createPrng(seed);
    const module = generateModule({ seed, profile: rng.pick(["redundant", "diamond"]), size: 1, features: { phis: false } });
    const given = module.funcs[0] as Func;
    const only: readonly Opcode[] | undefined = seed % 5 === 0 ? ["R2P"] : undefined;
    const made = withAnyOpcodes(given, module, rng, 1, only);
    const place = made === null ? null : placeOf(given, made.fn);
    if (made === null || place === null) continue;
    const fn = varied(made.fn, place, rng);
    if (verifyFunc(fn, module).some((d) => d.severity === "error")) continue;
    const inst = getBlock(fn, place.block).insts[place.at] as Inst;
    met.add(inst.op);
    const about = (what: string, r: Reg): string => `seed ${seed}: ${printInst(fn, inst)} ${what} ${regName(r)}`;
    for (const r of namedResults(inst)) {
      const one = poisoned(fn, place, r, 1, null);
      if (sureDefsOf(inst).includes(r) && differs(one, poisoned(fn, place, r, 0, null), module, seed)) wrong.push(about("may leave", r));
      if (defsOf(inst).includes(r)) continue;
      never++;
      if (differs(one, poisoned(fn, place, r, 1, 1), module, seed)) wrong.push(about("writes", r));
    }
  }
  expect(wrong).toEqual([]);
  expect(met.size).toBeGreaterThan(40);
  expect(never).toBeGreaterThan(20);
});
