import { describe, expect, it } from "vitest";
import type { BlockId, Reg } from "../ir/ids.ts";
import { PT } from "../ir/reg.ts";
import type { Func } from "../ir/types.ts";
import { defsOf, phiInput, phisOf, usesOf } from "../ir/visit.ts";
import { draws, freshSeed } from "../testing/seed.ts";
import { computeLiveness, scanLive } from "./liveness.ts";
import { reversePostOrder } from "./order.ts";
import { REGS, randomProgram } from "./testing/programs.ts";

/** Other programs on every commit. */
const FIRST = freshSeed(1_000_000);

/** Some way from the place reads the register before it surely writes it. */
function readLater(fn: Func, r: Reg, from: BlockId, at: number): boolean {
  const seen = new Set<string>();
  const work: [BlockId, number][] = [[from, at]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [block, i] = next;
    if (seen.has(`${block}.${i}`)) continue;
    seen.add(`${block}.${i}`);
    const { insts, succs } = fn.blocks[block]!;
    const inst = insts[i];
    if (inst === undefined) {
      for (const s of succs) {
        for (const phi of phisOf(fn.blocks[s]!)) {
          const value = phiInput(phi, block);
          if (value?.kind === "reg" && value.reg === r) return true;
        }
        work.push([s, 0]);
      }
      continue;
    }
    if (inst.op !== "PHI" && usesOf(inst).includes(r)) return true;
    const { guard } = inst;
    const sure = guard === null || (guard.reg === PT && !guard.neg);
    if (!(sure && defsOf(inst).includes(r))) work.push([block, i + 1]);
  }
  return false;
}

describe("liveness", () => {
  it("is what a search over all ways finds, on random programs", () => {
    for (let seed = FIRST; seed < FIRST + draws(300); seed++) {
      const fn = randomProgram(seed, 8);
      const live = computeLiveness(fn);
      for (const id of reversePostOrder(fn).order) {
        const end = fn.blocks[id]!.insts.length;
        for (const r of REGS) {
          expect(live.isLiveIn(id, r), `seed ${seed}, in ${id}`).toBe(readLater(fn, r, id, 0));
          expect(live.isLiveOut(id, r), `seed ${seed}, out ${id}`).toBe(readLater(fn, r, id, end));
        }
        scanLive(fn, live, id, (_inst, at, isLive) => {
          for (const r of REGS) expect(isLive(r), `seed ${seed}, after ${id}.${at}`).toBe(readLater(fn, r, id, at + 1));
          return false;
        });
      }
    }
  });

  it("tells each change to an observer: what was added is what is live in the end", () => {
    const fn = randomProgram(5, 8);
    const added = new Map<BlockId, Set<Reg>>();
    const live = computeLiveness(fn, (block, _round, regs) => {
      const set = added.get(block) ?? new Set();
      for (const r of regs) {
        expect(set.has(r)).toBe(false);
        set.add(r);
      }
      added.set(block, set);
    });
    for (const id of reversePostOrder(fn).order) expect([...(added.get(id) ?? [])].sort()).toEqual(live.liveIn(id).sort());
  });
});
