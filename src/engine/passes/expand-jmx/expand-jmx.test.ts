/** Text layout, bounds and the run of an expanded jump, beyond what fixtures show. */

import { describe, expect, it } from "vitest";

import { layoutText } from "../../analysis/text-layout.ts";
import { runKernel } from "../../interp/interpreter.ts";
import { parseReg } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { parseModule } from "../../text/parser.ts";
import { upperBound } from "./index-bound.ts";
import { jumpTableRelocs, wordBytes } from "./table-bytes.ts";

const parse = (text: string): { fn: Func; module: ReturnType<typeof parseModule>["module"] } => {
  const { module, diagnostics } = parseModule(text);
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  return { fn: module.funcs[0] as Func, module };
};

const JUMP = `.func k(i: R0) -> R5
.table JT0 base=0 default=D { A, B, D, A }
BB0:
    JMX R0, JT0
A:
    MOV R5, 10
    RET
B:
    MOV R5, 20
    RET
D:
    MOV R5, 1
    RET`;

describe("an expanded jump", () => {
  it("goes where JMX goes, for indices whose fourfold wraps around to the table", () => {
    const { fn, module } = parse(JUMP);
    const { plan } = planPipeline({ ...DEFAULT_OPTIONS, phases: ["expand-jmx-computation"] }, null);
    const { result } = runPipeline(fn, module, plan);
    // The index has no bound: its clamp leads to an entry of the table, after the last case.
    expect(result.tables.get("JT0")?.entries.length).toBe(5);
    expect(result.layout.flatMap((id) => result.blocks[id]?.insts ?? []).map((i) => i.op)).toContain("LEA");
    const lanes = [0, 1, 2, 3, 4, -1, 0x3fffffff, 0x40000000, 0x40000001, 0x80000000, 0xc0000001, 0x04000000, 0x10000000, 7];
    for (const f of [fn, result]) {
      const inputs = { threads: lanes.length, fuel: 10_000, buffers: [], args: [(t: number) => (lanes[t] ?? 0) >>> 0] };
      const out = runKernel(module, f, inputs);
      expect(Array.from(out.returns[0]?.lo ?? [])).toEqual([10, 20, 1, 10, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1]);
    }
  });
});

describe("layoutText", () => {
  it("puts a table after its BRX without padding and aligns what follows", () => {
    const { fn } = parse(JUMP.replace("JMX", "BRX"));
    const text = layoutText(fn, { tables: true, short: (inst) => inst.op === "BRX" });
    const [table] = text.tables;
    expect(table).toMatchObject({ name: "JT0", address: 8, inline: true });
    // Four entries end at 24; the next instruction is 16 bytes long and at 32.
    expect(table?.entries.map((e) => e.offset)).toEqual([32 - 8, 64 - 8, 96 - 8, 32 - 8]);
    expect(table?.entries.map((e) => e.isDefault)).toEqual([false, false, true, false]);
    expect(text.size).toBe(128);
  });

  it("gives near branches 8 bytes, which changes the addresses after them and the words of tables", () => {
    const text = JUMP.replace("JMX", "BRX").replace("    MOV R5, 10\n    RET", "@P0 BRA.NEAR D\n    BRA.NEAR B");
    const words = (source: string): readonly number[] | undefined => {
      const { fn } = parse(source);
      return layoutText(fn, { tables: true, short: (inst) => inst.op === "BRX" }).tables[0]?.entries.map((e) => e.offset);
    };
    // The table ends at 24: the near branches are at 24 and 32, and B at 48; with long ones A is at 32 and B at 64.
    expect(words(text)).toEqual([24 - 8, 48 - 8, 80 - 8, 24 - 8]);
    expect(words(text.replaceAll(".NEAR", ""))).toEqual([32 - 8, 64 - 8, 96 - 8, 32 - 8]);
  });

  it("writes words low byte first, and the relocation record", () => {
    expect(wordBytes(-128)).toBe("80 ff ff ff");
    expect(wordBytes(0x1234)).toBe("34 12 00 00");
    const { fn } = parse(JUMP.replace("JMX", "BRX"));
    expect(jumpTableRelocs(layoutText(fn, { tables: true }).tables)).toEqual({ offsets: [16], bytes: "04 03 04 00 10 00 00 00" });
  });
});

describe("upperBound", () => {
  const bound = (lines: readonly string[], label = "END"): number | null => {
    const { fn } = parse([".func k(a: R0, b: R1) -> R5", "BB0:", ...lines, "RET"].join("\n"));
    const id = fn.layout.find((b) => fn.blocks[b]?.label === label) ?? fn.layout[0];
    const r = parseReg("R4");
    if (id === undefined || r === null) throw new Error("no block");
    return upperBound(fn, id, fn.blocks[id]?.insts.length ?? 0, r);
  };

  it.each([
    [["IMNMX.U32 R4, R0, 9, PT"], 10],
    [["IMNMX R4, R0, 9, PT"], null],
    [["IMNMX.U32 R4, R0, 9, !PT"], null],
    [["LOP.AND R4, R0, 31"], 32],
    [["SHR.U32 R4, R0, 28"], 16],
    [["SHR R4, R0, 28"], null],
    [["MOV R4, 3"], 4],
    [["IADD R4, R0, 1"], null],
    [["LOP.AND R4, R0, 31", "ISETP.LT P0, R1, 5", "@P0 IADD R4, R4, R1"], null],
    [["IADD R4, R0, 1", "ISETP.GE.U32 P0, R4, 6", "@P0 BRA OUT", "END:", "RET", "OUT:"], 6],
    [["IADD R4, R0, 1", "ISETP.GE.U32 P0, R4, 6", "@!P0 BRA END", "OUT:", "RET", "END:"], 6],
    [["IADD R4, R0, 1", "ISETP.GE P0, R4, 6", "@P0 BRA OUT", "END:", "RET", "OUT:"], null],
    [["IADD R4, R0, 1", "ISETP.GE.U32 P0, R4, 6", "IADD R4, R4, 1", "@P0 BRA OUT", "END:", "RET", "OUT:"], null],
    [["IADD R4, R0, 1", "ISETP.LT.U32 P0, R4, 6", "@P0 BRA END", "OUT:", "RET", "END:"], 6],
    [["IADD R4, R0, 1", "ISETP.GE.U32 P0, R4, 6", "@P0 BRA END", "OUT:", "BRA END", "END:"], null],
  ])("%j: %s", (lines, wanted) => {
    expect(bound(lines)).toBe(wanted);
  });
});
