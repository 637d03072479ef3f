import { describe, expect, it } from "vitest";
import type { BlockId, Reg } from "../ir/ids.ts";
import { PT } from "../ir/reg.ts";
import type { Func, Inst, Operand } from "../ir/types.ts";
import { defsOf } from "../ir/visit.ts";
import { parseModule } from "../text/parser.ts";
import { invariantSites } from "./loop-invariant.ts";
import { loopInfo } from "./loops.ts";
import { randomInts } from "./testing/graphs.ts";
import { randomProgram } from "./testing/programs.ts";

interface Watch {
  enter(block: BlockId): void;
  see(inst: Inst, value: number): void;
}

/** What a walk along random edges sees each instruction compute: registers start with random numbers, guards and branches fall as they may. */
function walk(fn: Func, seed: number, steps: number, watch: Watch): void {
  const below = randomInts(seed);
  const values = new Map<Reg, number>();
  const read = (r: Reg): number => {
    if (!values.has(r)) values.set(r, below(1000));
    return values.get(r)!;
  };
  const operand = (o: Operand): number => (o.kind === "reg" ? read(o.reg) : o.kind === "imm" ? o.value : 0);
  let block = fn.layout[0]!;
  let from: BlockId | null = null;
  for (let step = 0; step < steps; step++) {
    watch.enter(block);
    for (const inst of fn.blocks[block]!.insts) {
      const { guard } = inst;
      if (guard !== null && (guard.reg === PT ? guard.neg : below(2) === 0)) continue;
      const [dest] = defsOf(inst);
      if (dest === undefined) continue;
      const input = inst.ops.find((o) => o.kind === "phi" && o.pred === from);
      const value =
        inst.op === "PHI" && input?.kind === "phi" ? operand(input.value) : inst.ops.slice(1).reduce((sum, o) => sum + operand(o), 0);
      watch.see(inst, value);
      values.set(dest, value);
    }
    const { succs } = fn.blocks[block]!;
    if (succs.length === 0) return;
    from = block;
    block = succs[below(succs.length)]!;
  }
}

describe("loop-invariant instructions", () => {
  it("compute one value for as long as control stays in the loop, on random programs", () => {
    let met = 0;
    const wrong: string[] = [];
    for (let seed = 1; seed <= 150; seed++) {
      const fn = randomProgram(seed, 7);
      for (const loop of loopInfo(fn).loops.filter((l) => l.natural)) {
        const invariant = new Set(invariantSites(fn, loop).map(({ block, at }) => fn.blocks[block]!.insts[at]!));
        if (invariant.size === 0) continue;
        const inside = new Set(loop.blocks);
        for (let run = 1; run <= 4; run++) {
          const seen = new Map<Inst, number>();
          walk(fn, seed * 31 + run, 60, {
            enter: (block) => {
              if (!inside.has(block)) seen.clear();
            },
            see: (inst, value) => {
              if (!invariant.has(inst)) return;
              const before = seen.get(inst);
              if (before !== undefined) met++;
              if (before !== undefined && before !== value) wrong.push(`seed ${seed}, ${inst.op} ${inst.id}: ${before}, then ${value}`);
              seen.set(inst, value);
            },
          });
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(met).toBeGreaterThan(100);
  });

  it("follow each other, and stop at what a round writes, at loads and at guards", () => {
    const text = `.kernel k(n: R0, out: RD1)
A:
    MOV R2, 0
    MOV R8, 1
B:
    IADD R3, R0, 4
    IADD R4, R3, R3
    IADD R5, R2, 4
    LDG R6, [RD1]
    @P0 IADD R7, R0, 1
    IADD R8, R8, R3
    MOV R9, 7
    IADD R2, R2, 1
    ISETP.LT P0, R2, 9
    @P0 BRA B
C:
    EXIT
`;
    const fn = parseModule(text).module.funcs[0]!;
    const [loop] = loopInfo(fn).loops;
    expect(invariantSites(fn, loop!).map(({ block, at }) => fn.blocks[block]!.insts[at]!.line)).toEqual([6, 7, 12]);
  });

  it("are not those that two definitions reach, one from outside", () => {
    const text = `.kernel k(n: R0, out: RD1)
A:
    MOV R3, 9
B:
    IADD R4, R3, 1
    MOV R3, 9
    ISETP.LT P0, R0, 9
    @P0 BRA B
C:
    EXIT
`;
    const fn = parseModule(text).module.funcs[0]!;
    expect(invariantSites(fn, loopInfo(fn).loops[0]!).map(({ at }) => at)).toEqual([1, 2]);
  });
});
