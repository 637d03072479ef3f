import { describe, expect, it } from "vitest";
import { emptyModule } from "../ir/builder.ts";
import { firstDifference } from "../ir/equal.ts";
import { OPCODES } from "../ir/opcodes.ts";
import { operandProblem, slotsFor } from "../ir/shape.ts";
import type { Func } from "../ir/types.ts";
import { parseModule } from "./parser.ts";
import { printFunc, printFuncWithMap, printInst, printModule } from "./printer.ts";
import { around, sampleInsts } from "./testing/samples.ts";
import { tokenizeInst } from "./tokens.ts";

const errors = (text: string): string[] =>
  parseModule(text)
    .diagnostics.filter((d) => d.severity === "error")
    .map((d) => `${d.line}:${d.column} ${d.code} ${d.message}`);

function reparsed(fn: Func): Func {
  const { module, diagnostics } = parseModule(printFunc(fn));
  expect(diagnostics.filter((d) => d.severity === "error")).toEqual([]);
  const [back] = module.funcs;
  if (back === undefined) throw new Error(`nothing was parsed from\n${printFunc(fn)}`);
  return back;
}

const samples = sampleInsts();

describe("round trip of single instructions", () => {
  it("has a sample of every opcode", () => {
    expect(new Set(samples.map((inst) => inst.op)).size).toBe(Object.keys(OPCODES).length);
    expect(samples.length).toBeGreaterThan(1000);
  });

  it("accepts every sample by the shape table", () => {
    for (const inst of samples) {
      const slots = slotsFor(inst.op, inst.ops.length);
      for (const [i, operand] of inst.ops.entries()) {
        const problem = operandProblem(inst.op, inst.mods, slots![i]!, i, operand, inst.ops[0]);
        expect(problem, printInst(around(inst), inst)).toBeNull();
      }
    }
  });

  it("parses what it prints, to the same instruction", () => {
    for (const inst of samples) {
      const fn = around(inst);
      const text = printFunc(fn);
      const back = reparsed(fn);
      expect(firstDifference(fn, back), text).toBeNull();
      expect(printFunc(back)).toBe(text);
    }
  });

  it("has tokens that join to the instruction's text", () => {
    for (const inst of samples) {
      const fn = around(inst);
      expect(
        tokenizeInst(fn, inst)
          .map((token) => token.text)
          .join(""),
      ).toBe(printInst(fn, inst));
    }
  });
});

const SUM = `// Sum of the positive entries of a[0..n)
.target sm_90                                  // optional
.kernel sum_pos(n: R0, a: RD1, out: RD2)       // live in
BB0:
    S2R     R3, SR_TID.X
    MOV     R4, 0

    // two counters
    MOV     R5, 0
BB1:                                           // falls in from BB0
    ISETP.GE  P0, R5, R0
@P0 BRA     BB4
BB1.1:
    IMAD.WIDE RD3, R5, 4, RD1
    LDG     R6, [RD3]
    ISETP.LE  P1, R6, RZ
@!P1 BRA     BB3
BB1.2:
    IADD    R4, R4, R6                         /* sum */ // here
BB3:
    IADD    R5, R5, 1
    BRA     BB1
/* a comment
     of three
   lines */
BB4:
    STG     [RD2], R4
    EXIT

.func f(x: R0) -> R2, P0
.table T base=-2 default=BB9 { BB1, BB9, BB1 }
.weight BB1 900
BB0:
    ISETP.GE.64.AND P0, RD0, RZ, !P1
@P0 BRA     BB1
    BRA     BB2
BB1:
    PHI     R3, [BB0: 1.5], [BB2: R1]
    JMX     R7, T
BB2:
    BRA     BB1
BB9:
    RET
// the end

`;

describe("round trip of texts", () => {
  it("leaves canonical text as it is, comments and blank lines included", () => {
    expect(errors(SUM)).toEqual([]);
    expect(printModule(parseModule(SUM).module)).toBe(SUM);
  });

  it("keeps symbols with their offsets", () => {
    const text = `.symbol buf shared 100 4
.symbol odd shared 8 8 offset=256 // placed
.symbol k const 4 4 init=00ff12ab
.kernel f()
BB0:
    MOV     R1, buf+8
    LDS     R2, [odd+4]
    EXIT
`;
    const { module, diagnostics } = parseModule(text);
    expect(diagnostics).toEqual([]);
    expect(module.symbols.map((s) => s.offset)).toEqual([0, 256, 0]);
    const printed = printModule(module);
    expect(printed).toContain("LDS     R2, [0x104]");
    expect(parseModule(printed).module.symbols.map((s) => [s.name, s.offset, s.init])).toEqual([
      ["buf", 0, null],
      ["odd", 256, null],
      ["k", 0, "00ff12ab"],
    ]);
    expect(printModule(parseModule(printed).module)).toBe(printed);
  });

  it("prints an empty module as nothing", () => {
    expect(printModule(emptyModule())).toBe("");
  });

  it("tells which line shows which block and instruction", () => {
    const [fn] = parseModule(SUM).module.funcs;
    const { text, blockOfLine, instOfLine } = printFuncWithMap(fn!);
    const lines = text.split("\n");
    expect(blockOfLine.length).toBe(lines.length - 1);
    for (const [i, line] of lines.entries()) {
      if (line.includes("IADD    R5")) {
        const block = fn!.blocks[blockOfLine[i]!]!;
        expect(block.label).toBe("BB3");
        expect(block.insts.find((inst) => inst.id === instOfLine[i])?.op).toBe("IADD");
      }
      if (line.startsWith("BB4:")) expect([fn!.blocks[blockOfLine[i]!]?.label, instOfLine[i]]).toEqual(["BB4", -1]);
    }
  });
});

/** Lenient spellings and what they become. */
const LENIENT: readonly (readonly [string, string])[] = [
  ["ISETP.GE.AND P0, PT, R1, R2, PT", "ISETP.GE P0, R1, R2"],
  ["ISETP.GE.AND P0, PT, R1, R2, P3", "ISETP.GE.AND P0, R1, R2, P3"],
  ["ISETP.GE.OR P0, PT, R1, R2, PT", "ISETP.GE.OR P0, R1, R2, PT"],
  ["ISETP.GE.AND.U32 P0, PT, R1, 0x10, !PT", "ISETP.GE.U32.AND P0, R1, 16, !PT"],
  ["ISETP.GE P0, R1, R2, P3", "ISETP.GE.AND P0, R1, R2, P3"],
  ["ISETP.GE.AND P0, R1, R2", "ISETP.GE P0, R1, R2"],
  ["ISETP.U32.LT P0, RD1, RZ", "ISETP.LT.U32.64 P0, RD1, RZ"],
  ["FSETP.GT.FTZ.AND P0, PT, R1, 1, PT", "FSETP.GT.FTZ P0, R1, 1.0"],
  ["IADD3 R1, R2, R3, RZ", "IADD3 R1, R2, R3, RZ"],
  ["IADD RD1, RD2, -1", "IADD.64 RD1, RD2, -1"],
  ["IADD.64 RD1, RD2, RZ", "IADD.64 RD1, RD2, RZ"],
  ["LOP3.LUT R1, R2, R3, RZ, 0xc0", "LOP3 R1, R2, R3, RZ, 0xc0"],
  ["IADD.U32 R1, R2, R3", "IADD R1, R2, R3"],
  ["MOV.64 RD1, RD2", "MOV.64 RD1, RD2"],
  ["MOV RD1, RD2", "MOV RD1, RD2"],
  ["MOV.64 R1, RD2", ""],
  ["MOV RD1, 0x1234567890abcdef", "MOV RD1, 0x1234567890abcdef"],
  ["MOV R1, 1.5", "MOV R1, 1.5"],
  ["MOV RD1, 0.1", "MOV RD1, 0.1"],
  ["MOV R1, 0f3F800000", "MOV R1, 1.0"],
  ["DADD RD1, RD2, 0.1", "DADD RD1, RD2, 0.1"],
  ["FADD R1, R2, -0x3f800000", ""],
  ["FADD R1, -R2, |R3|", "FADD R1, -R2, |R3|"],
  ["FADD R1, R2.reuse, -|R3|", "FADD R1, R2, -|R3|"],
  ["HADD2 R1, R2, 1.5", "HADD2 R1, R2, 0x3e003e00"],
  ["LDG.E R1, [RD2 + 0x10 - 4];", "LDG R1, [RD2+0xc]"],
  ["LDG RD1, [RD2]", "LDG.64 RD1, [RD2]"],
  ["STG [RD2], {R4, R5, R6, R7}", "STG.128 [RD2], {R4, R5, R6, R7}"],
  ["STG.128 [RD2], {RD4, RD5}", "STG.128 [RD2], {RD4, RD5}"],
  ["F2I.TRUNC R1, R2", "F2I.S32.F32.TRUNC R1, R2"],
  ["I2F.U32 R1, R2", "I2F.F32.U32 R1, R2"],
  ["LDC R1, c[0x3][R2-8]", "LDC R1, c[0x3][R2-0x8]"],
  ["BRA P1, BB0", "BRA P1, BB0"],
  ["CALL helper", "CALL helper, {}, {}"],
  ["SHFL.IDX PT, R3, R4, R5, 0x1f", "SHFL.IDX PT, R3, R4, R5, 31"],
  ["SHFL.IDX R3, R4, 0, 31", "SHFL.IDX R3, R4, 0, 31"],
  ["ATOMG.ADD R1, [RD2], 1", "ATOM.ADD R1, [RD2], 1"],
  ["RED.ADD.F32 [RD2], 1", "RED.ADD.F32 [RD2], 1.0"],
  ["BAR.SYNC.DEFER_BLOCKING 0x0", "BAR.SYNC 0"],
  ["SEL R1, R2, 5, !P0", "SEL R1, R2, 5, !P0"],
  ["@!PT IADD R1, R2, URZ", "@!PT IADD R1, R2, URZ"],
];

describe("lenient spellings", () => {
  it.each(LENIENT)("%s", (written, canonical) => {
    const { module, diagnostics } = parseModule(`.kernel f()\nBB0:\n${written}\nEXIT\n`);
    const inst = module.funcs[0]?.blocks[0]?.insts[0];
    if (canonical === "") {
      expect(diagnostics.length).toBeGreaterThan(0);
      return;
    }
    expect(diagnostics).toEqual([]);
    expect(printInst(module.funcs[0]!, inst!)).toBe(canonical);
    expect(firstDifference(module.funcs[0]!, reparsed(module.funcs[0]!))).toBeNull();
  });
});
