import { expect, it } from "vitest";
import { createPrng } from "../../base/prng.ts";
import { POLICIES } from "../config/policy.ts";
import { DEFAULT_TARGET_ID, targetOf } from "../config/targets.ts";
import { immOp, regOp } from "../ir/builder.ts";
import { Editor } from "../ir/edit.ts";
import type { BlockId } from "../ir/ids.ts";
import { outOfSsa } from "../ir/out-of-ssa.ts";
import type { Func, Module } from "../ir/types.ts";
import { PASSES } from "../passes/registry.ts";
import { draws, freshSeed } from "../testing/seed.ts";
import { NO_RECORDER } from "../trace/recorder.ts";
import { generateModule } from "./generate/generate.ts";
import { checkLaws, SharedChecks } from "./laws.ts";

const FIRST = freshSeed();
const PROGRAMS = draws(12);
const SHAPES = ["diamond", "switch", "nest", "tails", "lanes"] as const;

/** The same program with two tables that nothing jumps through: the address of one is taken, no instruction names the other. */
function withTables(fn: Func, seed: number): Func {
  const rng = createPrng(seed);
  const edit = new Editor(fn, NO_RECORDER);
  const others = fn.layout.slice(1);
  const some = (): BlockId[] => Array.from({ length: 3 }, () => rng.pick(others));
  for (const name of ["JTaddress", "JTunused"]) edit.setTable({ name, base: 0, entries: some(), default: rng.pick(others), line: 0 });
  const entry = fn.layout[0] as BlockId;
  edit.insert(entry, 0, edit.make("LEA", [regOp(edit.freshReg("R")), immOp(0), { kind: "table", name: "JTaddress" }, immOp(2)]));
  return edit.func;
}

/** Every block that a table or a BSSY names is in the layout after every phase, and with any rewrites refused. */
it(`keeps blocks that tables name which nothing jumps through, seeds from ${FIRST}`, { timeout: 120_000 }, () => {
  let changed = 0;
  for (let seed = FIRST; seed < FIRST + PROGRAMS; seed++) {
    const profile = SHAPES[seed % SHAPES.length] ?? "diamond";
    const module: Module = generateModule({ seed, profile, size: 2 });
    const [given] = module.funcs;
    if (given === undefined || given.layout.length < 2) continue;
    const fn = withTables(given, seed);
    const options = { inputs: 4, seed, trace: false, text: false } as const;
    const policy = POLICIES[seed % POLICIES.length] ?? "notes";
    const env = { target: targetOf(DEFAULT_TARGET_ID), level: 3, policy, knobs: {} } as const;
    const shared = new SharedChecks(fn, module, options);
    for (const pass of PASSES) {
      for (const id of pass.ids) {
        const free = id === "branch-folding" ? outOfSsa(fn).fn : null;
        const report =
          free === null ? checkLaws(fn, module, { pass, id, env }, options, shared) : checkLaws(free, module, { pass, id, env }, options);
        expect([seed, profile, id, report.violation?.law ?? null, report.violation?.message ?? null]).toEqual([
          seed,
          profile,
          id,
          null,
          null,
        ]);
        if (report.changed) changed++;
      }
    }
  }
  expect(changed).toBeGreaterThan(PROGRAMS);
});
