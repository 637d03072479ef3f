/** Every example kernel imports whole: no messages, clean verifier, round trip through text, the counts measured on the originals. */

import { readdirSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loopInfo } from "../../analysis/loops.ts";
import { LOCAL_BASE } from "../../interp/memory.ts";
import { sameModule } from "../../ir/equal.ts";
import type { Func } from "../../ir/types.ts";
import { parseModule } from "../../text/parser.ts";
import { printModule } from "../../text/printer.ts";
import { verifyModule } from "../../verify/verify.ts";
import { LOCAL_WINDOW } from "../address-map.ts";
import { importPtx } from "./import.ts";
import { fixture } from "./testing/run-ptx.ts";

const NAMES = readdirSync(fileURLToPath(new URL("./fixtures", import.meta.url)))
  .filter((name) => name.endsWith(".ptx"))
  .map((name) => name.slice(0, -4))
  .sort();

/** instructions / blocks / loops / depth / critical edges [/ largest table], for nvcc (both targets), clang 14 and LLVM 22. */
const COUNTS: Readonly<Record<string, readonly [nvcc: string, clang: string, llvm: string]>> = {
  "01_switch_dense": ["126/51/0/d0/c4", "128/52/0/d0/c3", "77/23/0/d0/c4/brx16"],
  "02_switch_sparse": ["172/38/1/d1/c7", "62/27/0/d0/c1", "62/27/0/d0/c1"],
  "03_nested_and": ["62/14/0/d0/c6", "57/10/0/d0/c9", "57/10/0/d0/c9"],
  "04_diamond": ["79/7/0/d0/c1", "61/6/0/d0/c1", "61/6/0/d0/c1"],
  "05_loop_nest": ["63/16/3/d2/c11", "80/19/2/d2/c11", "83/19/2/d2/c11"],
  "06_early_exit": ["48/11/0/d0/c4", "51/12/0/d0/c4", "48/12/0/d0/c4"],
  "07_redundant_addr": ["54/6/0/d0/c1", "47/7/0/d0/c1", "42/7/0/d0/c1"],
  "08_common_tails": ["75/17/0/d0/c2", "90/18/0/d0/c1", "95/11/0/d0/c1/brx6"],
  "09_reduction": ["76/11/2/d1/c10", "61/14/2/d1/c7", "61/14/2/d1/c7"],
  "10_divergent_loop": ["56/11/1/d1/c7", "57/12/1/d1/c5", "52/12/1/d1/c5"],
  "11_binary_search": ["48/7/1/d1/c5", "46/6/1/d1/c4", "45/6/1/d1/c4"],
  "12_state_machine": ["171/40/2/d2/c13", "185/48/2/d2/c9", "166/35/2/d2/c11/brx14"],
};

function criticalEdges(fn: Func): number {
  let n = 0;
  for (const id of fn.layout) {
    const succs = fn.blocks[id]!.succs;
    if (succs.length > 1) n += succs.filter((s) => fn.blocks[s]!.preds.length > 1).length;
  }
  return n;
}

describe("example kernels", () => {
  it.each(NAMES)("%s imports without a message and survives its text", (name) => {
    const { module, diagnostics } = importPtx(fixture(name));
    expect(diagnostics).toEqual([]);
    expect(module.funcs).toHaveLength(1);
    expect(verifyModule(module)).toEqual([]);
    const back = parseModule(printModule(module));
    expect(back.diagnostics).toEqual([]);
    expect(sameModule(module, back.module)).toBe(true);
  });

  it.each(NAMES)("%s has the instructions, blocks, loops and critical edges of the original", (name) => {
    const [kernel = "", ...compiler] = name.split(".");
    const column = compiler[0] === "clang14" ? 1 : compiler[0] === "llvm22" ? 2 : 0;
    const { module, functions } = importPtx(fixture(name));
    const fn = module.funcs[0]!;
    const loops = loopInfo(fn).loops;
    const depth = Math.max(0, ...loops.map((loop) => loop.depth));
    const table = Math.max(0, ...[...fn.tables.values()].map((t) => t.entries.length));
    const counts = `${functions[0]!.instructions}/${fn.layout.length}/${loops.length}/d${depth}/c${criticalEdges(fn)}${table > 0 ? `/brx${table}` : ""}`;
    expect(counts).toBe(COUNTS[kernel]![column]);
  });

  it("models nearly every instruction", () => {
    const functions = NAMES.flatMap((name) => importPtx(fixture(name)).functions);
    const all = functions.reduce((n, fn) => n + fn.instructions, 0);
    const opaque = functions.reduce((n, fn) => n + fn.opaque, 0);
    expect(all).toBeGreaterThan(3000);
    expect(opaque / all, `${all - opaque} of ${all} modelled`).toBeLessThan(0.01);
  });

  it("puts local memory where the interpreter has it", () => {
    expect(LOCAL_WINDOW).toBe(LOCAL_BASE);
  });
});
