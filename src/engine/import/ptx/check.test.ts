/** What the reader refuses: operands that do not fit, forms that PTX does not have, names that nothing declares. */

import { describe, expect, it } from "vitest";
import { compareRules, hasAssembler } from "../../../../bench/ptxas/rules-cases.ts";
import { freshSeed } from "../../testing/seed.ts";
import { importPtx } from "./import.ts";

const REGISTERS =
  ".reg .pred p<3>; .reg .b16 h<3>; .reg .b32 r<6>; .reg .s32 s<3>; .reg .f32 f<4>; .reg .b64 d<4>; .reg .f64 g<3>; .reg .v4 .u32 q; .shared .b32 sh[8];";

function complaints(statement: string, head = ".version 8.2\n.target sm_86\n"): string[] {
  const text = `${head}.address_size 64\n.entry k(.param .u64 a)\n{\n${REGISTERS}\n${statement}\nret;\n}\n`;
  return importPtx(text)
    .diagnostics.filter(({ severity }) => severity !== "info")
    .map(({ code, severity }) => `${severity} ${code}`);
}

describe("refused, with one message each", () => {
  it.each([
    ["add.s64 d0, d1, s0;", "PTX026"],
    ["add.s32 r0, f0, r1;", "PTX026"],
    ["mov.f32 f0, 0x7F800000;", "PTX026"],
    ["mov.u32 r0, 1.0;", "PTX026"],
    ["mad.wide.s32 d0, r0, r1, r2;", "PTX026"],
    ["mul.wide.u32 r0, r1, 4;", "PTX026"],
    ["shl.b32 r0, r1, d0;", "PTX026"],
    ["ld.global.u32 h0, [d0];", "PTX026"],
    ["ld.global.v4.u32 {r0, r1}, [d0];", "PTX026"],
    ["ld.global.u32 r0, [sh];", "PTX026"],
    ["st.global.f32 [d0], s0;", "PTX026"],
    ["setp.eq.s32 r0, r1, r2;", "PTX026"],
    ["setp.eq.and.s32 p0, r1, r2;", "PTX026"],
    ["add.s32 r0, r1;", "PTX026"],
    ["add.s32 5, r1, r2;", "PTX026"],
    ["add.s32 r0, r1, %tid.x;", "PTX026"],
    ["mov.u64 d0, %tid.x;", "PTX026"],
    ["add.s32 r0, r1, sh;", "PTX026"],
    ["bar.sync 16;", "PTX026"],
    ["and.s32 r0, r1, r2;", "PTX027"],
    ["neg.u32 r0, r1;", "PTX027"],
    ["mul.s32 r0, r1, r2;", "PTX027"],
    ["cvt.f32.u32 f0, r0;", "PTX027"],
    ["fma.f32 f0, f1, f2, f3;", "PTX027"],
    ["add.f32.foo f0, f1, f2;", "PTX027"],
    ["setp.lo.s32 p0, r0, r1;", "PTX027"],
    ["atom.global.add.s64 d0, [d1], 1;", "PTX027"],
    ["shfl.down.b32 r0, r1, 1, 31;", "PTX028"],
    ["max.f32 f0, f1, f2, f3;", "PTX028"],
    ["mov.u32 r0, %blockdim.x;", "PTX029"],
    ["mov.u32 r0, %envreg32;", "PTX029"],
    ["mov.u32 r0, missing;", "PTX029"],
    ["add.u32 r0, r9, 1;", "PTX029"],
  ])("%s", (statement, code) => {
    expect(complaints(statement)).toEqual([`error ${code}`]);
  });

  it("brx.idx before PTX 6.0", () => {
    const jump = (isa: string) => complaints("T: .branchtargets A, B;\nbrx.idx r0, T;\nA: B:", `.version ${isa}\n.target sm_50\n`);
    expect(jump("5.0")).toEqual(["error PTX028"]);
    expect(jump("6.0")).toEqual([]);
  });
});

describe("accepted", () => {
  it.each([
    "add.s32 r0, s1, 0x1ffffffff;",
    "mov.f32 f0, r1;",
    "mov.b32 r0, 0f3f800000;",
    "add.f64 g0, g1, 0f3f800000;",
    "and.b32 r0, f1, s2;",
    "ld.global.u8 d0, [r1];",
    "ld.global.b32 g0, [d0];",
    "ld.global.v2.u32 {f0, _}, [d0];",
    "mov.b64 d0, {f0, r1};",
    "cvt.u64.u32 d0, %tid.x;",
    "cvt.s8.s32 r0, r1;",
    "add.u64 d0, d1, sh+4;",
    "mov.u32 r0, %tid.r;",
    "setp.lt.u32 p0|p1, r0, WARP_SZ;",
    "lop3.or.b32 _|p0, r1, r2, r3, 0x80, p1;",
    "add.f32.sat.sat f0, f1, .5;",
  ])("%s", (statement) => {
    expect(complaints(statement)).toEqual([]);
  });

  it("a name that nothing declares, in a cut-out: its value is a stand-in", () => {
    expect(complaints("mov.u32 r0, missing;", "")).toEqual(["warning PTX017"]);
  });
});

it.skipIf(!hasAssembler())(
  "agrees with ptxas on statements with and without mistakes (where ptxas is on the PATH)",
  { timeout: 120_000 },
  () => {
    const seed = freshSeed();
    const { tried, differences } = compareRules(seed, 600, "8.8", "sm_100a");
    expect(differences.length / tried, `seed ${seed}: ${JSON.stringify(differences)}`).toBeLessThan(0.015);
  },
);
