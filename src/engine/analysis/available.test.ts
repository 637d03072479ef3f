import { describe, expect, it } from "vitest";
import type { BlockId } from "../ir/ids.ts";
import type { Func, Inst } from "../ir/types.ts";
import { defsOf, usesOf } from "../ir/visit.ts";
import { parseModule } from "../text/parser.ts";
import { availableExpressions } from "./available.ts";
import { reversePostOrder } from "./order.ts";
import { randomProgram } from "./testing/programs.ts";

/** Heads of blocks that some way from the entry reaches with the expression not computed, or computed and then spoilt. */
function headsWithout(fn: Func, entry: BlockId, makes: (inst: Inst) => boolean, spoils: (inst: Inst) => boolean): Set<BlockId> {
  const heads = new Set<BlockId>();
  const seen = new Set<string>();
  const work: [BlockId, number, boolean][] = [[entry, 0, false]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [block, at, have] = next;
    const key = `${block}.${at}.${have}`;
    if (seen.has(key)) continue;
    seen.add(key);
    if (at === 0 && !have) heads.add(block);
    const inst = fn.blocks[block]!.insts[at];
    if (inst === undefined) for (const s of fn.blocks[block]!.succs) work.push([s, 0, have]);
    else work.push([block, at + 1, (have || makes(inst)) && !spoils(inst)]);
  }
  return heads;
}

describe("available expressions", () => {
  it("are those that every way to a block computes and leaves alone, on random programs", () => {
    let met = 0;
    const wrong: string[] = [];
    for (let seed = 1; seed <= 300; seed++) {
      const fn = randomProgram(seed, 7);
      const { order } = reversePostOrder(fn);
      const found = availableExpressions(fn);
      for (const [number, { sites }] of found.expressions.entries()) {
        const own = new Set(sites.map(({ block, at }) => fn.blocks[block]!.insts[at]!));
        const reads = new Set([...own].flatMap((inst) => [...usesOf(inst)]));
        const without = headsWithout(
          fn,
          order[0]!,
          (inst) => own.has(inst),
          (inst) => defsOf(inst).some((r) => reads.has(r)),
        );
        for (const block of order) {
          const available = found.availableAt(block).includes(number);
          if (available === without.has(block)) wrong.push(`seed ${seed}, block ${block}, expression ${number}`);
          if (available) met++;
        }
      }
    }
    expect(wrong).toEqual([]);
    expect(met).toBeGreaterThan(50);
  });

  const lines = (text: string, label: string): number[][] => {
    const { module } = parseModule(text);
    const fn = module.funcs[0]!;
    const { expressions, availableAt } = availableExpressions(fn);
    const block = fn.layout.find((id) => fn.blocks[id]!.label === label)!;
    return availableAt(block).map((i) => expressions[i]!.sites.map((s) => fn.blocks[s.block]!.insts[s.at]!.line));
  };

  it("take a + b and b + a for one, and neither copies, loads nor guarded instructions for any", () => {
    const text = `.kernel k(n: R0, out: RD1)
A:
    IADD R2, R0, 4
    IADD R3, R0, R2
    MOV R4, R2
    LDG R5, [RD1]
    ISETP.LT P0, R0, 3
    @P0 IADD R6, R0, 9
    @P0 BRA C
B:
    IADD R7, R2, R0
C:
    STG [RD1], R3
    EXIT
`;
    expect(lines(text, "A")).toEqual([]);
    expect(lines(text, "C")).toEqual([[3], [4, 11], [7]]);
  });

  it("end at the entry, even where a loop leads back to it", () => {
    const text = `.kernel k(n: R0, out: RD1)
A:
    IADD R2, R0, 4
    ISETP.LT P0, R2, 3
    @P0 BRA A
B:
    EXIT
`;
    expect(lines(text, "A")).toEqual([]);
    expect(lines(text, "B")).toEqual([[3], [4]]);
  });
});
