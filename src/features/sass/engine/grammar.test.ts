/** The grammar of listings and the registers of their instructions, one oddity at a time. */

import { describe, expect, it } from "vitest";
import { DiagnosticSink } from "../../../engine/import/diagnostics.ts";
import { regName } from "../../../engine/ir/reg.ts";
import type { Func } from "../../../engine/ir/types.ts";
import { defsOf, usesOf } from "../../../engine/ir/visit.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { printInst, printModule } from "../../../engine/text/printer.ts";
import { verifyModule } from "../../../engine/verify/verify.ts";
import type { SassInst } from "./ast.ts";
import { SASS_CODES, type SassCode } from "./codes.ts";
import { importSass, type SassImport } from "./import.ts";
import { readListing } from "./lines.ts";
import { accessesOf } from "./registers.ts";

/** Imports code lines, verifies, and gives the instructions of the first function as text. */
function imported(code: string): SassImport & { readonly fn: Func; readonly lines: readonly string[] } {
  const result = importSass(code);
  expect(verifyModule(result.module).filter((d) => d.severity === "error")).toEqual([]);
  const fn = result.module.funcs[0]!;
  return { ...result, fn, lines: fn.layout.flatMap((id) => fn.blocks[id]!.insts.map((inst) => printInst(fn, inst))) };
}

/** One instruction as Ori text. */
const one = (code: string): string => imported(` ${code} ;\n EXIT ;`).lines[0]!;

function parsed(code: string): SassInst {
  const sink = new DiagnosticSink<SassCode>(SASS_CODES, "SASS099", 10);
  return readListing(code, sink).sections[0]!.insts[0]!;
}

/** `defs <- uses` by name. */
function registers(code: string): string {
  const { defs, uses } = accessesOf(parsed(code));
  return `${defs.map(regName).join(" ")} <- ${uses.map(regName).join(" ")}`;
}

const graph = (fn: Func): string[] =>
  fn.layout.map((id) => `${fn.blocks[id]!.label} -> ${fn.blocks[id]!.succs.map((s) => fn.blocks[s]!.label).join(" ")}`.trimEnd());

describe("lines", () => {
  it.each([
    ["nvdisasm", "        /*0000*/                   IADD3 R0, R1, R2, R3 ;"],
    [
      "cuobjdump",
      "        /*0000*/                   IADD3 R0, R1, R2, R3 ;      /* 0x0000000201007210 */\n                 /* 0x000fe20000000800 */",
    ],
    ["pane text", " IADD3 R0, R1, R2, R3"],
    ["CuAssembler", "      [B------:R-:W0:-:S01]         /*0000*/                   IADD3 R0, R1, R2, R3  ;"],
    ["CuAssembler without addresses", "[B01----:R2:W-:Y:S15]  IADD3 R0, R1, R2, R3 ;"],
    ["scheduling fields", "        /*0000*/  IADD3 R0, R1, R2, R3   &req={0,1} &wr=0x2 ?trans7 ;"],
    ["scheduling fields at the end", "        /*0000*/  IADD3 R0, R1, R2, R3   &rd=0x1 ?WAIT5_END_GROUP ;  /* 0x1 */"],
    ["a comment after", " IADD3 R0, R1, R2, R3 ; // sum"],
    ["reuse marks", " IADD3 R0, R1.reuse, R2.reuse, R3 ;"],
    ["a pair issued together", "        /*0008*/         {  IADD3 R0, R1, R2, R3 ;"],
    ["its second half", "        /*0010*/            IADD3 R0, R1, R2, R3 }"],
    ["a CUDA.jl dump", "; Location ./int.jl:83\n; | @ int.jl:83\n IADD3 R0, R1, R2, R3 ;"],
    ["CRLF", " IADD3 R0, R1, R2, R3 ;\r\n"],
    ["a true guard", " @PT IADD3 R0, R1, R2, R3 ;"],
  ])("%s", (_, text) => {
    const { lines, diagnostics } = imported(`${text}\n EXIT ;\n`);
    expect(lines).toEqual(["IADD3 R0, R1, R2, R3", "EXIT"]);
    expect(diagnostics).toEqual([]);
  });

  it("keeps the listing's line and the marks of the source", () => {
    const { fn, marks } = imported('k:\n\t//## File "x.cu", line 12\n        /*0000*/ MOV R0, R1 ;\n        /*0010*/ EXIT ;\n');
    expect(fn.blocks[fn.layout[0]!]!.insts.map((i) => i.line)).toEqual([3, 4]);
    expect(marks).toEqual([{ listingLine: 2, file: "x.cu", line: 12 }]);
  });

  it("skips sections without code", () => {
    const { module } = imported(
      '//--- .nv.info ---\n\t.section\t.nv.info,"",@"SHT_CUDA_INFO"\n\t.align\t4\n .byte 0x04\n ELF:\n .word index@(k)\n\t.section\t.text.k,"ax",@progbits\nk:\n.text.k:\n EXIT ;\n\t.section\t.debug_line\n EXIT ;\n',
    );
    expect(module.funcs.map((f) => f.name)).toEqual(["k"]);
    expect(module.funcs[0]!.layout).toHaveLength(1);
  });

  it("reads every function of a listing for several targets", () => {
    const part = (sm: number): string =>
      `Fatbin elf code:\n================\narch = sm_${sm}\ncode version = [1,7]\nhost = linux\n\n\tcode for sm_${sm}\n\t\tFunction : k\n\t.headerflags\t@"EF_CUDA_SM${sm}"\n /*0000*/ @P0 BRA 0x20 ;\n /*0010*/ NOP ;\n /*0020*/ EXIT ;\n\t\t..........\n\t\tFunction : f\n /*0000*/ EXIT ;\n`;
    const { module, diagnostics } = imported(part(75) + part(90));
    expect(module.funcs.map((f) => `${f.name}:${f.layout.length}`)).toEqual(["k:3", "f:1", "k$2:3", "f$2:1"]);
    expect(diagnostics.map((d) => d.code)).toEqual(["SASS005", "SASS005"]);
    expect(module.target).toBe("sm_75");
  });

  it("reads CuAssembler's sections, offset labels and data", () => {
    const { functions, diagnostics, module } = imported(`// Symbol[1] "x": Container({})
    /*03d8*/ .byte 0xaf, 0x00
// --------------------- .text._Z1kPi                     --------------------------
\t.section\t.text._Z1kPi,"ax",@progbits
\t.__section_name         0x3fb \t// offset in .shstrtab
        .type           _Z1kPi,@function
        .other          _Z1kPi,@"STO_CUDA_ENTRY STV_DEFAULT"
  _Z1kPi:
  .text._Z1kPi:
      [B------:R-:W-:-:S08]         /*0000*/                   IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]  ;
  .CUASM_OFFSET_LABEL._Z1kPi.EIATTR_EXTERNS.#:
      [B------:R-:W-:-:S02]         /*0010*/                   MOV R20, 32@lo((_Z1kPi + .CUASM_OFFSET_LABEL._Z1kPi.1@srel)) ;
      [B------:R-:W-:Y:S05]         /*0020*/                   CALL.REL.NOINC \`($_Z1kPi$_Z1fi) ;
      [B0-----:R-:W0:-:S05]         /*0030*/                   EXIT ;
        .type           $_Z1kPi$_Z1fi,@function
  $_Z1kPi$_Z1fi:
      [B------:R-:W-:Y:S05]         /*0040*/                   RET.REL.NODEC R20 \`(_Z1kPi) ;
  .L_3:
      [B------:R-:W-:Y:S00]         /*0050*/                   BRA \`(.L_3) ;
// --------------------- .debug_frame                     --------------------------
\t.section\t.debug_frame,"",@progbits
  .debug_frame:
          /*0000*/ \t.byte\t0xff, 0xff
`);
    expect(diagnostics).toEqual([]);
    expect(functions.map((f) => `${f.name} ${f.instructions}`)).toEqual(["_Z1kPi 4", "$_Z1kPi$_Z1fi 1"]);
    expect(module.funcs.map((f) => f.kind)).toEqual(["kernel", "func"]);
  });

  it("opens functions at demangled names", () => {
    const { module, diagnostics } = imported("void f<int>(int*, unsigned int):\n @P0 EXIT\n EXIT\ng(int):\n EXIT\n");
    expect(diagnostics.filter((d) => d.severity !== "info")).toEqual([]);
    expect(module.funcs.map((f) => `${f.name} ${f.layout.length}`)).toEqual(["void_f_int__int___unsigned_int_ 2", "g_int_ 1"]);
  });

  it("takes a label and an instruction on one line", () => {
    expect(graph(imported(" @P0 BRA `(.L_1) ;\n MOV R0, R1 ;\n.L_1: EXIT ;").fn)).toEqual([
      "L_0000 -> .L_1 L_0010",
      "L_0010 -> .L_1",
      ".L_1 ->",
    ]);
  });

  it("says where a line is no instruction, and reads on", () => {
    const { diagnostics, lines } = imported(" MOV R0, R1 ;\n   some words here\n EXIT ;");
    expect(diagnostics.map((d) => `${d.code} ${d.line}:${d.column}`)).toEqual(["SASS004 2:4"]);
    expect(lines).toHaveLength(2);
  });
});

describe("control flow", () => {
  it("finds targets by name and by address, with and without printed addresses", () => {
    const named = graph(imported("k:\n @P0 BRA `(.L_1) ;\n MOV R0, R1 ;\n.L_1:\n EXIT ;").fn);
    expect(named).toEqual(["L_0000 -> .L_1 L_0010", "L_0010 -> .L_1", ".L_1 ->"]);
    const printed = imported("/*0000*/ @P0 BRA 0x20 ;\n/*0010*/ MOV R0, R1 ;\n/*0020*/ EXIT ;").fn;
    const counted = imported(" @P0 BRA 0x20 ;\n MOV R0, R1 ;\n EXIT ;").fn;
    expect(graph(printed)).toEqual(["L_0000 -> L_0020 L_0010", "L_0010 -> L_0020", "L_0020 ->"]);
    expect(graph(counted)).toEqual(graph(printed));
  });

  it("takes a branch as conditional for its operand, and for both", () => {
    const { lines, fn } = imported(" BRA P1, `(.L) ;\n @!P0 BRA !P2, `(.L) ;\n BRA.U UP0, `(.L) ;\n.L:\n EXIT ;");
    expect(lines.slice(0, 3)).toEqual(["BRA P1, .L", "@!P0 BRA !P2, .L", "BRA.U UP0, .L"]);
    expect(fn.layout).toHaveLength(4);
  });

  it("asks the warp for BRA.DIV and BRA.CONV", () => {
    const { lines } = imported(" BRA.DIV UR4, `(.L) ;\n @P0 BRA.CONV ~URZ, `(.L) ;\n.L:\n EXIT ;");
    expect(lines).toEqual([
      'OPAQUE.barrier {P1}, {UR4}, "BRA.DIV UR4, `(.L)"',
      "@P1 BRA .L",
      'OPAQUE.barrier {P2}, {P0}, "@P0 BRA.CONV ~URZ, `(.L)"',
      "@P2 BRA .L",
      "EXIT",
    ]);
  });

  it("ends the threads for which the guard and the operand of an exit hold", () => {
    const { lines, fn } = imported(" @!P0 EXIT P1 ;\n EXIT !P2 ;\n EXIT PT ;");
    expect(lines).toEqual(["PLOP3 P7, !P0, P1, PT, 0xc0", "@P7 EXIT", "@!P2 EXIT", "EXIT"]);
    expect(fn.layout).toHaveLength(3);
  });

  it("goes through a table, listed or guessed", () => {
    const code = (attribute: string): string =>
      ` BRX R2 -0x10 ${attribute};\n.L_1:\n MOV R0, 0x1 ;\n BRA \`(.L_3) ;\n.L_2:\n MOV R0, 0x2 ;\n.L_3:\n EXIT ;`;
    const listed = imported(code('(*"BRANCH_TARGETS .L_2,.L_1,.L_3"*)'));
    expect(graph(listed.fn)[0]).toBe("L_0000 -> .L_2 .L_1 .L_3");
    const guessed = imported(code(""));
    expect(guessed.diagnostics.map((d) => d.code)).toEqual(["SASS008"]);
    expect(graph(guessed.fn)[0]).toBe("L_0000 -> .L_1 .L_2");
  });

  it("ends the thread where an indirect branch has nowhere to go", () => {
    const { lines, diagnostics } = imported(" BRX R2 -0x10 ;");
    expect(lines).toEqual(["KILL"]);
    expect(diagnostics.map((d) => d.code)).toEqual(["SASS009"]);
  });

  it("draws no edge for BSSY, and names the block that holds its label", () => {
    const { lines, fn } = imported(" BSSY B0, `(.L_1) ;\n @P0 BRA `(.L_2) ;\n BREAK B0 ;\n.L_2:\n BSYNC B0 ;\n.L_1:\n EXIT ;");
    expect(lines).toEqual(["BSSY B0, .L_2", "@P0 BRA .L_2", "BREAK B0", "BSYNC B0", "EXIT"]);
    expect(graph(fn)).toEqual(["L_0000 -> .L_2 L_0020", "L_0020 -> .L_2", ".L_2 ->"]);
  });

  it("drops padding, but not an endless loop that something enters", () => {
    const end = ".L:\n BRA `(.L) ;\n NOP ;\n NOP ;\n";
    expect(imported(` EXIT ;\n${end}`).lines).toEqual(["EXIT"]);
    expect(imported(` @P0 BRA \`(.L) ;\n EXIT ;\n${end}`).lines).toEqual(["@P0 BRA .L", "EXIT", "BRA .L"]);
    expect(imported(` MOV R0, R1 ;\n${end}`).lines).toEqual(["MOV R0, R1", "BRA .L"]);
  });

  it("falls through BPT.TRAP, ends at EXIT, RET and KILL, goes on after guarded ones", () => {
    const { fn, lines } = imported(" @P0 EXIT ;\n BPT.TRAP 0x1 ;\n @!P1 KILL ;\n EXIT ;");
    expect(lines).toEqual(["@P0 EXIT", "BPT.TRAP", "@!P1 KILL", "EXIT"]);
    expect(fn.layout).toHaveLength(3);
  });

  it("never runs what @!PT guards", () => {
    const { fn, lines } = imported(" @!PT BRA `(.L) ;\n @!PT LDS R3, [R4] ;\n.L:\n EXIT ;");
    expect(fn.layout).toHaveLength(1);
    expect(lines.slice(0, 2)).toEqual(['@!PT OPAQUE.pure {}, {}, "BRA `(.L)"', '@!PT OPAQUE.pure {}, {}, "LDS R3, [R4]"']);
  });

  it("ends the thread at a branch out of the function", () => {
    const { lines, diagnostics } = imported(" @P0 BRA `(.L_nowhere) ;\n EXIT ;");
    expect(lines).toEqual(["@P0 KILL", "EXIT"]);
    expect(diagnostics.map((d) => d.code)).toEqual(["SASS006"]);
  });

  it("keeps collectives and reconvergence in place", () => {
    const { lines } = imported(" WARPSYNC.COLLECTIVE R5, `(.L) ;\n ENDCOLLECTIVE ;\n.L:\n WARPSYNC 0xffffffff ;\n WARPSYNC.ALL ;\n EXIT ;");
    expect(lines).toEqual([
      'OPAQUE.barrier {}, {R5}, "WARPSYNC.COLLECTIVE R5, `(.L)"',
      'OPAQUE.barrier {}, {}, "ENDCOLLECTIVE"',
      "WARPSYNC -1",
      "WARPSYNC -1",
      "EXIT",
    ]);
  });

  it("reads listings before sm_70 without following their stack", () => {
    const { diagnostics, lines } = imported(
      "\tcode for sm_50\n\t\tFunction : k\n /*0008*/ SSY 0x20 ;\n /*0010*/ @P0 BRA 0x20 ;\n /*0018*/ SYNC ;\n /*0020*/ EXIT ;\n",
    );
    expect(diagnostics.map((d) => d.code)).toContain("SASS010");
    expect(lines[1]).toBe("@P0 BRA L_0020");
  });
});

describe("targets before sm_70", () => {
  const old = (code: string): ReturnType<typeof imported> =>
    imported(
      `\tcode for sm_61\n\t\tFunction : k\n${code
        .split(";")
        .map((line, i) => ` /*${(8 * (i + 1)).toString(16).padStart(4, "0")}*/ ${line.trim()} ;\n`)
        .join("")}`,
    );

  it("have a carry flag, which is one predicate of its own", () => {
    const { lines, functions, diagnostics } = old("IADD R4.CC, R2, R6; IADD.X R5, R3, R7; EXIT");
    expect(diagnostics).toEqual([]);
    expect(functions[0]).toMatchObject({ opaque: 0 });
    expect(lines).toEqual([
      "IADD R256, R2, R6",
      "ISETP.LT.U32 P7, R256, R2",
      "MOV R4, R256",
      "PMOV P8, P7",
      "SEL R257, 1, RZ, P8",
      "IADD3 R5, R3, R7, R257",
      "EXIT",
    ]);
  });

  it("keep the flag among what an opaque instruction writes and reads", () => {
    const { lines } = old("XMAD R4.CC, R2, R6, R8; XMAD.X R5, R3, R7, R8; EXIT");
    expect(lines.slice(0, 2)).toEqual([
      'OPAQUE.pure {R4, P7}, {R2, R6, R8}, "XMAD R4.CC, R2, R6, R8"',
      'OPAQUE.pure {R5}, {R3, R7, R8, P7}, "XMAD.X R5, R3, R7, R8"',
    ]);
  });

  it("stay opaque where an opcode of today means something else there", () => {
    const { lines } = old("SHF.L.W R4, R2, 0x3, R6; IMAD.HI R4, R2, R3, R6; EXIT");
    expect(lines.slice(0, 2).every((line) => line.startsWith("OPAQUE.pure {R4}"))).toBe(true);
  });
});

describe("calls", () => {
  const CALLER =
    " MOV R4, 0x7 ;\n MOV R20, 0x30 ;\n MOV R21, 0x0 ;\n CALL.REL.NOINC `($__internal_0_$slow) ;\n STS [RZ], R5 ;\n EXIT ;\n.L_0:\n BRA `(.L_0) ;\n NOP ;\n";
  const CALLEE = "$__internal_0_$slow:\n @P0 MOV R5, 0x1 ;\n IADD3 R6, R4, 0x1, RZ ;\n IADD3 R5, R6, R5, RZ ;\n RET.REL.NODEC R20 `(k) ;\n";

  it("counts no constant that a call reads among the registers of the listing", () => {
    const code = CALLER.replace(" MOV R4, 0x7 ;\n", "").replace(" STS", " IADD3.X R8, R5, R6, RZ, P0, !PT ;\n STS");
    const { module, lines } = imported(`k:\n${code}${CALLEE}`);
    expect(lines).toContain("CALL $__internal_0_$slow, {R5, R6}, {RZ, RZ, R20, R21, PT}");
    expect(lines).toContain("SEL R256, 1, RZ, P0");
    expect(parseModule(printModule(module)).diagnostics).toEqual([]);
  });

  it("splits local functions off and says what a call does to registers", () => {
    const { module, fn, lines, functions } = imported(`k:\n${CALLER}${CALLEE}`);
    expect(functions.map((f) => [f.name, f.isLocal])).toEqual([
      ["k", false],
      ["$__internal_0_$slow", true],
    ]);
    const callee = module.funcs[1]!;
    expect(callee.kind).toBe("func");
    expect(callee.returns.map(regName)).toEqual(["R5", "R6"]);
    expect(callee.params.map((p) => regName(p.reg))).toEqual(["R4", "R5", "R20", "R21", "P0"]);
    const call = fn.blocks[fn.layout[0]!]!.insts[3]!;
    expect(defsOf(call).map(regName)).toEqual(["R5", "R6"]);
    // R5 has no value before, P0 none at all: the call reads constants instead.
    expect(usesOf(call).map(regName)).toEqual(["R4", "R20", "R21"]);
    expect(lines).toHaveLength(6);
    expect(verifyModule(module)).toEqual([]);
  });

  it("splits by address where there are no labels", () => {
    const code =
      "\t\tFunction : k\n /*0000*/ CALL.REL.NOINC 0x30 ;\n /*0010*/ EXIT ;\n /*0020*/ BRA 0x20;\n /*0030*/ MOV R5, 0x1 ;\n /*0040*/ RET.REL.NODEC R20 0x0 ;\n";
    expect(imported(code).module.funcs.map((f) => f.name)).toEqual(["k", "$k$0x30"]);
  });

  it("keeps bodies together that share a branch", () => {
    const code = "k:\n CALL.REL.NOINC `($s) ;\n EXIT ;\n$s:\n BRA `(.L) ;\n.L_pad:\n BRA `(.L_k) ;\n.L:\n RET.REL.NODEC R20 `(k) ;\n";
    const back = code.replace(".L_k", ".L_0").replace("k:\n", "k:\n.L_0:\n");
    expect(imported(back).module.funcs).toHaveLength(1);
  });

  it("lets an unknown callee define everything written here", () => {
    const { fn, diagnostics } = imported(" MOV R4, R1 ;\n CALL.ABS.NOINC `(printf) ;\n MOV R9, R4 ;\n EXIT ;");
    const call = fn.blocks[fn.layout[0]!]!.insts[1]!;
    expect(call.op).toBe("CALL");
    expect(defsOf(call).map(regName)).toEqual(["R4", "R9"]);
    expect(diagnostics.map((d) => d.code)).toEqual(["SASS013"]);
  });

  it("survives functions that call one another", () => {
    const { module } = imported(
      "a:\n CALL.REL.NOINC `(b) ;\n RET.REL.NODEC R2 `(a) ;\nb:\n CALL.REL.NOINC `(a) ;\n RET.REL.NODEC R2 `(b) ;\n",
    );
    expect(module.funcs.map((f) => f.name)).toEqual(["a", "b"]);
  });
});

describe("registers", () => {
  it.each([
    ["LDG.E.64 R4, [R2.64+0x8]", "R4 R5 <- R2 R3"],
    ["LDG.E.128.SYS R4, [R2]", "R4 R5 R6 R7 <- R2 R3"],
    ["LDG.E R0, desc[UR4][R2.64+-0x8]", "R0 <- UR4 UR5 R2 R3"],
    ["LDG.E.SYS R6, [R6.64+UR4]", "R6 <- R6 R7 UR4 UR5"],
    ["LDG.E R0, [R2.U32+UR4]", "R0 <- R2 UR4 UR5"],
    ["STG.E.64 [R2.64], R4", " <- R2 R3 R4 R5"],
    ["@P3 STG.E desc[UR6][R2.64], RZ", " <- P3 UR6 UR7 R2 R3"],
    ["LDS.64 R4, [R2+UR5+0x10]", "R4 R5 <- R2 UR5"],
    ["STS [R2.X4], R5", " <- R2 R5"],
    ["LDC.64 R2, c[0x0][R4+0x210]", "R2 R3 <- R4"],
    ["LDC R2, cx[UR4][0x10]", "R2 <- UR4 UR5"],
    ["LDGSTS.E.BYPASS.128 [R5], [R2.64], P0", " <- R5 R2 R3 P0"],
    ["LDSM.16.M88.4 R4, [R8]", "R4 R5 R6 R7 <- R8"],
    ["IMAD.WIDE R2, R4, R5, c[0x0][0x160]", "R2 R3 <- R4 R5"],
    ["IMAD.WIDE.U32 R2, P1, R4, R5, R6", "R2 R3 P1 <- R4 R5 R6 R7"],
    ["IMAD.HI.U32 R7, R7, R9, R6", "R7 <- R7 R9 R6"],
    ["IADD3 R2, P0, P1, R4, R5, R6", "R2 P0 P1 <- R4 R5 R6"],
    ["IADD3.X R3, R4, R5, RZ, P0, !PT", "R3 <- R4 R5 P0"],
    ["LEA R2, P0, R8, c[0x0][0x168], 0x2", "R2 P0 <- R8"],
    ["LEA.HI.X R3, R8, c[0x0][0x16c], R7, 0x2, P0", "R3 <- R8 R7 P0"],
    ["ISETP.GE.AND P0, P1, R2, R3, P2", "P0 P1 <- R2 R3 P2"],
    ["DSETP.GT.AND P0, PT, R2, R4, PT", "P0 <- R2 R3 R4 R5"],
    ["DFMA R2, R4, R6, R8", "R2 R3 <- R4 R5 R6 R7 R8 R9"],
    ["PLOP3.LUT P0, P3, P1, P2, PT, 0x80, 0x0", "P0 P3 <- P1 P2"],
    ["LOP3.LUT P0, R2, R3, R4, RZ, 0xc0, !PT", "P0 R2 <- R3 R4"],
    ["SHFL.IDX P1, R3, R4, R5, 0x1f", "P1 R3 <- R4 R5"],
    ["VOTE.ANY R5, P0, P1", "R5 P0 <- P1"],
    ["VOTEU.ANY UR4, UPT, PT", "UR4 <- "],
    ["ATOMG.E.CAS.64.STRONG.GPU PT, R4, [R2.64], R6, R8", "R4 R5 <- R2 R3 R6 R7 R8 R9"],
    ["RED.E.ADD.STRONG.GPU [R2.64], R5", " <- R2 R3 R5"],
    ["CS2R R2, SRZ", "R2 R3 <- "],
    ["CS2R.32 R2, SR_CLOCKLO", "R2 <- "],
    ["F2F.F64.F32 R2, R4", "R2 R3 <- R4"],
    ["F2F.F32.F64 R2, R4", "R2 <- R4 R5"],
    ["I2F.F64.S64 R2, R4", "R2 R3 <- R4 R5"],
    ["F2I.U64.TRUNC R2, R4", "R2 R3 <- R4"],
    ["F2I.F64.TRUNC R2, R4", "R2 <- R4 R5"],
    ["HMMA.16816.F32 R4, R8, R12, R4", "R4 R5 R6 R7 <- R8 R9 R10 R11 R12 R13 R4 R5 R6 R7"],
    ["HMMA.1688.F32 R4, R8, R12, RZ", "R4 R5 R6 R7 <- R8 R9 R12"],
    ["R2P PR, R3, 0x5", "P0 P2 <- R3"],
    ["P2R R3, PR, RZ, 0x3", "R3 <- P0 P1"],
    ["B2R.RESULT RZ, P0", "P0 <- "],
    ["BMOV.32.CLEAR RZ, B0", "B0 <- "],
    ["BMOV.32.CLEAR R3, B0", "R3 B0 <- B0"],
    ["BMOV.32 B0, R3", "B0 <- R3"],
    ["FCHK P0, R3, R8", "P0 <- R3 R8"],
    ["RET.REL.NODEC R20 `(k)", " <- R20 R21"],
    ["BRX R2 -0x100", " <- R2 R3"],
    ["MUFU.RCP64H R5, R3", "R5 <- R3"],
    ["IADD.64 R2, R4, R6", "R2 R3 <- R4 R5 R6 R7"],
    ["R2UR UR4, R2", "UR4 <- R2"],
    ["FADD R2, -|R3|, 1.17549435e-38", "R2 <- R3"],
  ])("%s", (code, expected) => {
    expect(registers(code)).toBe(expected);
    expect(accessesOf(parsed(code)).exact).toBe(true);
  });

  it("sees the descriptor that sm_80 loads do not show", () => {
    const { fn } = imported(" ULDC.64 UR4, c[0x0][0x118] ;\n LDGSTS.E.ZFILL [R8], [R2.64] ;\n EXIT ;");
    expect(usesOf(fn.blocks[fn.layout[0]!]!.insts[1]!).map(regName)).toEqual(["UR4", "UR5", "R8", "R2", "R3"]);
  });

  it("admits what it does not know", () => {
    const { functions, diagnostics } = imported(" FROBNICATE.X R3, R4 ;\n EXIT ;");
    expect(functions[0]).toMatchObject({ instructions: 2, opaque: 1, inexact: 1 });
    expect(diagnostics.map((d) => d.code)).toEqual(["SASS011"]);
  });
});

describe("Ori forms", () => {
  it.each([
    ["IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]", "MOV R1, c[0x0][0x28]"],
    ["IMAD.MOV R9, RZ, RZ, -R7", "INEG R9, R7"],
    ["IMAD.IADD R6, R9, 0x1, -R6", "IADD R6, R9, -R6"],
    ["IMAD.SHL.U32 R8, R8, 0x4, RZ", "SHL R8, R8, 2"],
    ["IMAD R8, R4, R5, RZ", "IMUL R8, R4, R5"],
    ["IMAD R0, R0, c[0x0][0x0], R3", "IMAD R0, R0, c[0x0][0x0], R3"],
    ["IADD3 R8, R8, -0x2, RZ", "IADD R8, R8, -2"],
    ["VIADD R9, R13, 0xffffffd0", "IADD R9, R13, -48"],
    ["LOP3.LUT R4, R4, 0xff, RZ, 0xc0, !PT", "LOP.AND R4, R4, 0xff"],
    ["LOP3.LUT R7, RZ, R0, RZ, 0x33, !PT", "LOP.NOT R7, R0"],
    ["LOP3.LUT R4, R4, 0x1, R9, 0xf8, !PT", "LOP3 R4, R4, 1, R9, 0xf8"],
    ["SHF.R.S32.HI R7, RZ, 0x1f, R8", "SHR.S32 R7, R8, 31"],
    ["SHF.L.U32 R9, R6, R9, RZ", "SHL R9, R6, R9"],
    ["SHF.L.W.U32.HI R9, R6, 0x3, R6", "SHF.L.W.U32.HI R9, R6, 3, R6"],
    ["ISETP.GE.U32.AND P0, PT, R12, 0x1a, PT", "ISETP.GE.U32 P0, R12, 26"],
    ["ISETP.EQ.OR P0, PT, R13, 0x5f, !P0", "ISETP.EQ.OR P0, R13, 95, !P0"],
    ["FSETP.GTU.FTZ.AND P0, PT, |R6|, +INF , PT", "FSETP.GTU.FTZ P0, |R6|, 0f7F800000"],
    ["FADD.FTZ R9, -R6, -RZ", "FADD.FTZ R9, -R6, -RZ"],
    ["FFMA R12, R5, R9, 1", "FFMA R12, R5, R9, 1.0"],
    ["MUFU.RSQ R5, -QNAN ", "MUFU.RSQ R5, 0fFFC00000"],
    ["HFMA2.MMA R7, -RZ, RZ, 0, 5.9604644775390625e-08", "MOV R7, 1"],
    ["HFMA2.MMA R7, -RZ, RZ, 1.875, 0", "MOV R7, 1065353216"],
    ["SEL R4, RZ, 0x1, !P0", "SEL R4, RZ, 1, !P0"],
    ["VIMNMX.U32 R9, R9, 0x3, PT", "IMNMX.U32 R9, R9, 3, PT"],
    ["S2UR UR4, SR_CTAID.X", "S2R UR4, SR_CTAID.X"],
    ["ULDC.64 UR4, c[0x0][0x208]", "LDC.64 {UR4, UR5}, c[0x0][0x208]"],
    ["LDS.U.128 R4, [R8+0x10]", "LDS.128 {R4, R5, R6, R7}, [R8+0x10]"],
    ["VOTE.ANY R5, PT, P1", "VOTE.BALLOT R5, P1"],
    ["SHFL.DOWN PT, R3, R4, 0x10, 0x1f", "SHFL.DOWN R3, R4, 16, 31"],
    ["BAR.SYNC.DEFER_BLOCKING 0x0", "BAR.SYNC 0"],
    ["F2I.FTZ.U32.TRUNC.NTZ R7, R6", "F2I.U32.F32.TRUNC.FTZ R7, R6"],
    ["I2F.RP R4, R8", "I2F.F32.S32.RP R4, R8"],
    ["I2F.U8 R2, R3.B1", 'OPAQUE.pure {R2}, {R3}, "I2F.U8 R2, R3.B1"'],
    ["DEPBAR.LE SB0, 0x0, {5,4}", 'OPAQUE.barrier {}, {}, "DEPBAR.LE SB0, 0x0, {5,4}"'],
    ["LDG.E.MMIO.SYS R2, [R4.64]", 'OPAQUE.barrier {R2}, {R4, R5}, "LDG.E.MMIO.SYS R2, [R4.64]"'],
    ["LDTM.16dp256bit.x2 R4, tmem[UR4]", 'OPAQUE.barrier {R4, R5, R6, R7, R8, R9, R10, R11}, {UR4}, "LDTM.16dp256bit.x2 R4, tmem[UR4]"'],
    [
      "HMMA.16816.F32 R4, R8, R12, R4",
      'OPAQUE.warp {R4, R5, R6, R7}, {R8, R9, R10, R11, R12, R13, R4, R5, R6, R7}, "HMMA.16816.F32 R4, R8, R12, R4"',
    ],
    ["LDSM.16.M88.4 R4, [R8]", 'OPAQUE.barrier {R4, R5, R6, R7}, {R8}, "LDSM.16.M88.4 R4, [R8]"'],
    ["LDGSTS.E.BYPASS.128.ZFILL [R8], [R2.64], P0", 'OPAQUE.barrier {}, {R8, R2, R3, P0}, "LDGSTS.E.BYPASS.128.ZFILL [R8], [R2.64], P0"'],
    ["IADD R2, R3, -0x1", "IADD R2, R3, -1"],
    ["UIADD3 URZ, UPT, UPT, URZ, URZ, URZ", "NOP"],
    ["@!UPT UIADD3 URZ, URZ, URZ, URZ", "NOP"],
    ["UI2FP.F32.S32 UR4, UR5", "I2F.F32.S32 UR4, UR5"],
    ["I2FP.F32.U32 R4, R5", "I2F.F32.U32 R4, R5"],
    ["BMSK R2, R3, 0x5", "BMSK R2, R3, 5"],
    ["HFMA2 R2, R3, -R4, R5", "HFMA2 R2, R3, -R4, R5"],
    ["NANOSLEEP 0x64", "NANOSLEEP 100"],
    ["LDGDEPBAR", "LDGDEPBAR"],
    ["DEPBAR.LE SB0, 0x1", "DEPBAR 1"],
    ["YIELD", "NOP"],
    ["ISCADD R2, R0, c[0x0][0x140], 0x2", "LEA R2, R0, c[0x0][0x140], 2"],
    ["MOV32I R2, 0x3f800000", "MOV R2, 1065353216"],
    ["MOV32I R2, 1.5", "MOV R2, 1.5"],
    ["IADD32I R2, R3, -0x10", "IADD R2, R3, -16"],
    ["LOP32I.AND R2, R3, 0xff00", "LOP.AND R2, R3, 0xff00"],
    ["IMUL32I R2, R3, 0x11", "IMUL R2, R3, 17"],
    ["IMAD32I R2, R3, 0x11, R4", "IMAD R2, R3, 17, R4"],
    ["FADD32I R2, R3, -0.5", "FADD R2, R3, -0.5"],
    ["FMUL32I.FTZ R2, R3, 0x3fb8aa3b", "FMUL.FTZ R2, R3, 1.442695"],
    ["FFMA32I R2, R3, 1.5, R2", "FFMA R2, R3, 1.5, R2"],
    ["SHR.U32 R2, R3, 0x1e", "SHR.U32 R2, R3, 30"],
    ["BFE.U32 R2, R3, 0x808", "BFE.U32 R2, R3, 8, 8"],
  ])("%s", (code, ori) => {
    expect(one(code)).toBe(ori);
  });

  it.each([
    ["IMAD.WIDE R4, R2, R3, c[0x0][0x160]", ["IMAD.WIDE RD0, R2, R3, c[0x0][0x160]", "UNPACK.LO R4, RD0", "UNPACK.HI R5, RD0"]],
    [
      "@!P1 IMAD.WIDE.U32 R4, R4, 0x4, R6",
      ["@!P1 PACK RD0, R6, R7", "@!P1 IMAD.WIDE.U32 RD1, R4, 4, RD0", "@!P1 UNPACK.LO R4, RD1", "@!P1 UNPACK.HI R5, RD1"],
    ],
    ["IMAD.HI.U32 R7, R7, R9, RZ", ["IMUL.HI.U32 R7, R7, R9"]],
    ["IMAD.HI.U32 R7, R7, R9, R6", ["PACK RD0, R6, R7", "IMAD.WIDE.U32 RD1, R7, R9, RD0", "UNPACK.HI R7, RD1"]],
    ["IMAD.X R9, RZ, RZ, R9, P0", ["SEL R256, 1, RZ, P0", "IADD R9, R9, R256"]],
    ["LDG.E R3, desc[UR4][R2.64+0x8]", ["PACK RD0, R2, R3", "LDG R3, [RD0+0x8]"]],
    ["LDG.E.64.CONSTANT R4, [R2.U32+UR6]", ["PACK RD0, R2, RZ", "PACK RD1, UR6, UR7", "LDG.64.CONSTANT {R4, R5}, [RD0+RD1]"]],
    ["STG.E.SYS [R2], R5", ["PACK RD0, R2, R3", "STG [RD0], R5"]],
    ["STS [R6.X4+0x10], R5", ["SHL R256, R6, 2", "STS [R256+0x10], R5"]],
    ["RED.E.ADD.STRONG.GPU [R4], R11", ["PACK RD0, R4, R5", "RED.ADD [RD0], R11"]],
    ["ATOMG.E.CAS.STRONG.GPU PT, R5, [R2], R6, R7", ["PACK RD0, R2, R3", "ATOM.CAS R5, [RD0], R6, R7"]],
    ["IADD3 R4, P6, R4, R11, RZ", ["IADD R4, R4, R11", "ISETP.LT.U32 P6, R4, R11"]],
    ["IADD3 R4, P0, R4, R4, RZ", ["IADD R256, R4, R4", "ISETP.LT.U32 P7, R256, R4", "MOV R4, R256", "PMOV P0, P7"]],
    ["IADD3 R4, P0, R6, -R5, RZ", ["IADD R256, R6, -R5", "MOV R4, R256", "ISETP.GE.U32 P0, R6, R5"]],
    ["IADD3.X R11, R5, UR4, RZ, P6, !PT", ["SEL R256, 1, RZ, P6", "IADD3 R11, R5, UR4, R256"]],
    ["IADD3.X R11, R5, ~R4, RZ, P6, !PT", ["SEL R256, 1, RZ, P6", "IADD3 R11, R5, ~R4, R256"]],
    ["LOP3.LUT P0, RZ, R9, 0x7fffffff, R8, 0xc8, !PT", ["LOP3 R256, R9, 0x7fffffff, R8, 0xc8", "ISETP.NE P0, R256, RZ"]],
    ["LOP3.LUT P0, R6, R6, 0x1f, RZ, 0xc0, P1", ["LOP.AND R6, R6, 0x1f", "ISETP.NE.OR P0, R6, RZ, P1"]],
    ["LEA R6, P0, R10.reuse, c[0x0][0x178], 0x2", ["SHL R256, R10, 2", "IADD R6, R256, c[0x0][0x178]", "ISETP.LT.U32 P0, R6, R256"]],
    [
      "LEA.HI.X R7, R10, c[0x0][0x17c], R13, 0x2, P0",
      ["SHF.L.U32.HI R256, R10, 2, R13", "SEL R257, 1, RZ, P0", "IADD3 R7, R256, c[0x0][0x17c], R257"],
    ],
    ["LEA.HI.SX32 R6, R6, R5, 0x1f", ["SHR.S32 R256, R6, 1", "IADD R6, R256, R5"]],
    ["SHF.R.U64 R2, R2, 0x1, R6", ["SHF.R.U32 R2, R2, 1, R6"]],
    ["CS2R R10, SRZ", ["MOV R10, 0", "MOV R11, 0"]],
    ["BMOV.32.CLEAR RZ, B0", ["NOP"]],
    ["CS2R R2, SR_CLOCKLO", ["CS2R.64 RD0, SR_CLOCKLO", "UNPACK.LO R2, RD0", "UNPACK.HI R3, RD0"]],
    ["MOV.64 R2, R4", ["PACK RD0, R4, R5", "UNPACK.LO R2, RD0", "UNPACK.HI R3, RD0"]],
    ["SEL.64 R2, R2, -0x1, P0", ["PACK RD0, R2, R3", "SEL.64 RD1, RD0, -1, P0", "UNPACK.LO R2, RD1", "UNPACK.HI R3, RD1"]],
    ["ISETP.GE.U64.AND P0, PT, R20, UR4, PT", ["PACK RD0, R20, R21", "PACK RD1, UR4, UR5", "ISETP.GE.U32.64 P0, RD0, RD1"]],
    ["LDGSTS.E.BYPASS.LTC128B.128 [R8+0x10], [R2.64+0x20]", ["PACK RD0, R2, R3", "LDGSTS.128 [R8+0x10], [RD0+0x20]"]],
    ["MUFU.SIN R2, R3", ["FMUL R256, R3, 6.2831855", "MUFU.SIN R2, R256"]],
    ["VIADDMNMX.U32 R10, R10, R9, 0x2, PT", ["IADD R256, R10, R9", "IMNMX.U32 R10, R256, 2, PT"]],
    ["ISETP.GE.AND.EX P0, PT, R7, RZ, PT, P0", ["ISETP.EQ.AND P7, R7, RZ, P0", "ISETP.GT.OR P0, R7, RZ, P7"]],
    ["ISETP.NE.AND.EX P0, PT, R7, RZ, PT, P1", ["ISETP.NE.OR P0, R7, RZ, P1"]],
    ["F2F.F32.F64 R4, R4", ["PACK RD0, R4, R5", "F2F.F32.F64 R4, RD0"]],
  ])("%s becomes several", (code, ori) => {
    const { lines, functions } = imported(` ${code} ;\n EXIT ;`);
    expect(lines.slice(0, -1)).toEqual(ori);
    expect(functions[0]).toMatchObject({ instructions: 2, opaque: 0 });
  });

  it.each([
    "LDG.E.MMIO.GPU R2, [R4.64]",
    "IADD3 R2, P0, P1, R4, R5, R6",
    "IADD3 R2, P0, R4, R5, R6",
    "IADD3 R2, P0, R4, -RZ, RZ",
    "SHF.L.U64.HI R7, R0, R2, R3",
    "IMAD.WIDE R4, -R2, R3, R6",
    "USEL.64 UR4, UR6, UR8, UP0",
    "IADD R2, R3, c[0x0][0x8].H1",
    "XMAD.X R2, R3, R4, R5",
    "SHR.U32.W R2, R3, R4",
    "ISETP.GE.U64.AND P0, P1, R2, R4, PT",
    "LDGSTS.E.64 [R8], [R2.64], !PT",
    "ATOMG.E.ADD.STRONG.GPU P0, R5, [R2], R7",
  ])("%s stays opaque", (code) => {
    expect(one(code)).toMatch(/^OPAQUE/);
  });
});
