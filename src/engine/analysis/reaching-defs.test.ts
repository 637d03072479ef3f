import { describe, expect, it } from "vitest";
import type { BlockId, Reg } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { defsOf, usesOf } from "../ir/visit.ts";
import { parseModule } from "../text/parser.ts";
import { reversePostOrder } from "./order.ts";
import { alwaysWrites, type DefSite, reachingDefs } from "./reaching-defs.ts";
import { placesOf, REGS, randomProgram } from "./testing/programs.ts";

/** Every place that a definition's value arrives at, by walking all ways from it: `block.at`. */
function reachedPlaces(fn: Func, r: Reg, from: BlockId, at: number): Set<string> {
  const seen = new Set<string>();
  const work: [BlockId, number][] = [[from, at]];
  for (let next = work.pop(); next !== undefined; next = work.pop()) {
    const [block, i] = next;
    const key = `${block}.${i}`;
    if (seen.has(key)) continue;
    seen.add(key);
    const { insts, succs } = fn.blocks[block]!;
    const inst = insts[i];
    if (inst === undefined) for (const s of succs) work.push([s, 0]);
    else if (!(defsOf(inst).includes(r) && alwaysWrites(inst))) work.push([block, i + 1]);
  }
  return seen;
}

const nameOf = (site: DefSite): string => (site.inst === null ? "entry" : `${site.block}.${site.at}`);

describe("reaching definitions", () => {
  it("are the ends of ways without a sure redefinition, on random programs", () => {
    for (let seed = 1; seed <= 1500; seed++) {
      const fn = randomProgram(seed, 8);
      const { order } = reversePostOrder(fn);
      const defs = reachingDefs(fn);
      const places = placesOf(fn, order);
      for (const r of REGS) {
        const sites = places.filter(({ inst }) => defsOf(inst).includes(r));
        expect(defs.sitesOf(r).map(nameOf)).toEqual(sites.map(({ block, at }) => `${block}.${at}`));
        const reached = new Map<string, Set<string>>();
        reached.set("entry", reachedPlaces(fn, r, order[0]!, 0));
        for (const { block, at } of sites) reached.set(`${block}.${at}`, reachedPlaces(fn, r, block, at + 1));
        const named = sites.length > 0 || places.some(({ inst }) => usesOf(inst).includes(r));
        for (const id of order) {
          for (let at = 0; at <= fn.blocks[id]!.insts.length; at++) {
            const expected = named ? [...reached].filter(([, set]) => set.has(`${id}.${at}`)).map(([name]) => name) : [];
            expect(defs.reachingAt(id, at, r).map(nameOf).sort(), `seed ${seed}, ${id}.${at}`).toEqual(expected.sort());
          }
        }
        for (const use of defs.usesOfReg(r)) {
          for (const site of defs.reachingUse(use)) expect(defs.usesOf(site), `seed ${seed}`).toContain(use);
        }
      }
    }
  });

  const parse = (text: string): Func => {
    const { module, diagnostics } = parseModule(text);
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return module.funcs[0]!;
  };

  it("follow PHI inputs to the end of their predecessors, and results to RET", () => {
    const fn = parse(`.func f(a: R0, p: P0) -> R3
BB0:
@P0 BRA BB2
BB1:
    MOV R1, 1
    BRA BB3
BB2:
    MOV R1, 2
BB3:
    PHI R3, [BB1: R1], [BB2: R1]
    RET
`);
    const defs = reachingDefs(fn);
    const r1 = fn.blocks[1]!.insts[0]!;
    const uses = defs.usesOfReg(defsOf(r1)[0]!);
    expect(uses.map((use) => [use.pred, defs.reachingUse(use).map((s) => s.inst?.id)])).toEqual([
      [1, [r1.id]],
      [2, [fn.blocks[2]!.insts[0]!.id]],
    ]);
    const phi = fn.blocks[3]!.insts[0]!;
    const site = defs.singleDef(defsOf(phi)[0]!)!;
    expect(defs.usesOf(site).map((use) => [use.inst.op, use.implicit])).toEqual([["RET", true]]);
  });

  it("keep what a guarded definition may leave as it was", () => {
    const fn = parse(`.kernel k(a: R0, out: RD0)
BB0:
    ISETP.LT P0, R0, 5
    MOV R1, 1
@P0 MOV R1, 2
@PT MOV R2, R1
    STG [RD0], R2
    EXIT
`);
    const defs = reachingDefs(fn);
    const insts = fn.blocks[0]!.insts;
    expect(defs.reachingAt(fn.layout[0]!, 3, defsOf(insts[1]!)[0]!).map((s) => s.at)).toEqual([1, 2]);
    expect(defs.soleDefAt(fn.layout[0]!, 3, defsOf(insts[1]!)[0]!)).toBe(null);
    expect(defs.singleDef(defsOf(insts[3]!)[0]!)?.at).toBe(3);
    expect(defs.singleDef(fn.params[0]!.reg)).toBe(null);
  });
});
