/** Addresses in initial values: what the assembler takes is read and points to the right place in a run, what it refuses is an error. */

import { describe, expect, it } from "vitest";
import { calleesOf } from "../../ir/callees.ts";
import { parseModule } from "../../text/parser.ts";
import { printModule } from "../../text/printer.ts";
import { importPtx } from "./import.ts";
import { runPtx } from "./testing/run-ptx.ts";

const HEAD = `.version 8.0
.target sm_80
.address_size 64
.visible .func (.param .b32 r) twice(.param .b32 a);
.global .align 4 .u32 pad[4] = {90, 91, 92, 93};
.global .align 4 .u32 tens[4] = {10, 20, 30, 40};
.const .align 4 .u32 few[4] = {1, 2, 3, 4};
.shared .align 4 .u32 own[4];
`;

const BODY = `.visible .func (.param .b32 r) twice(.param .b32 a)
{ .reg .b32 %v; ld.param.b32 %v, [a]; add.s32 %v, %v, %v; st.param.b32 [r], %v; ret; }
.visible .entry k(.param .u64 out)
{
  .reg .b32 %r<3>; .reg .b64 %rd<4>;
  ld.param.u64 %rd1, [out];
  mov.u32 %r2, 7;
  st.shared.u32 [own], %r2;
  st.shared.u32 [own+8], %r2;
  ld.global.u64 %rd2, [p];
  LOAD %r1, [%rd2];
  st.global.u32 [%rd1], %r1;
  ret;
}
`;

const bytes = (name: string): string => [..."01234567"].map((k) => `0xff${"00".repeat(Number(k))}(${name})`).join(", ");

/** The word that `p` points to. */
function pointsTo(declaration: string, load = "ld.global.u32"): number {
  const imported = importPtx(HEAD + declaration + BODY.replace("LOAD", load));
  expect(imported.diagnostics).toEqual([]);
  const out = new Uint32Array(1);
  const outcome = runPtx(imported, [out], 1);
  expect(outcome.message).toBe("");
  return out[0]!;
}

describe("addresses in initial values", () => {
  // Each was tried with ptxas 13.0.
  it.each([
    [".global .u64 p = tens;", 10],
    [".global .u64 p = tens+8;", 30],
    [".global .u64 p = tens+4+4;", 30],
    [".global .u64 p = tens+(2*4);", 30],
    [".global .u64 p = generic(tens)+12;", 40],
    [".global .u32 p[2] = {tens+4, 0};", 20],
    [`.global .align 8 .u8 p[8] = {${bytes("tens")}};`, 10],
    [`.global .align 8 .u8 p[8] = {${bytes("generic(tens)+8")}};`, 30],
  ])("%s", (declaration, value) => {
    expect(pointsTo(declaration)).toBe(value);
  });

  it("a generic address of a global variable leads to it, not to shared memory", () => {
    expect(pointsTo(".global .u64 p = generic(tens)+8;", "ld.u32")).toBe(30);
  });

  it("of a constant variable are offsets in constant memory", () => {
    expect(pointsTo(".global .u64 p = few+8;", "ld.const.u32")).toBe(3);
  });

  it.each([
    ".global .u64 p = tens-8;",
    ".global .u64 p = 8+tens;",
    ".global .u64 p = (tens);",
    ".global .u64 p = tens[2];",
    ".global .u64 p = generic(tens+8);",
    ".global .u64 p = generic(tens)-8;",
    ".global .u64 p = tens-pad;",
    ".global .s64 p = tens;",
    ".global .b64 p = tens;",
    ".global .u16 p = tens;",
    ".global .f64 p = tens;",
    ".global .u64 p = twice+8;",
    ".global .u64 p = generic(twice);",
    ".global .u64 p = own;",
    ".global .u64 p = p;",
    ".global .u64 p = nowhere;",
    ".global .u64 p = generic(nowhere);",
    `.global .align 8 .b8 p[8] = {${bytes("tens")}};`,
    ".global .align 8 .u8 p[8] = {0xfff(tens)};",
    ".global .u64 p = 1 ? tens : pad;",
  ])("%s is an error, as for the assembler", (declaration) => {
    const { diagnostics } = importPtx(HEAD + declaration + BODY.replace("LOAD", "ld.global.u32"));
    expect(diagnostics.filter((d) => d.severity === "error").map((d) => d.line)).toContain(9);
  });

  it("are printed, and read back", () => {
    const { module } = importPtx(`${HEAD}.global .u64 p[2] = {tens+8, twice};\n${BODY.replace("LOAD", "ld.global.u32")}`);
    expect(printModule(module)).toContain(".symbol p global 16 8 addresses={0:tens+8, 8:twice}");
  });
});

const TABLE = `.version 6.3
.target sm_75
.address_size 64
.visible .func (.param .b32 r) twice(.param .b32 a);
.visible .func (.param .b32 r) thrice(.param .b32 a);
.global .align 8 .u64 table[2] = {twice, thrice};
.visible .func (.param .b32 r) twice(.param .b32 a)
{ .reg .b32 %v; ld.param.b32 %v, [a]; add.s32 %v, %v, %v; st.param.b32 [r], %v; ret; }
.visible .func (.param .b32 r) thrice(.param .b32 a)
{ .reg .b32 %v; ld.param.b32 %v, [a]; mul.lo.s32 %v, %v, 3; st.param.b32 [r], %v; ret; }
.visible .entry pick(.param .u64 out)
{
  .reg .b32 %r<4>; .reg .b64 %rd<6>; .reg .pred %p;
  shape: .callprototype (.param .b32 _) _ (.param .b32 _);
  either: .calltargets twice, thrice;
  ld.param.u64 %rd1, [out];
  mov.u32 %r2, %tid.x;
  and.b32 %r1, %r2, 1;
  mov.u64 %rd2, table;
  mul.wide.u32 %rd3, %r1, 8;
  add.u64 %rd2, %rd2, %rd3;
  ld.global.u64 %rd4, [%rd2];
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %r2; call (y), %rd4, (x), either; ld.param.b32 %r3, [y]; }
  setp.eq.s32 %p, %r2, 3;
  mov.u64 %rd5, twice;
  selp.b64 %rd4, %rd5, %rd4, %p;
  { .param .b32 x; .param .b32 y; st.param.b32 [x], %r3; call (y), %rd4, (x), shape; ld.param.b32 %r3, [y]; }
  mul.wide.u32 %rd5, %r2, 4;
  add.u64 %rd1, %rd1, %rd5;
  st.global.u32 [%rd1], %r3;
  ret;
}
`;

describe("calls through a table of functions", () => {
  it("keep the list of functions that they may lead to, and print it", () => {
    const { module } = importPtx(TABLE);
    const text = printModule(module);
    expect(text).toMatch(/CALL\s+RD\d+, \{R\d+\}, \{R\d+\}, "twice, thrice"\n/);
    expect(printModule(parseModule(text).module)).toBe(text);
    // The second call, by a prototype, may lead to each function whose address is taken.
    const narrow = importPtx(TABLE.replace(".calltargets twice, thrice", ".calltargets thrice").replace("x), shape", "x), either")).module;
    const pick = narrow.funcs.find(({ name }) => name === "pick");
    expect(pick === undefined ? [] : calleesOf(pick, narrow).map(({ name }) => name)).toEqual(["thrice"]);
  });

  it("run the function that each lane has", () => {
    const imported = importPtx(TABLE);
    expect(imported.diagnostics).toEqual([]);
    const out = new Uint32Array(4);
    const kernel = { ...imported, module: { ...imported.module, funcs: imported.module.funcs.toReversed() } };
    expect(runPtx(kernel, [out], 4).message).toBe("");
    expect([...out]).toEqual([0, 9, 8, 18]);
  });
});
