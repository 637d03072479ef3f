/** Instructions on parts of words, computed by the interpreter and by a second model. The assembler is no judge of them: at -O3 ptxas 13.0 folds none. */

import { spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { hasAssembler } from "../../../../../bench/ptxas/rules-cases.ts";
import { createPrng } from "../../../../base/prng.ts";
import { freshSeed } from "../../../testing/seed.ts";
import { importPtx } from "../import.ts";
import { runPtx } from "../testing/run-ptx.ts";

const REGISTERS = ".reg .pred %p<3>; .reg .b16 %h<6>; .reg .b32 %r<9>; .reg .f32 %f<9>; .reg .b64 %rd<9>;";

const kernel = (code: string, name = "k"): string => `.visible .entry ${name}(.param .u64 out) {
  ${REGISTERS}
  ld.param.u64 %rd1, [out];
  ${code}
  ret; }`;
const HEAD = ".version 8.8\n.target sm_100a\n.address_size 64\n";

/** `%r1` to `%r4` as given, then the instruction, whose result is `%r0`. */
type Case = readonly [instruction: string, sources: readonly number[], result: number];

const CASES: readonly Case[] = [
  ["prmt.b32.f4e %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 1], 0x44332211],
  ["prmt.b32.f4e %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 7], 0x66554433],
  ["prmt.b32.b4e %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 0], 0x55667700],
  ["prmt.b32.b4e %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 2], 0x77001122],
  ["prmt.b32.rc8 %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 2], 0x22222222],
  ["prmt.b32.ecl %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 1], 0x33221111],
  ["prmt.b32.ecl %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 2], 0x33222222],
  ["prmt.b32.ecr %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 1], 0x11111100],
  ["prmt.b32.ecr %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 6], 0x22221100],
  ["prmt.b32.rc16 %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 1], 0x33223322],
  ["prmt.b32.rc16 %r0, %r1, %r2, %r3", [0x33221100, 0x77665544, 2], 0x11001100],
  ["prmt.b32.f4e %r0, %r1, %r2, 3", [0x33221100, 0x77665544], 0x66554433],
  ["prmt.b32 %r0, %r1, %r2, %r3", [0x83221100, 0x77665544, 0xb410], 0xff441100],
  ["dp4a.u32.u32 %r0, %r1, %r2, %r3", [0x01020304, 0x01010101, 5], 15],
  ["dp4a.s32.s32 %r0, %r1, %r2, %r3", [0xff80017f, 0x02ff7f80, 100], 0xffffc1e1],
  ["dp4a.u32.s32 %r0, %r1, %r2, %r3", [0xff80017f, 0x02ff7f80, 100], 0xffffc2e1],
  ["dp4a.s32.u32 %r0, %r1, %r2, %r3", [0xff80017f, 0x02ff7f80, 100], 0xffffc0e1],
  ["dp2a.lo.u32.u32 %r0, %r1, %r2, %r3", [0x00020003, 0x08070605, 1], 28],
  ["dp2a.hi.u32.u32 %r0, %r1, %r2, %r3", [0x00020003, 0x08070605, 1], 38],
  ["dp2a.lo.s32.s32 %r0, %r1, %r2, %r3", [0xfffe8000, 0x0000ff80, 0], 0x400002],
  ["dp2a.hi.s32.u32 %r0, %r1, %r2, %r3", [0xfffe8000, 0xff800000, 7], 0xffbffe09],
  ["szext.wrap.s32 %r0, %r1, %r2", [0x18, 4], 0xfffffff8],
  ["szext.wrap.u32 %r0, %r1, %r2", [0xffffffff, 36], 0xf],
  ["szext.wrap.s32 %r0, %r1, %r2", [0xffffffff, 32], 0],
  ["szext.clamp.s32 %r0, %r1, %r2", [0x80, 8], 0xffffff80],
  ["szext.clamp.u32 %r0, %r1, %r2", [0x87654321, 40], 0x87654321],
  ["szext.clamp.s32 %r0, %r1, %r2", [0x87654321, 0xffffffff], 0x87654321],
  ["szext.clamp.s32 %r0, %r1, %r2", [0xffffffff, 0], 0],
  ["min.s32.relu %r0, %r1, %r2", [1, 7], 1],
  ["min.s32.relu %r0, %r1, %r2", [0xfffffff0, 7], 0],
  ["max.s32.relu %r0, %r1, %r2", [0xfffffff0, 0xfffffff1], 0],
  ["max.relu.s16x2 %r0, %r1, %r2", [0xfff00005, 0xfff18000], 5],
  ["min.relu.s16x2 %r0, %r1, %r2", [0x7fff0005, 0x00030009], 0x00030005],
  ["min.s16x2 %r0, %r1, %r2", [0x8000ffff, 0x7fff0001], 0x8000ffff],
  ["max.u16x2 %r0, %r1, %r2", [0x8000ffff, 0x7fff0001], 0x8000ffff],
  ["add.u16x2 %r0, %r1, %r2", [0xffff8001, 0x00018001], 0x00000002],
  ["add.s16x2 %r0, %r1, %r2", [0x7fffffff, 0x00010001], 0x80000000],
  ["cvt.pack.sat.s16.s32 %r0, %r1, %r2", [70000, 0xfffffff0], 0x7ffffff0],
  ["cvt.pack.sat.u16.s32 %r0, %r1, %r2", [0xffffffff, 70000], 0x0000ffff],
  ["cvt.pack.sat.u8.s32.b32 %r0, %r1, %r2, %r3", [300, 0xfffffff0, 0xaabbccdd], 0xccddff00],
  ["cvt.pack.sat.s8.s32.b32 %r0, %r1, %r2, %r3", [0xffffff00, 1, 0xaabb1122], 0x11228001],
  ["cvt.pack.sat.u4.s32.b32 %r0, %r1, %r2, %r3", [300, 0xfffffff0, 0xaabbccdd], 0xbbccddf0],
  ["cvt.pack.sat.s4.s32.b32 %r0, %r1, %r2, %r3", [300, 0xfffffff0, 0xaabbccdd], 0xbbccdd78],
  ["cvt.pack.sat.s4.s32.b32 %r0, %r1, %r2, %r3", [0xfffffffd, 5, 0xaabbccdd], 0xbbccddd5],
  ["cvt.pack.sat.u2.s32.b32 %r0, %r1, %r2, %r3", [300, 0xfffffff0, 0xaabbccdd], 0xabbccddc],
  ["cvt.pack.sat.s2.s32.b32 %r0, %r1, %r2, %r3", [0xffffffff, 9, 0xaabbccdd], 0xabbccddd],
  // The product is half way between two bf16: what is added decides, however small it is.
  ["fma.rn.bf16x2 %r0, %r1, %r2, %r3", [0x3fc03fc0, 0x3f813f81, 0x2b80ab80], 0x3fc23fc1],
  ["fma.rn.bf16x2 %r0, %r1, %r2, %r3", [0x3f883f88, 0x3f883f88, 0x00000080], 0x3f903f91],
  ["fma.rn.relu.bf16x2 %r0, %r1, %r2, %r3", [0xbf803f80, 0x40004000, 0x3f803f80], 0x00004040],
  ["fma.rn.bf16x2 %r0, %r1, %r2, %r3", [0x7fc07f00, 0x3f807f00, 0x00000000], 0x7fff7f80],
  ["add.rn.bf16x2 %r0, %r1, %r2", [0x3f80c000, 0x4000bf80], 0x4040c040],
  ["sub.rn.bf16x2 %r0, %r1, %r2", [0x3f80c000, 0x4000bf80], 0xbf80bf80],
  ["mul.rn.bf16x2 %r0, %r1, %r2", [0x3f80c000, 0x4000bf80], 0x40004000],
  ["min.f16x2 %r0, %r1, %r2", [0x3c00c000, 0x4000bc00], 0x3c00c000],
  ["max.NaN.f16x2 %r0, %r1, %r2", [0x7e003c00, 0x3c004000], 0x7fff4000],
  ["max.f16x2 %r0, %r1, %r2", [0x7e003c00, 0x3c004000], 0x3c004000],
  ["min.bf16x2 %r0, %r1, %r2", [0x3f80c000, 0x4000bf80], 0x3f80c000],
];

const sourcesOf = (sources: readonly number[]): string => sources.map((value, i) => `mov.u32 %r${i + 1}, ${value};`).join(" ");

describe("by hand", () => {
  it.each(CASES)("%s of %j", (instruction, sources, result) => {
    const text = HEAD + kernel(`${sourcesOf(sources)} ${instruction}; st.global.u32 [%rd1], %r0;`);
    expect(importPtx(text).diagnostics).toEqual([]);
    const out = new Uint32Array(1);
    runPtx(text, [out], 1);
    expect(`0x${(out[0] ?? 0).toString(16)}`).toBe(`0x${result.toString(16)}`);
  });

  it.skipIf(!hasAssembler())("the assembler takes them all (where ptxas is on the PATH)", () => {
    const folder = mkdtempSync(join(tmpdir(), "oriscope-parts-"));
    try {
      const kernels = CASES.map(([instruction, sources], i) => kernel(`${sourcesOf(sources)} ${instruction};`, `k${i}`));
      writeFileSync(join(folder, "k.ptx"), HEAD + kernels.join("\n"));
      const { stderr } = spawnSync("ptxas", ["-arch=sm_100a", join(folder, "k.ptx"), "-o", join(folder, "k.cubin")], { encoding: "utf8" });
      expect(stderr).toBe("");
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

/** The same computed differently: bytes and halves as lists. */
const bytes = (word: number): number[] => [0, 8, 16, 24].map((at) => (word >>> at) & 255);
const shorts = (word: number): number[] => [word & 0xffff, word >>> 16];
const signed = (value: number, bits: number): number => (value >= 2 ** (bits - 1) ? value - 2 ** bits : value);
const word = (parts: readonly number[], bits: number): number =>
  parts.reduce((sum, part, i) => sum + (((part % 2 ** bits) + 2 ** bits) % 2 ** bits) * 2 ** (i * bits), 0);
const dot = (xs: readonly number[], ys: readonly number[], start: number): number =>
  Number(BigInt.asUintN(32, BigInt(xs.reduce((sum, x, i) => sum + x * (ys[i] ?? 0), start))));

const MODELS: readonly (readonly [string, (a: number, b: number, c: number) => number])[] = [
  [
    "dp4a.s32.u32 %r0, %r1, %r2, %r3",
    (a, b, c) =>
      dot(
        bytes(a).map((x) => signed(x, 8)),
        bytes(b),
        c,
      ),
  ],
  [
    "dp4a.u32.s32 %r0, %r1, %r2, %r3",
    (a, b, c) =>
      dot(
        bytes(a),
        bytes(b).map((x) => signed(x, 8)),
        c,
      ),
  ],
  [
    "dp2a.hi.s32.s32 %r0, %r1, %r2, %r3",
    (a, b, c) =>
      dot(
        shorts(a).map((x) => signed(x, 16)),
        bytes(b)
          .slice(2)
          .map((x) => signed(x, 8)),
        c,
      ),
  ],
  ["dp2a.lo.u32.u32 %r0, %r1, %r2, %r3", (a, b, c) => dot(shorts(a), bytes(b), c)],
  ["prmt.b32.f4e %r0, %r1, %r2, %r3", (a, b, c) => word([...bytes(a), ...bytes(b)].slice(c & 3, (c & 3) + 4), 8)],
  [
    "prmt.b32.b4e %r0, %r1, %r2, %r3",
    (a, b, c) =>
      word(
        [0, 7, 6, 5].map((k) => [...bytes(a), ...bytes(b)][(k + (c & 3)) % 8] ?? 0),
        8,
      ),
  ],
  [
    "prmt.b32.rc8 %r0, %r1, %r2, %r3",
    (a, _b, c) =>
      word(
        [0, 1, 2, 3].map(() => bytes(a)[c & 3] ?? 0),
        8,
      ),
  ],
  [
    "prmt.b32.ecl %r0, %r1, %r2, %r3",
    (a, _b, c) =>
      word(
        [0, 1, 2, 3].map((k) => bytes(a)[Math.max(k, c & 3)] ?? 0),
        8,
      ),
  ],
  [
    "prmt.b32.ecr %r0, %r1, %r2, %r3",
    (a, _b, c) =>
      word(
        [0, 1, 2, 3].map((k) => bytes(a)[Math.min(k, c & 3)] ?? 0),
        8,
      ),
  ],
  [
    "prmt.b32.rc16 %r0, %r1, %r2, %r3",
    (a, _b, c) =>
      word(
        [0, 1].map(() => shorts(a)[c & 1] ?? 0),
        16,
      ),
  ],
  ["szext.wrap.s32 %r0, %r1, %r3", (a, _b, c) => ((c & 31) === 0 ? 0 : word([signed(a % 2 ** (c & 31), c & 31)], 32))],
  ["szext.clamp.u32 %r0, %r1, %r3", (a, _b, c) => (c > 31 ? a : a % 2 ** c)],
  [
    "add.s16x2 %r0, %r1, %r2",
    (a, b) =>
      word(
        shorts(a).map((x, i) => x + (shorts(b)[i] ?? 0)),
        16,
      ),
  ],
  [
    "min.s16x2.relu %r0, %r1, %r2",
    (a, b) =>
      word(
        shorts(a).map((x, i) => Math.max(0, Math.min(signed(x, 16), signed(shorts(b)[i] ?? 0, 16)))),
        16,
      ),
  ],
  [
    "max.u16x2 %r0, %r1, %r2",
    (a, b) =>
      word(
        shorts(a).map((x, i) => Math.max(x, shorts(b)[i] ?? 0)),
        16,
      ),
  ],
];

it.each(MODELS)("%s of random words", (instruction, model) => {
  const seed = freshSeed();
  const prng = createPrng(seed);
  const words = Array.from({ length: 3 * 32 }, (_, i) => (i % 3 === 2 ? prng.pick([0, 1, 2, 3, 7, 31, 32, 40, prng.u32()]) : prng.u32()));
  const text = `${HEAD}${kernel(
    `mov.u32 %r5, %tid.x; mad.wide.u32 %rd2, %r5, 12, %rd1; ld.global.u32 %r1, [%rd2]; ld.global.u32 %r2, [%rd2+4]; ld.global.u32 %r3, [%rd2+8];
     ${instruction}; st.global.u32 [%rd2], %r0;`,
  )}`;
  const out = Uint32Array.from(words);
  expect(importPtx(text).diagnostics).toEqual([]);
  runPtx(text, [out], 32);
  for (let i = 0; i < 32; i++) {
    const [a = 0, b = 0, c = 0] = words.slice(3 * i, 3 * i + 3);
    expect(out[3 * i], `seed ${seed}: ${a} ${b} ${c}`).toBe(model(a, b, c));
  }
});

describe("two singles, and 256 bits at once", () => {
  it("add, sub, mul and fma of f32x2", () => {
    const text =
      HEAD +
      kernel(`mov.f32 %f1, 1.5; mov.f32 %f2, -2.0; mov.f32 %f3, 4.0; mov.b64 %rd2, {%f1, %f2}; mov.b64 %rd3, {%f3, %f1};
      add.rn.f32x2 %rd4, %rd2, %rd3; sub.f32x2 %rd5, %rd2, %rd3; mul.f32x2 %rd6, %rd2, %rd3; fma.rn.f32x2 %rd7, %rd2, %rd3, %rd3;
      st.global.v4.b64 [%rd1], {%rd4, %rd5, %rd6, %rd7};`);
    const out = new Float32Array(8);
    expect(importPtx(text).diagnostics).toEqual([]);
    runPtx(text, [out], 1);
    expect([...out]).toEqual([5.5, -0.5, -2.5, -3.5, 6, -3, 10, -1.5]);
  });

  it("loads of 256 bits, also over the register of their own address", () => {
    const text =
      HEAD +
      kernel("ld.global.v4.b64 {%rd1, %rd2, %rd3, %rd4}, [%rd1]; st.shared.v2.b64 [sh], {%rd1, %rd4};").replace(
        "{\n",
        "{\n.shared .b64 sh[2];",
      );
    const { module, diagnostics } = importPtx(text);
    expect(diagnostics).toEqual([]);
    const loads = module.funcs[0]?.blocks[0]?.insts.filter(({ op }) => op === "LDG") ?? [];
    expect(loads.map(({ ops }) => ops[1])).toMatchObject([{ offset: 16 }, { offset: 0 }]);
  });

  it("ex2 and tanh of halves", () => {
    const text =
      HEAD +
      kernel("mov.b32 %r1, 0x40003c00; ex2.approx.f16x2 %r2, %r1; tanh.approx.f16x2 %r3, 0; st.global.u32 [%rd1], %r2;").replace(
        "tanh.approx.f16x2 %r3, 0;",
        "",
      );
    const out = new Uint32Array(1);
    runPtx(text, [out], 1);
    expect(out[0]).toBe(0x44004000);
  });
});
