/** Every example listing imports whole: no errors, clean verifier, round trip through text, the counts measured on the originals, the same graph in every layout. */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { loopInfo } from "../../../engine/analysis/loops.ts";
import { sameModule } from "../../../engine/ir/equal.ts";
import type { Func } from "../../../engine/ir/types.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { printModule } from "../../../engine/text/printer.ts";
import { verifyModule } from "../../../engine/verify/verify.ts";
import { importSass } from "./import.ts";

const DIR = fileURLToPath(new URL("./fixtures/", import.meta.url));
const NAMES = readdirSync(DIR)
  .filter((name) => name.endsWith(".sass"))
  .sort();
const read = (name: string): string => readFileSync(DIR + name, "utf8");

/** instructions (the padding branch counted) / blocks / loops [/ BRX] [/ BSSY] of sm_75 and sm_90. */
const COUNTS: Readonly<Record<string, readonly [sm75: string, sm90: string]>> = {
  "01_switch_dense": ["170/36/0/BRX7x3/BSSY1", "175/36/0/BRX7x3/BSSY1"],
  "02_switch_sparse": ["233/33/1/BSSY4", "236/33/1/BSSY4"],
  "03_nested_and": ["54/10/0/BSSY2", "63/10/0/BSSY2"],
  "04_diamond": ["235/7/0/BSSY4", "235/7/0/BSSY4"],
  "05_loop_nest": ["60/14/2/BSSY3", "66/14/2/BSSY3"],
  "06_early_exit": ["42/8/0", "48/8/0"],
  "07_redundant_addr": ["44/2/0", "47/2/0"],
  "08_common_tails": ["138/14/0/BRX2x4/BSSY2", "143/14/0/BRX2x4/BSSY2"],
  "09_reduction": ["55/9/2/BSSY1", "61/8/2/BSSY1"],
  "10_divergent_loop": ["58/10/1/BSSY2", "66/10/1/BSSY2"],
  "11_binary_search": ["42/8/1/BSSY1", "43/8/1/BSSY1"],
  "12_state_machine": ["169/28/2/BRX2x4/BSSY3", "174/28/2/BRX2x4/BSSY3"],
};

/** Blocks by position with successors by position: the graph without names. */
function shape(fn: Func, withTables: boolean): string {
  const at = new Map(fn.layout.map((id, i) => [id, i]));
  return fn.layout
    .map((id) => {
      const block = fn.blocks[id]!;
      const jumps = block.insts.at(-1)?.op === "BRX";
      return `${block.insts.length}:${jumps && !withTables ? "*" : block.succs.map((s) => at.get(s)).join(",")}`;
    })
    .join(" ");
}

describe("example listings", () => {
  it.each(NAMES)("%s imports without an error and survives its text", (name) => {
    const { module, diagnostics } = importSass(read(name));
    expect(diagnostics.filter((d) => d.code !== "SASS008")).toEqual([]);
    expect(verifyModule(module)).toEqual([]);
    const back = parseModule(printModule(module));
    expect(back.diagnostics).toEqual([]);
    expect(sameModule(module, back.module)).toBe(true);
  });

  it.each(NAMES)("%s has the instructions, blocks, loops, tables and regions of the original", (name) => {
    const [kernel = "", target, layout] = name.split(".");
    const { module, functions } = importSass(read(name));
    const [main] = module.funcs;
    const insts = module.funcs.flatMap((fn) => fn.blocks.flatMap((b) => b!.insts));
    const listing = read(name).split("\n");
    // An instruction of the listing may have become several, and other instructions NOPs.
    const nops = insts.filter((i) => i.op === "NOP" && /\bNOP\b/.test(listing[i.line - 1] ?? "")).length;
    const lines = new Set(insts.filter((i) => i.line > 0).map((i) => i.line));
    expect(lines.size).toBe(functions.reduce((n, fn) => n + fn.instructions, 0));
    const instructions = functions.reduce((n, fn) => n + fn.instructions, 0) - nops + 1;
    const widths = [...main!.tables.values()].map((t) => t.entries.length);
    const regions = insts.filter((i) => i.op === "BSSY").length;
    const brx = widths.length === 0 ? "" : `/BRX${widths.length}x${Math.max(...widths)}`;
    const got = `${instructions}/${main!.layout.length}/${loopInfo(main!).loops.length}${brx}${regions === 0 ? "" : `/BSSY${regions}`}`;
    const want = COUNTS[kernel]![target === "sm_75" ? 0 : 1];
    // cuobjdump does not print the targets of a BRX.
    if (layout === "cuobjdump") expect(got.replace(/BRX\d+x\d+/, "BRX")).toBe(want.replace(/BRX\d+x\d+/, "BRX"));
    else expect(got).toBe(want);
  });

  it.each(NAMES.filter((name) => name.includes("nvdisasm")))("%s has the same graph in every layout", (name) => {
    const graphs = (layout: string, withTables: boolean): string[] =>
      importSass(read(name.replace("nvdisasm", layout))).module.funcs.map((fn) => shape(fn, withTables));
    expect(graphs("ce", true)).toEqual(graphs("nvdisasm", true));
    if (NAMES.includes(name.replace("nvdisasm", "cuobjdump"))) expect(graphs("cuobjdump", false)).toEqual(graphs("nvdisasm", false));
  });

  it("has a listing of cuobjdump of all kernels but two for sm_75, which are long", () => {
    expect(NAMES.filter((name) => name.includes("cuobjdump"))).toHaveLength(2 * Object.keys(COUNTS).length - 2);
  });

  it.each(NAMES.filter((name) => name.includes("nvdisasm")))(
    "%s has the same graph as pane text without addresses and semicolons",
    (name) => {
      const text = read(name);
      const pane = text
        .split("\n")
        .filter((line) => !/^\s*\.(?!L_|text\.)|^\/\//.test(line))
        .map((line) => line.replace(/\/\*.*?\*\//g, "").replace(/\s*;\s*$/, ""))
        .join("\n");
      expect(pane).not.toContain("/*");
      const graphs = (source: string): string[] => importSass(source).module.funcs.map((fn) => shape(fn, true));
      expect(graphs(pane)).toEqual(graphs(text));
    },
  );

  it("knows the registers of every instruction and has Ori opcodes for most", () => {
    const functions = NAMES.flatMap((name) => importSass(read(name)).functions);
    const sum = (of: (fn: (typeof functions)[number]) => number): number => functions.reduce((n, fn) => n + of(fn), 0);
    const all = sum((fn) => fn.instructions);
    expect(all).toBeGreaterThan(7000);
    expect(1 - sum((fn) => fn.inexact) / all).toBeGreaterThanOrEqual(0.99);
    expect(1 - sum((fn) => fn.opaque) / all, `${all - sum((fn) => fn.opaque)} of ${all} modelled`).toBeGreaterThanOrEqual(0.99);
  });
});
