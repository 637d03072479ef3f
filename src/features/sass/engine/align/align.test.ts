/** Alignment: of a program with itself, with a rearranged one, and of our pipeline's output with the real compiler's. */

import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../../../engine/api/defaults.ts";
import { EngineSession } from "../../../../engine/api/session.ts";
import { importPtx } from "../../../../engine/import/ptx/import.ts";
import type { Func } from "../../../../engine/ir/types.ts";
import { parseModule } from "../../../../engine/text/parser.ts";
import { importSass } from "../import.ts";
import { SASS } from "../sass.ts";
import { align } from "./align.ts";

const read = (folder: string, name: string): string =>
  readFileSync(fileURLToPath(new URL(`${folder}/fixtures/${name}`, import.meta.url)), "utf8");
const listing = (name: string): string => read("..", name);
const ptx = (name: string): string => read("../../../../engine/import/ptx", name);
const sass = (name: string): Func => importSass(listing(`${name}`)).module.funcs[0]!;
const KERNELS = [
  "01_switch_dense",
  "02_switch_sparse",
  "03_nested_and",
  "04_diamond",
  "05_loop_nest",
  "06_early_exit",
  "07_redundant_addr",
  "08_common_tails",
  "09_reduction",
  "10_divergent_loop",
  "11_binary_search",
  "12_state_machine",
];

describe("align", () => {
  it.each(KERNELS)("%s with itself: every block its own match", (name) => {
    const fn = sass(`${name}.sm_90.nvdisasm.sass`);
    const { pairs, decisions, score } = align(fn, fn);
    expect(pairs.map((p) => [p.ours, p.real])).toEqual(fn.layout.map((id) => [id, id]));
    expect(decisions.filter((d) => !d.agree)).toEqual([]);
    expect(score).toBeGreaterThan(0.85);
  });

  it.each(KERNELS)("%s for two targets: nearly every block, whatever the labels", (name) => {
    const ours = sass(`${name}.sm_75.nvdisasm.sass`);
    const real = sass(`${name}.sm_90.cuobjdump.sass`);
    const { pairs, decisions } = align(ours, real);
    expect(pairs.length / Math.max(ours.layout.length, real.layout.length)).toBeGreaterThan(0.8);
    expect(decisions.find((d) => d.id === "loops")).toMatchObject({ agree: true });
  });

  it.each(KERNELS)("%s: PTX as imported finds most of its blocks in the real output", (name) => {
    const ours = importPtx(ptx(`${name}.sm_90.ptx`)).module.funcs[0]!;
    const real = sass(`${name}.sm_90.nvdisasm.sass`);
    const report = align(ours, real);
    const least = Math.min(ours.layout.length, real.layout.length);
    expect(report.pairs.length / least).toBeGreaterThan(0.5);
    // One block is never matched twice.
    expect(new Set(report.pairs.map((p) => p.real)).size).toBe(report.pairs.length);
    expect(align(ours, real)).toEqual(report);
  });

  it.each(KERNELS)("%s: what is counted of a listing is what its lines say", (name) => {
    for (const target of ["sm_75", "sm_90"]) {
      const path = `${name}.${target}.nvdisasm.sass`;
      // Separate functions after the kernel are not the kernel's.
      const [body = ""] = listing(`${path}`).split(/^\s*\.type\s+\$__internal|^\$__internal/m);
      const lines = body.split("\n").filter((line) => /^\s*\/\*[0-9a-f]{4}\*\//.test(line));
      const guarded = (roots: RegExp): number => lines.filter((l) => /@!?U?P\d\s/.test(l) && roots.test(l)).length;
      const counted = new Map(align(sass(path), sass(path)).decisions.map((d) => [d.id, d.real]));
      expect([target, counted.get("predicated")]).toEqual([target, guarded(/P\d\s+(?!BRA|EXIT|RET|BRX|KILL)[A-Z]/)]);
      expect([target, counted.get("guardedExits")]).toEqual([target, guarded(/P\d\s+EXIT/)]);
      expect([target, counted.get("regions")]).toEqual([target, lines.filter((l) => /\sBSSY\s/.test(l)).length]);
      expect([target, counted.get("stores")]).toEqual([target, lines.filter((l) => /\sSTG?\./.test(l)).length]);
    }
  });

  it("follows content against the layout", () => {
    const parse = (text: string): Func => parseModule(text).module.funcs[0]!;
    const a = parse(`.kernel k(n: R0, p: RD1)
A: ISETP.GE P0, R0, 7
@P0 BRA C
B: STG [RD1], 11
 EXIT
C: STG [RD1], 22
 EXIT
`);
    const b = parse(`.kernel k(n: R0, p: RD1)
X: ISETP.GT P3, R0, 6
@!P3 BRA Z
Y: STG [RD1], 22
 EXIT
Z: STG [RD1], 11
 EXIT
`);
    const { pairs } = align(a, b);
    const label = (fn: Func, id: number): string => fn.blocks[id]!.label;
    expect(pairs.map((p) => `${label(a, p.ours)}${label(b, p.real)}`)).toEqual(["AX", "BZ", "CY"]);
    expect(pairs[0]!.reasons).toContain("compare from 7");
  });

  it("leaves a block without a counterpart alone", () => {
    const real = sass("09_reduction.sm_90.nvdisasm.sass");
    const ours = parseModule(".kernel k()\nA: EXIT\n").module.funcs[0]!;
    const { pairs, real: side } = align(ours, real);
    expect(pairs).toHaveLength(1);
    expect(side.blocks.filter((b) => b.match === null)).toHaveLength(real.layout.length - 1);
  });

  it("stays bounded on many equal blocks", () => {
    const body = Array.from({ length: 3000 }, (_, i) => `L${i}:\n ISETP.GE P0, R0, 1\n@P0 BRA L${(i * 7) % 3000}`).join("\n");
    const fn = parseModule(`.kernel k(n: R0)\n${body}\nE: EXIT\n`).module.funcs[0]!;
    const { pairs, notes } = align(fn, fn);
    expect(pairs.length).toBeGreaterThan(1000);
    expect(notes.length).toBeLessThanOrEqual(1);
  });
});

describe("a listing and the result of a run", () => {
  it("compares the pipeline's result with a listing, chosen by name", () => {
    const session = new EngineSession({ now: () => 0 });
    const name = session.open(1, ptx("12_state_machine.sm_90.ptx"), null).kernels[0]!.name;
    const run = session.run(1, name, DEFAULT_PIPELINE).phases.length - 1;
    const text = `${listing("03_nested_and.sm_90.cuobjdump.sass")}\n${listing("12_state_machine.sm_90.cuobjdump.sass")}`;
    const report = SASS.align(session.soundAt({ run, step: null }), text, null);
    expect(report.ok).toBe(true);
    expect(report.candidates).toEqual(["nested_and", "state_machine"]);
    expect(report.real.name).toBe("state_machine");
    expect(report.decisions.find((d) => d.id === "headers")).toMatchObject({ ours: 2, real: 2, agree: true });
    expect(SASS.align(session.soundAt({ run, step: null }), text, "nested_and").real.name).toBe("nested_and");
    expect(SASS.align(session.soundAt({ run, step: null }), text, "nowhere").ok).toBe(false);
  });

  it("says why there is nothing to align", () => {
    const session = new EngineSession({ now: () => 0 });
    session.open(1, ".kernel k()\nA: EXIT\n", null);
    const report = SASS.align(session.soundAt({ run: -1, step: null }), "nothing", null);
    expect(report.ok).toBe(false);
    expect(report.diagnostics.map((d) => d.code)).toContain("SASS003");
  });
});
