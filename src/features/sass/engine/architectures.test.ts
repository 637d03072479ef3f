/**
 * One kernel as each architecture spells it, in the layouts that listings come in. Written for this test: addresses of constants, spellings and
 * layouts are those of real listings, the code was written for this test.
 */

import { describe, expect, it } from "vitest";
import { importSass } from "./import.ts";
import { runSass, type SassTarget } from "./testing/run-sass.ts";

const cuobjdump = (target: string, code: readonly string[]): string => {
  const lines = code.map(
    (text, i) => `        /*${(16 * i).toString(16).padStart(4, "0")}*/                   ${text} ;   /* 0x000000ff00ff7b82 */`,
  );
  return `\nFatbin elf code:\n================\narch = ${target}\ncode version = [1,8]\nhost = linux\n\n\tcode for ${target}\n\t\tFunction : sums\n\t.headerflags    @"EF_CUDA_${target.toUpperCase().replace("_", "")}"\n${lines
    .map((l) => `${l}\n${" ".repeat(76)}/* 0x000fe20000000f00 */`)
    .join("\n")}\n\t\t..........\n`;
};

/** Labels as `L:` lines, one instruction per line. */
const nvdisasm = (target: string, code: readonly string[]): string => {
  let address = 0;
  const lines = code.map((text) =>
    text.endsWith(":") ? text : `        /*${(16 * address++).toString(16).padStart(4, "0")}*/                   ${text} ;`,
  );
  return `\t.headerflags\t@"EF_CUDA_TEXMODE_UNIFIED EF_CUDA_64BIT_ADDRESS EF_CUDA_${target.toUpperCase().replace("_", "")}"\n\t.elftype\t@"ET_EXEC"\n\n//--------------------- .text.sums             --------------------------\n\t.section\t.text.sums,"ax",@progbits\n\t.sectionflags\t@"SHF_BARRIERS=1"\n\t.align\t128\n        .global         sums\n        .type           sums,@function\n        .size           sums,(.L_x_9 - sums)\n        .other          sums,@"STO_CUDA_ENTRY STV_DEFAULT"\nsums:\n.text.sums:\n${lines.join("\n")}\n.L_x_8:\n        /*0ff0*/                   BRA \`(.L_x_8);\n.L_x_9:\n`;
};

/** The loop adds v, v - 3, v - 6 … while they are positive; threads 0 to n - 1, except those whose flag and sign exclude them. */
const LISTINGS: Readonly<Record<SassTarget, string | null>> = {
  sm_75: null,
  sm_90: null,
  sm_61: cuobjdump("sm_61", [
    "MOV R1, c[0x0][0x20]",
    "S2R R0, SR_CTAID.X",
    "S2R R2, SR_TID.X",
    "XMAD.MRG R3, R0.reuse, c[0x0] [0x8].H1, RZ",
    "XMAD R2, R0.reuse, c[0x0] [0x8], R2",
    "XMAD.PSL.CBCC R0, R0.H1, R3.H1, R2",
    "ISETP.GE.AND P0, PT, R0, c[0x0][0x150], PT",
    "@P0 EXIT",
    "SHR R3, R0.reuse, 0x1e",
    "ISCADD R2.CC, R0, c[0x0][0x140], 0x2",
    "IADD.X R3, R3, c[0x0][0x144]",
    "LDG.E R4, [R2]",
    "SHL R6, R0.reuse, 0x2",
    "SHR R7, R0, 0x1e",
    "IADD R6.CC, R6, c[0x0][0x148]",
    "IADD.X R7, R7, c[0x0][0x14c]",
    "MOV32I R8, 0x0",
    "IMNMX R9, R4, RZ, !PT",
    "IADD R8, R8, R9",
    "IADD32I R4, R4, -0x3",
    "ISETP.NE.AND P1, PT, R9, RZ, PT",
    "@P1 BRA 0x110",
    "STG.E [R6], R8",
    "EXIT",
    "BRA 0x180",
  ]),
  sm_70: cuobjdump("sm_70", [
    "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]",
    "@!PT SHFL.IDX PT, RZ, RZ, RZ, RZ",
    "S2R R0, SR_TID.X",
    "ISETP.GE.AND P0, PT, R0, c[0x0][0x170], PT",
    "@P0 EXIT",
    "IMAD.MOV.U32 R5, RZ, RZ, 0x4",
    "IMAD.WIDE.U32 R2, R0, R5, c[0x0][0x160]",
    "LDG.E.SYS R4, [R2]",
    "IMAD.WIDE.U32 R6, R0.reuse, R5, c[0x0][0x168]",
    "BMOV.32.CLEAR RZ, B0",
    "BSSY B0, 0x120",
    "IMAD.MOV.U32 R8, RZ, RZ, RZ",
    "ISETP.GE.AND P1, PT, R4, 0x1, PT",
    "@!P1 BRA 0x110",
    "IMAD.IADD R8, R8, 0x1, R4",
    "IADD3 R4, R4, -0x3, RZ",
    "BRA 0xc0",
    "BSYNC B0",
    "STG.E.SYS [R6], R8",
    "EXIT",
    "BRA 0x140",
    "NOP",
  ]),
  sm_80: nvdisasm("sm_80", [
    "MOV R1, c[0x0][0x28]",
    "S2R R0, SR_TID.X",
    "ISETP.GE.AND P0, PT, R0, c[0x0][0x170], PT",
    "PLOP3.LUT P1, PT, PT, PT, PT, 0x80, 0x0",
    "@P0 EXIT P1",
    "ULDC.64 UR4, c[0x0][0x118]",
    "MOV R5, 0x4",
    "IMAD.WIDE R2, R0.reuse, R5.reuse, c[0x0][0x160]",
    "LDG.E.CONSTANT R4, [R2.64]",
    "IMAD.WIDE R6, R0, R5, c[0x0][0x168]",
    "CS2R R8, SRZ",
    "ISETP.GT.AND P0, PT, R4, RZ, PT",
    "BSSY B0, `(.L_x_1)",
    "@!P0 BRA `(.L_x_2)",
    ".L_x_3:",
    "IMAD.IADD R8, R4.reuse, 0x1, R8",
    "IADD3 R4, R4, -0x3, RZ",
    "ISETP.GT.AND P0, PT, R4, RZ, PT",
    "@P0 BRA `(.L_x_3)",
    ".L_x_2:",
    "BSYNC B0",
    ".L_x_1:",
    "STG.E [R6.64], R8",
    "EXIT",
  ]),
  sm_86: nvdisasm("sm_86", [
    "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]",
    "S2R R0, SR_TID.X",
    "ISETP.GE.AND P0, PT, R0, c[0x0][0x170], PT",
    "@P0 EXIT",
    "ULDC.64 UR6, c[0x0][0x118]",
    "LEA R2, P0, R0, c[0x0][0x160], 0x2",
    "LEA.HI.X R3, R0, c[0x0][0x164], RZ, 0x2, P0",
    "LD.E R4, [R2]",
    "IADD3 R6, P0, R2, -c[0x0][0x160], RZ",
    "MOV R6, R0",
    "SHF.L.U32 R6, R6, 0x2, RZ",
    "IADD3 R6, P0, R6, c[0x0][0x168], RZ",
    "IMAD.X R7, RZ, RZ, c[0x0][0x16c], P0",
    "UMOV UR4, URZ",
    "IMAD.U32 R8, RZ, RZ, UR4",
    ".L_x_0:",
    "ISETP.LT.AND P1, PT, R4, 0x1, PT",
    "PLOP3.LUT P2, PT, P1, PT, PT, 0x8, 0x0",
    "@!P1 BRA P2, `(.L_x_2)",
    "STG.E.STRONG.GPU [R6.64], R8",
    "EXIT",
    ".L_x_2:",
    "IADD3 R8, R8, R4, RZ",
    "IADD3 R4, R4, -0x3, RZ",
    "BRA `(.L_x_0)",
  ]),
  sm_89: nvdisasm("sm_89", [
    "IMAD.MOV.U32 R1, RZ, RZ, c[0x0][0x28]",
    "S2R R0, SR_TID.X",
    "ISETP.GE.AND P0, PT, R0, c[0x0][0x170], PT",
    "@P0 EXIT",
    "HFMA2.MMA R5, -RZ, RZ, 0, 2.384185791015625e-07",
    "ULDC.64 UR4, c[0x0][0x118]",
    "IMAD.WIDE R2, R0, R5, c[0x0][0x160]",
    "LDG.E R4, [R2.64]",
    "IMAD.WIDE R6, R0, R5, c[0x0][0x168]",
    "MOV R8, RZ",
    "WARPSYNC 0xffffffff",
    ".L_x_4:",
    "IMNMX R9, R4, RZ, !PT",
    "IMAD.IADD R8, R8, 0x1, R9",
    "IADD3 R4, R4, -0x3, RZ",
    "ISETP.NE.AND P1, PT, R9, RZ, PT",
    "VOTE.ANY P0, P1",
    "@P0 BRA `(.L_x_4)",
    "STG.E [R6.64], R8",
    "EXIT",
  ]),
  sm_100: cuobjdump("sm_100", [
    "LDC R1, c[0x0][0x37c]                &wr=0x0          ?trans1",
    "S2R R0, SR_TID.X",
    "LDCU UR6, c[0x0][0x390]",
    "LDCU.64 UR4, c[0x0][0x358]",
    "ISETP.GE.AND P0, PT, R0, UR6, PT",
    "@P0 EXIT",
    "LDC.64 R2, c[0x0][0x380]",
    "LDC.64 R6, c[0x0][0x388]",
    "IMAD.WIDE R2, R0.reuse, 0x4, R2",
    "LDG.E R4, desc[UR4][R2.64]",
    "IMAD.WIDE R6, R0, 0x4, R6",
    "HFMA2 R8, -RZ, RZ, 0, 0",
    "BSSY.RECONVERGENT B0, 0x130",
    "ISETP.GT.AND P1, PT, R4, RZ, PT",
    "@!P1 BRA 0x120",
    "IADD3 R8, PT, PT, R8, R4, RZ",
    "VIADD R4, R4, 0xfffffffd",
    "BRA 0xd0",
    "BSYNC.RECONVERGENT B0",
    "UMOV UR7, URZ",
    "UIADD3 UR7, UPT, UPT, UR7, 0x1, URZ",
    "UISETP.NE.U32.AND UP0, UPT, UR7, 0x2, UPT",
    "BRA.U UP0, 0x140",
    "@!UPT UIADD3 URZ, UPT, UPT, URZ, URZ, URZ",
    "STG.E desc[UR4][R6.64], R8",
    "EXIT",
    "BRA 0x1a0",
    "NOP",
  ]),
  sm_120: nvdisasm("sm_120", [
    "LDC R1, c[0x0][0x37c]",
    "S2R R0, SR_TID.X",
    "LDCU UR6, c[0x0][0x390]",
    "LDCU.64 UR4, c[0x0][0x358]",
    "ISETP.GE.AND P0, PT, R0, UR6, PT",
    "@P0 EXIT",
    "LDC.64 R2, c[0x0][0x380]",
    "LDC.64 R6, c[0x0][0x388]",
    "IMAD.WIDE.U32 R10, R0, 0x4, RZ",
    "IADD.64 R2, R10, R2",
    "MOV.64 R12, R6",
    "IADD.64 R6, R10, R12",
    "LDG.E R4, desc[UR4][R2.64]",
    "CS2R R8, SRZ",
    "ISETP.GE.U64.AND P2, PT, R6, R8, PT",
    "SEL.64 R6, R6, R8, P2",
    ".L_x_1:",
    "VIMNMX R9, PT, PT, R4, RZ, !PT",
    "IADD R8, R8, R9",
    "IADD R4, R4, -0x3",
    "ISETP.NE.AND P1, PT, R9, RZ, PT",
    "@!UPT UIADD3 URZ, UPT, UPT, URZ, URZ, URZ",
    "@P1 BRA `(.L_x_1)",
    "UI2FP.F32.U32 UR8, UR6",
    "STG.E desc[UR4][R6.64], R8",
    "EXIT",
  ]),
};
const NAMES = (Object.keys(LISTINGS) as SassTarget[]).filter((name) => LISTINGS[name] !== null);

describe("architectures", () => {
  it.each(NAMES)("%s computes what the code says, nothing left opaque that runs", (target) => {
    const text = LISTINGS[target]!;
    const { module, diagnostics, functions } = importSass(text);
    expect(diagnostics).toEqual([]);
    expect(functions.map((f) => [f.name, f.inexact])).toEqual([["sums", 0]]);
    const opaque = module.funcs[0]!.blocks.flatMap((b) => b?.insts ?? []).filter((i) => i.op === "OPAQUE" && i.guard?.neg !== true);
    expect(opaque).toEqual([]);
    const input = Int32Array.from({ length: 40 }, (_, i) => ((i * 7) % 23) - 4);
    const out = new Int32Array(40).fill(-1);
    const outcome = runSass(text, target, [input, out, 37], 40);
    expect([outcome.status, outcome.message]).toEqual(["ok", outcome.message]);
    const sum = (v: number): number => (v > 0 ? v + sum(v - 3) : 0);
    expect([...out]).toEqual([...input].map((v, i) => (i < 37 ? sum(v) : -1)));
  });
});
