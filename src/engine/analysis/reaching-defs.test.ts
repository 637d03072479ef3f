import { describe, expect, it } from "vitest";
import type { BlockId, Reg } from "../ir/ids.ts";
import type { Func } from "../ir/types.ts";
import { defsOf, surelyDefines, usesOf } from "../ir/visit.ts";
import { draws, freshSeed } from "../testing/seed.ts";
import { parseModule } from "../text/parser.ts";
import { reversePostOrder } from "./order.ts";
import { type DefSite, reachingDefs } from "./reaching-defs.ts";
import { MOST_REACHING } from "./reaching-merges.ts";
import { solveRows } from "./reaching-rows.ts";
import { flowGraph } from "./solve.ts";
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
    else if (!surelyDefines(inst, r)) work.push([block, i + 1]);
  }
  return seen;
}

/** Other programs on every commit. */
const FIRST = freshSeed(1_000_000);

const nameOf = (site: DefSite): string => (site.inst === null ? "entry" : `${site.block}.${site.at}`);

describe("reaching definitions", () => {
  it("are the ends of ways without a sure redefinition, on random programs", () => {
    for (let seed = FIRST; seed < FIRST + draws(300); seed++) {
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
      }
    }
  });

  it("are the same where the graph has too many frontiers, on random programs", () => {
    for (let seed = FIRST; seed < FIRST + draws(100); seed++) {
      const fn = randomProgram(seed, 24);
      const defs = reachingDefs(fn);
      const registers = REGS.map((reg) => ({ reg, sites: defs.sitesOf(reg) })).filter(({ sites }) => sites.length > 0);
      const rows = solveRows(flowGraph(fn), registers);
      for (const id of reversePostOrder(fn).order) {
        for (const { reg, sites } of registers) {
          const found = rows.incoming(reg, id).map((i) => (i === 0 ? "entry" : nameOf(sites[i - 1]!)));
          expect(found, `seed ${seed}, ${id}`).toEqual(defs.reachingAt(id, 0, reg).map(nameOf));
        }
      }
    }
  });

  const parse = (text: string): Func => {
    const { module, diagnostics } = parseModule(text);
    expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    return module.funcs[0]!;
  };

  it("are given up to a limit, where ever more of them come together", () => {
    // Each loop may be passed over: at its head all definitions before it may be the last.
    const loops = 3 * MOST_REACHING;
    const lines = [".kernel k(n: R0, out: RD0)", "entry:", "    MOV R1, 0"];
    for (let i = 0; i < loops; i++) {
      lines.push(
        `H${i}:`,
        "    ISETP.GE P0, R2, R0",
        `@P0 BRA X${i}`,
        `B${i}:`,
        "    IADD R1, R1, 1",
        "    IADD R2, R2, R1",
        `    BRA H${i}`,
        `X${i}:`,
        "    IADD R3, R3, 1",
      );
    }
    const fn = parse([...lines, "end:", "    STG [RD0], R1", "    EXIT", ""].join("\n"));
    const defs = reachingDefs(fn);
    const block = (label: string): BlockId => fn.layout.find((id) => fn.blocks[id]?.label === label)!;
    const r1 = defsOf(fn.blocks[block("entry")]!.insts[0]!)[0]!;
    const all = new Set(defs.sitesOf(r1));
    expect(all.size).toBe(loops + 1);
    for (const i of [0, 1, 10, MOST_REACHING - 2]) {
      const found = defs.reachingAt(block(`X${i}`), 0, r1);
      expect(found.map((site) => site.block)).toEqual([block("entry"), ...Array.from({ length: i + 1 }, (_, j) => block(`B${j}`))]);
    }
    for (const label of [`H${MOST_REACHING}`, `X${loops - 1}`, "end"]) {
      const found = defs.reachingAt(block(label), 0, r1);
      expect(new Set(found).size).toBe(MOST_REACHING + 1);
      expect(found.every((site) => all.has(site))).toBe(true);
      expect(defs.soleDefAt(block(label), 0, r1)).toBe(null);
    }
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
