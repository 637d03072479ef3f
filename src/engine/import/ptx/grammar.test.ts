/** The oddities of real PTX texts, one by one. */

import { describe, expect, it } from "vitest";
import { printModule } from "../../text/printer.ts";
import { verifyModule } from "../../verify/verify.ts";
import type { PtxCode } from "./codes.ts";
import { importPtx, type PtxImport } from "./import.ts";
import { fixture } from "./testing/run-ptx.ts";

const REGS = ".reg .pred %p<9>; .reg .b16 %rs<9>; .reg .b32 %r<9>; .reg .b64 %rd<9>; .reg .f32 %f<9>; .reg .f64 %fd<9>;";

function kernel(body: string, params = ""): string {
  return `.version 7.8\n.target sm_80\n.address_size 64\n.visible .entry k(${params})\n{\n${REGS}\n${body}\n}\n`;
}

/** A kernel with declarations before it. */
function withDeclarations(declarations: string, text: string): string {
  return text.replace(".visible", `${declarations}\n.visible`);
}

/** The Ori text of the only function's body, one instruction per line, without blanks at the ends. */
function lines(source: string | PtxImport): string[] {
  const imported = typeof source === "string" ? importPtx(source) : source;
  return printModule(imported.module)
    .split("\n")
    .map((line) => line.trim().replace(/\s+/g, " "))
    .filter((line) => line !== "" && !/^\.(?:target|symbol|kernel|func)/.test(line));
}

function codes(source: string): PtxCode[] {
  return importPtx(source).diagnostics.map((d) => d.code as PtxCode);
}

/** Imports without a message and with a clean verifier. */
function clean(source: string): PtxImport {
  const imported = importPtx(source);
  expect(imported.diagnostics).toEqual([]);
  expect(verifyModule(imported.module).filter((d) => d.severity === "error")).toEqual([]);
  return imported;
}

describe("texts around the code", () => {
  it("accepts a byte order mark and CRLF", () => {
    const text = kernel("mov.u32 %r1, 5;\n@%p1 bra L;\nL: ret;");
    const plain = lines(clean(text));
    expect(lines(clean(`\ufeff${text.replaceAll("\n", "\r\n")}`))).toEqual(plain);
  });

  it("skips cuobjdump's preambles between modules without losing one", () => {
    const preamble =
      "\nFatbin ptx code:\n================\narch = sm_70\ncode version = [8,0]\nhost = linux\ncompile_size = 64bit\ncompressed\nptxasOptions = \n\n";
    const text = `${preamble}${fixture("06_early_exit.sm_75")}${preamble}${fixture("11_binary_search.sm_90")}`;
    const { module, diagnostics } = importPtx(text);
    expect(diagnostics).toEqual([]);
    expect(module.funcs.map((f) => f.name)).toEqual(["early_exit", "binary_search"]);
    expect(module.target).toBe("sm_75");
  });

  it.each(["SM_VERSION", "<sm>", "@TARGET@", "$ARCH", "", "%d, debug"])("takes '%s' for no target, and runs on the default one", (word) => {
    const text = `.version 7.8\n.target ${word}\n.address_size 64\n.entry k()\n{\nret;\n}\n`;
    const { module, diagnostics } = importPtx(text);
    expect(diagnostics.map(({ code, severity, line }) => [code, severity, line])).toEqual([["PTX030", "warning", word === "" ? 3 : 2]]);
    expect(module.target).toBeNull();
    expect(module.funcs).toHaveLength(1);
  });

  it.each(["ISA", "<ver>", "@VER@"])("takes '%s' for no version", (word) => {
    const { module, diagnostics } = importPtx(`.version ${word}\n.target sm_80, debug\n.entry k()\n{\nret;\n}\n`);
    expect(diagnostics.map(({ code }) => code)).toEqual(["PTX030"]);
    expect(module.target).toBe("sm_80");
  });

  it("renames a kernel that is there for two targets", () => {
    const { module, diagnostics } = importPtx(fixture("09_reduction.sm_75") + fixture("09_reduction.sm_90"));
    expect(module.funcs.map((f) => f.name)).toEqual(["reduction", "reduction$2"]);
    expect(module.symbols.map((s) => s.name)).toEqual(["_ZZ9reductionE1s", "_ZZ9reductionE1s$2"]);
    expect(diagnostics.map((d) => d.code)).toEqual(["PTX012", "PTX012"]);
  });

  it("accepts prototypes without ';'", () => {
    const text = `.version 1.4\n.target sm_10\n.extern .func (.param .b32 r) f (.param .b32 a)\n.visible .func g (.param .b32 a)\n.entry k { .reg .u32 %r1; mov.u32 %r1, 1; exit; }`;
    expect(clean(text).module.funcs.map((f) => f.name)).toEqual(["k"]);
  });

  it("infers what Compiler Explorer's filter leaves out", () => {
    const text = `.visible .entry k(.param .u64 k_param_0, .param .u32 k_param_1)\n{\n
      ld.param.u64 %rd1, [k_param_0]; ld.param.u32 %r1, [k_param_1]; setp.lt.s32 %p1, %r1, 4; @%p1 bra $L__BB0_2;
      mov.u32 %r2, _ZZ1kE1s; st.shared.u32 [%r2], %r1; cvt.rn.f32.s32 %f1, %r1; cvt.f64.f32 %fd1, %f1; st.global.f64 [%rd1], %fd1; ld.global.u8 %rs1, [%rd1];
      $L__BB0_2: ret; }`;
    const { module, diagnostics, functions } = importPtx(text);
    expect(diagnostics.map((d) => [d.severity, d.code])).toEqual([
      ["info", "PTX013"],
      ["warning", "PTX017"],
    ]);
    expect(functions[0]!.opaque).toBe(0);
    expect(module.symbols.map((s) => s.name)).toEqual(["_ZZ1kE1s"]);
    expect(verifyModule(module).filter((d) => d.severity === "error")).toEqual([]);
  });

  it("ends .loc and .file with their line and keeps the way to the CUDA source", () => {
    const text = kernel(
      `.file 1 "a.cu"\n.loc 1 10 3\nmov.u32 %r1, 5;\n.loc 1 12 5, function_name $L__info_string0, inlined_at 1 30 2\nadd.u32 %r1, %r1, 1;\nret;`,
    );
    const { module, lineMap } = clean(text);
    const insts = module.funcs[0]!.blocks[0]!.insts;
    expect(insts.map((inst) => lineMap.find(inst.line)?.line)).toEqual([10, 12, 12]);
    expect(lineMap.find(insts[0]!.line)?.file).toBe("a.cu");
  });

  it("skips debug sections and aliases", () => {
    const text = `${kernel("ret;")}.section .debug_info\n{\n.b8 1,2\n$L__x:\n.b32 .debug_abbrev\n.b64 $L__y-$L__x\n}\n.section .debug_macinfo {\t}\n.alias a, b;\n`;
    expect(clean(text).module.funcs).toHaveLength(1);
  });

  it("reads the performance directives in all their spellings", () => {
    for (const perf of [
      ".reqntid 128",
      ".maxntid 128, 1, 1\n.minnctapersm 2",
      ".maxntid\n128\n,\n1\n.maxnreg 32",
      '.reqntid 128\n.pragma "abi"',
      ".explicitcluster .reqnctapercluster 2, 1, 1",
    ]) {
      expect(clean(kernel("ret;").replace("()\n{", `()\n${perf}\n{`)).module.funcs).toHaveLength(1);
    }
  });

  it("keeps the block's size that a kernel requires, and no other", () => {
    const sizeUnder = (perf: string) => clean(kernel("ret;").replace("()\n{", `()\n${perf}\n{`)).module.funcs[0]?.blockSize;
    expect(sizeUnder(".reqntid 128")).toEqual([128, 1, 1]);
    expect(sizeUnder(".maxnreg 32\n.reqntid 0x10,\n4, 2\n.minnctapersm 2")).toEqual([16, 4, 2]);
    expect(sizeUnder(".maxntid 128, 1, 1")).toBeNull();
    expect(sizeUnder(".reqntid 4096")).toBeNull();
  });

  it("reads parameters with and without blanks, attributes and sizes", () => {
    const { module } = clean(
      kernel("ret;", ".param.u64 a, .param .u64 .ptr .global .align 16 b, .param .align 8 .b8 s[24], .param .f32 f, .param .u16 h"),
    );
    expect(module.funcs[0]!.params.map((p) => p.name)).toEqual(["a", "b", "f", "h"]);
  });
});

describe("scopes and names", () => {
  it("tells inner registers from outer ones of the same name", () => {
    const { functions } = clean(
      kernel(
        "mov.u32 %r1, 1;\n{ .reg .b32 %r1; .reg .pred p; mov.u32 %r1, 2; setp.eq.u32 p, %r1, 2; }\n{ .reg .b64 p; mov.u64 p, 3; }\nadd.u32 %r2, %r1, 1; ret;",
      ),
    );
    expect(functions[0]!.registers.filter((r) => r.ptx === "%r1").map((r) => r.ori)).toEqual(["R0", "R1"]);
    expect(functions[0]!.registers.filter((r) => r.ptx === "p").map((r) => r.ori)).toEqual(["P0", "RD0"]);
  });

  it("resolves labels in the innermost scope that has them, also forward", () => {
    const { module } = clean(
      kernel("{ @%p1 bra L; mov.u32 %r1, 1; L: mov.u32 %r1, 2; }\n{ @%p2 bra L; mov.u32 %r1, 3; L: }\n@%p3 bra L;\nL: ret;"),
    );
    const fn = module.funcs[0]!;
    const labels = fn.layout.map((id) => fn.blocks[id]!.label);
    expect(new Set(labels).size).toBe(labels.length);
    expect(labels.filter((label) => label.startsWith("L"))).toEqual(["L", "L$2", "L$3"]);
    expect(fn.blocks[0]!.succs).toEqual([2, 1]);
  });

  it("knows braces at a statement's start from vectors elsewhere", () => {
    expect(lines(clean(kernel("{ mov.b64 %rd1, {%r1, %r2}; }\n{ { ret; } }")))).toEqual(["BB0:", "PACK RD0, R0, R1", "EXIT"]);
  });

  it("declares ranges whose prefix ends in digits", () => {
    const { functions } = clean(kernel(".reg .b64 %r1<3>;\nmov.u64 %r10, 1; mov.u64 %r12, 2; mov.u32 %r1, 3; ret;"));
    expect(functions[0]!.registers.map((r) => `${r.ptx}=${r.ori}`)).toEqual(["%r10=RD0", "%r12=RD1", "%r1=R0"]);
  });

  it("makes labels legal that Ori would read as something else", () => {
    const { module } = clean(kernel("@%p1 bra R1; @%p2 bra %L; mov.u32 %r1, 1;\nR1: mov.u32 %r1, 2;\n%L: ret;"));
    expect(module.funcs[0]!.blocks.map((b) => b!.label)).toEqual(["BB0", "BB1", "BB2", "L_R1", "_L"]);
  });

  it("hides debug labels", () => {
    const { module } = clean(
      kernel("$L__func_begin0:\nmov.u32 %r1, 1;\n$L__tmp3:\n@%p1 bra M;\n$LDWbegin_k:\nmov.u32 %r1, 2;\nM:\nret;\n$L__func_end0:"),
    );
    expect(module.funcs[0]!.blocks.map((b) => b!.label)).toEqual(["BB0", "BB1", "M"]);
  });
});

describe("statements and operands", () => {
  it("reads a call whose pieces stand on many lines", () => {
    const f =
      ".func (.param .b32 r) f (.param .b32 a) { .reg .b32 %r<3>; ld.param.u32 %r1, [a]; add.u32 %r1, %r1, 1; st.param.b32 [r], %r1; ret; }\n";
    const body =
      "{ // callseq 0\n.param .b32 param0;\nst.param.b32 [param0+0], %r1;\n.param .b32 retval0;\ncall.uni\n(retval0)\n,\nf\n,\n(\nparam0\n)\n;\nld.param.b32 %r2, [retval0+0];\n}\nret;";
    const { module } = clean(withDeclarations(f, kernel(body)));
    const k = printModule({ ...module, funcs: module.funcs.slice(1) });
    expect(k).toMatch(/CALL\s+f, \{R3\}, \{R1\}/);
    expect(k).not.toMatch(/MOV/);
  });

  it("copies an argument that its call does not follow at once", () => {
    const f = ".extern .func f (.param .b32 a);\n";
    const text = withDeclarations(f, kernel("{ .param .b32 param0; st.param.b32 [param0], %r1; mov.u32 %r1, 9; call f, (param0); }\nret;"));
    expect(lines(clean(text))).toEqual(["BB0:", "MOV R0, R1", "MOV R1, 9", "CALL f, {}, {R0}", "EXIT"]);
  });

  it("ends the thread after a call that does not return", () => {
    const f = ".extern .func f (.param .b32 a) .noreturn;\n";
    const { module } = clean(
      withDeclarations(f, kernel("@%p1 bra L; { .param .b32 param0; st.param.b32 [param0], 1; call.uni f, (param0); }\nL: ret;")),
    );
    expect(module.funcs[0]!.blocks.map((b) => b!.succs)).toEqual([[2, 1], [], []]);
  });

  it("reads calls by the address in a register", () => {
    const text = kernel(
      "{ .param .b32 param0; st.param.b32 [param0], %r1; .param .b32 retval0; p0: .callprototype (.param .b32 _) _ (.param .b32 _); call (retval0), %rd1, (param0), p0; ld.param.b32 %r2, [retval0]; }\nret;",
    );
    expect(lines(text)).toEqual(["BB0:", "CALL RD0, {R3}, {R1}", "EXIT"]);
  });

  it("lexes special registers, pairs, sinks and blanks in addresses", () => {
    const got = lines(
      clean(
        kernel(
          "mov.u32 %r1, %tid.x; setp.lt.s32 %p1|%p2, %r1, -5; shfl.sync.down.b32 %r2|%p3, %r1, 1, 31, -1; mov.b64 {_, %r3}, %rd1; ld.global.u32 %r4, [ %rd1 + 0 ]; ld.global.u32 %r4, [%rd1+-4104]; ret;",
        ),
      ),
    );
    expect(got).toEqual([
      "BB0:",
      "S2R R0, SR_TID.X",
      "ISETP.LT P0, R0, -5",
      "ISETP.GE P1, R0, -5",
      "SHFL.DOWN P2, R1, R0, 1, 31",
      "UNPACK.HI R2, RD0",
      "LDG R3, [RD0]",
      "LDG R3, [RD0-0x1008]",
      "EXIT",
    ]);
  });

  it("reads every kind of literal", () => {
    const got = lines(
      clean(
        kernel(
          "mov.u32 %r1, 0x1FU; mov.u32 %r1, 0b101; mov.u32 %r1, 017; mov.u32 %r1, 42U; mov.u32 %r1, -5; mov.f32 %f1, 0f40490FDB; mov.f64 %fd1, 0d400921FB54442D18; mov.f32 %f1, 2.5; mov.u64 %rd1, 0xffffffffffffffff; mov.u32 %r1, (3+4)*2-1; ret;",
        ),
      ),
    );
    expect(got.slice(1, -1)).toEqual([
      "MOV R0, 31",
      "MOV R0, 5",
      "MOV R0, 15",
      "MOV R0, 42",
      "MOV R0, -5",
      "MOV R1, 3.1415927",
      "MOV.64 RD0, 3.141592653589793",
      "MOV R1, 2.5",
      "MOV.64 RD1, 0xffffffffffffffff",
      "MOV R0, 13",
    ]);
  });

  it("reads a table whose targets stand on following lines, repeats and all", () => {
    const { module } = clean(kernel("ts: .branchtargets\nA,\n B, A\n;\nbrx.idx %r1, ts;\nA: mov.u32 %r1, 1;\nB: ret;"));
    const fn = module.funcs[0]!;
    expect([...fn.tables.values()]).toMatchObject([{ name: "JT0", base: 0, default: null, entries: [1, 2, 1] }]);
    expect(fn.blocks[0]!.succs).toEqual([1, 2]);
  });

  it("takes a table that is declared after its jump, and shares it between two", () => {
    const { module } = clean(kernel("@%p1 brx.idx %r1, ts;\nbrx.idx %r2, ts;\nA: mov.u32 %r1, 1;\nB: ret;\nts: .branchtargets A, B;"));
    const fn = module.funcs[0]!;
    expect(fn.tables.size).toBe(1);
    expect(fn.blocks[0]!.succs).toEqual([2, 3, 1]);
    expect(fn.blocks[1]!.succs).toEqual([2, 3]);
  });

  it("skips pragmas between a label and its instruction", () => {
    expect(lines(clean(kernel('L:\n.pragma "nounroll";\nadd.u32 %r1, %r1, 1; bra.uni L;')))).toEqual(["L:", "IADD R0, R0, 1", "BRA.U L"]);
  });

  it("joins an opcode whose parts are apart", () => {
    expect(lines(clean(kernel("add .s32 %r1, %r1, 1; ret;")))).toContain("IADD R0, R0, 1");
  });
});

describe("control flow", () => {
  it("closes a label at the end, a conditional branch at the end and an empty body", () => {
    expect(lines(clean(kernel("@%p1 bra L; mov.u32 %r1, 1;\nL:")))).toEqual(["BB0:", "@P0 BRA L", "BB1:", "MOV R0, 1", "L:", "EXIT"]);
    expect(lines(clean(kernel("L: @%p1 bra L;")))).toEqual(["L:", "@P0 BRA L", "BB1:", "EXIT"]);
    expect(lines(clean(kernel("")))).toEqual(["BB0:", "EXIT"]);
    expect(lines(clean(kernel("mov.u32 %r1, 1;")))).toEqual(["BB0:", "MOV R0, 1", "EXIT"]);
  });

  it("starts no block at a label that no branch names", () => {
    const { module } = clean(kernel("A: mov.u32 %r1, 1;\nB: C: mov.u32 %r1, 2; bra C; D: E: ret;"));
    expect(module.funcs[0]!.blocks.map((b) => b!.label)).toEqual(["A", "C", "D"]);
  });

  it("keeps guards, predicated returns, uniform branches and traps", () => {
    expect(lines(clean(kernel("@!%p1 add.u32 %r1, %r1, 1; @%p1 ret; @%p2 bra.uni L; trap; @%p3 trap;\nL: exit;")))).toEqual([
      "BB0:",
      "@!P0 IADD R0, R0, 1",
      "@P0 EXIT",
      "BB1:",
      "@P1 BRA.U L",
      "BB2:",
      "BPT.TRAP",
      "@P2 BPT.TRAP",
      "L:",
      "EXIT",
    ]);
  });

  it("returns by RET from a function", () => {
    const { module } = clean(".func (.reg .u32 %out) f (.reg .u32 %in) { add.u32 %out, %in, 1; ret; }");
    const [f] = module.funcs;
    expect([f!.kind, f!.params.length, f!.returns.length, f!.blocks[0]!.insts.map((i) => i.op)]).toEqual(["func", 1, 1, ["IADD", "RET"]]);
  });

  it("imports irreducible flow as it is", () => {
    const { module } = clean(kernel("@%p1 bra B;\nA: add.u32 %r1, %r1, 1;\nB: add.u32 %r2, %r2, 1; @%p2 bra A; ret;"));
    expect(module.funcs[0]!.blocks.map((b) => b!.succs)).toEqual([[2, 1], [2], [1, 3], []]);
  });
});

describe("opaque instructions", () => {
  const opaque = (body: string): string[] => lines(kernel(`${body}\nret;`)).filter((line) => line.includes("OPAQUE"));

  it("have exact definitions, uses and the weakest safe effect", () => {
    expect(opaque("tex.2d.v4.f32.f32 {%f1, %f2, _, %f4}, [%rd1, {%f5, %f6}];")).toEqual([
      'OPAQUE.load {R0, R1, R2}, {RD0, R3, R4}, "tex.2d.v4.f32.f32 {%f1, %f2, _, %f4}, [%rd1, {%f5, %f6}]"',
    ]);
    expect(opaque("vadd4.s32.s32.s32 %r1, %r2, %r3, %r4;")).toEqual([
      'OPAQUE.pure {R0}, {R1, R2, R3}, "vadd4.s32.s32.s32 %r1, %r2, %r3, %r4"',
    ]);
    expect(opaque("cp.async.bulk.commit_group;")).toEqual(['OPAQUE.barrier {}, {}, "cp.async.bulk.commit_group"']);
    expect(opaque("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3];")).toEqual([
      'OPAQUE.barrier {R0, R1}, {R2}, "ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%r1, %r2}, [%r3]"',
    ]);
    expect(opaque("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%f1,%f2}, {%r1}, {%r2}, {%f3,%f4};")[0]).toMatch(
      /^OPAQUE\.warp \{R0, R1\}, \{R2, R3, R4, R5\}, /,
    );
    expect(opaque("wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 {%f1}, {%r1}, {%r2}, {%f2};")[0]).toMatch(
      /^OPAQUE\.warp \{R0\}, \{R1, R2, R3\}/,
    );
    expect(opaque("wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%rd1], {%f1}, %r1;")[0]).toMatch(
      /^OPAQUE\.barrier \{\}, \{RD0, R0, R1\}/,
    );
    expect(opaque("wmma.load.a.sync.aligned.row.m16n16k16.global.f16 {%r1, %r2}, [%rd1], %r3;")[0]).toMatch(
      /^OPAQUE\.barrier \{R0, R1\}, \{RD0, R2\}/,
    );
    expect(opaque("mbarrier.init.shared::cluster.b64 [%r1], %r2;")[0]).toMatch(/^OPAQUE\.barrier \{\}, \{R0, R1\}/);
    expect(opaque("mbarrier.try_wait.parity.shared::cluster.b64 %p1, [%r1], %r2;")[0]).toMatch(/^OPAQUE\.barrier \{P0\}, \{R0, R1\}/);
    expect(opaque("mbarrier.arrive.expect_tx.shared::cluster.b64 %rd1, [%r1], 64;")[0]).toMatch(/^OPAQUE\.barrier \{RD0\}, \{R0\}/);
    expect(opaque("bar.arrive 1, 64;")).toEqual(['OPAQUE.barrier {}, {}, "bar.arrive 1, 64"']);
    expect(opaque("@%p1 atom.add.noftz.f16 %rs1, [%rd1], %rs2;")).toEqual([
      '@P0 OPAQUE.call {R0}, {RD0, R1}, "atom.add.noftz.f16 %rs1, [%rd1], %rs2"',
    ]);
    expect(opaque("elect.sync %r1|%p1, -1;")).toEqual(['OPAQUE.barrier {R0, P0}, {}, "elect.sync %r1|%p1, -1"']);
    expect(opaque("mbarrier.arrive.shared::cluster.b64 _, [%r1];")).toEqual([
      'OPAQUE.barrier {}, {R0}, "mbarrier.arrive.shared::cluster.b64 _, [%r1]"',
    ]);
    expect(opaque("wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%f1, %f2}, %rd1, %rd2, 1;")[0]).toContain(
      "{R0, R1}, {R0, R1, RD0, RD1}",
    );
  });

  it("become a call when nobody knows the name, with a warning", () => {
    const imported = importPtx(kernel("frobnicate.u32 %r1, %r2; ret;"));
    expect(imported.diagnostics.map((d) => [d.code, d.severity, d.line])).toEqual([["PTX024", "warning", 7]]);
    expect(lines(imported)).toContain('OPAQUE.call {R0}, {R1}, "frobnicate.u32 %r1, %r2"');
  });

  it("keep no trace of a row that gave up half way", () => {
    expect(opaque("cvt.rn.satfinite.e4m3x2.f32 %rs1, %f1, %f2;")).toHaveLength(1);
    expect(lines(kernel("ld.acquire.gpu.shared::cluster.u32 %r1, [%r2]; ret;"))).toHaveLength(3);
  });
});

describe("messages", () => {
  it("say where a text is cut and keep what was read", () => {
    const text = fixture("12_state_machine.sm_90");
    const { module, diagnostics } = importPtx(text.slice(0, text.length >> 1));
    expect(diagnostics.some((d) => d.code === "PTX009" && d.severity === "error" && d.line > 50)).toBe(true);
    expect(module.funcs).toHaveLength(1);
    expect(module.funcs[0]!.layout.length).toBeGreaterThan(10);
    expect(verifyModule(module).filter((d) => d.severity === "error")).toEqual([]);
  });

  it("refuse binaries and texts over the limit at once", () => {
    expect(codes("\u007fELF\u0002\u0001\u0001")).toEqual(["PTX001"]);
    expect(codes(String.fromCharCode(...Array.from({ length: 500 }, (_, i) => i % 40)))).toEqual(["PTX001"]);
    expect(importPtx(kernel("ret;"), { maxChars: 50 }).diagnostics.map((d) => d.code)).toEqual(["PTX002"]);
  });

  it.each<[PtxCode, string, number, number]>([
    ["PTX003", "// nothing\n", 1, 1],
    ["PTX004", kernel("ret;\n)"), 8, 1],
    ["PTX005", `${kernel("ret;")}/* no end`, 9, 1],
    ["PTX006", kernel("mov.f32 %f1, 0f123; ret;"), 7, 14],
    ["PTX007", kernel("add.u32 %r1, %r1 %r2; ret;"), 7, 18],
    ["PTX008", kernel(".frob 1;\nret;"), 7, 1],
    ["PTX010", kernel("@%p1 bra NOWHERE; ret;"), 7, 6],
    ["PTX011", kernel("L: mov.u32 %r1, 1;\nL: bra L;"), 8, 1],
    ["PTX014", `.entry k()\n{\n${REGS}\nmov.u32 %strange, 1; ret;\n}`, 4, 1],
    ["PTX029", kernel("mov.u32 %strange, 1; ret;"), 7, 1],
    ["PTX018", `hello world\n${kernel("ret;")}`, 1, 1],
    ["PTX019", kernel("brx.idx %r1, nowhere;"), 7, 1],
    ["PTX021", `.global .u32 g;\n.global .u8 p[4] = {0xff00(g)};\n${kernel("ret;")}`, 2, 28],
    ["PTX022", kernel(".reg .b64 %x;\n.reg .b32 %x;\nret;"), 8, 11],
    ["PTX023", kernel("ret;").replace(/\}\n$/, ".visible .entry b() { ret; }"), 8, 1],
  ])("%s is located", (code, text, line, column) => {
    const found = importPtx(text).diagnostics.find((d) => d.code === code);
    expect(found, codes(text).join()).toBeDefined();
    expect([found!.line, found!.column]).toEqual([line, column]);
  });

  it("report a forgotten ';' once and go on", () => {
    const { diagnostics, functions } = importPtx(kernel("add.u32 %r1, %r1, 1\n@%p1 bra L;\nL: ret;"));
    expect(diagnostics.map((d) => [d.code, d.line])).toEqual([["PTX007", 8]]);
    expect(functions[0]!.instructions).toBe(3);
  });

  it("stop at the cap and say how many are left", () => {
    const { diagnostics } = importPtx(kernel("mov.f32 %f1, 0f1;\n".repeat(500)), { maxDiagnostics: 10 });
    expect(diagnostics).toHaveLength(11);
    expect(diagnostics[10]).toMatchObject({ code: "PTX099", message: "490 more messages were left out" });
  });

  it("warn of nothing where a register is read that nobody writes", () => {
    const { module, diagnostics } = importPtx(kernel("shfl.sync.down.b32 %r1, %r2, 1, 31, -1; st.global.u32 [%rd1], %r1; ret;"));
    expect(diagnostics).toEqual([]);
    expect(verifyModule(module).every((d) => d.severity !== "error")).toBe(true);
  });
});

describe("constant expressions", () => {
  it.each([
    ["1/0", "divides by zero", 16],
    ["(7 % (3 - 3))", "divides by zero", 18],
    ["1 + 2.0", "two integers or two", 17],
    ["1/0 + 1/0 + (2 % 0)", "divides by zero", 16],
  ])("%s: one error at its operator", (text, message, column) => {
    const imported = importPtx(kernel(`mov.u64 %rd1, ${text};\nst.global.u64 [%rd2], 5;`));
    const errors = imported.diagnostics.filter((d) => d.severity === "error");
    expect(errors.map(({ code, severity, line, column: at }) => [code, severity, line, at])).toEqual([["PTX025", "error", 7, column]]);
    expect(errors[0]!.message).toContain(message);
    // The next statement is read as ever.
    expect(lines(imported).some((line) => line.startsWith("STG"))).toBe(true);
  });

  it.each([
    ["7 / 2", "3"],
    ["~0xffffffffffffffff", "0"],
    ["0xffffffffffffffff - 1", "0xfffffffffffffffe"],
    ["1.5 > 1.0 ? 7 : 9", "7"],
    ["-WARP_SZ + 1", "-31"],
  ])("%s is %s", (text, value) => {
    const text64 = lines(clean(kernel(`mov.u64 %rd1, ${text};\nst.global.u64 [%rd2], %rd1;`)));
    expect(text64.find((line) => line.startsWith("MOV"))?.split(", ")[1]).toBe(value);
  });
});
