/** Single instructions, imported and run on boundary and random values, against the PTX manual's definition, computed here with big integers. */

import { describe, expect, it } from "vitest";
import { createPrng } from "../../../../base/prng.ts";
import { importPtx } from "../import.ts";
import { runPtx } from "../testing/run-ptx.ts";

const SEED = 20_240_611;

type Fn = (a: bigint, b: bigint, c: bigint) => bigint;
interface Case {
  readonly op: string;
  /** Widths of result and sources in bits. */
  readonly d: number;
  readonly s: readonly number[];
  readonly fn: Fn;
}

const u = (bits: number, x: bigint): bigint => BigInt.asUintN(bits, x);
const s = (bits: number, x: bigint): bigint => BigInt.asIntN(bits, x);

const EDGES = [0n, 1n, 2n, 0x7fn, 0x80n, 0xffn, 0x7fffn, 0x8000n, 0xffffn, 0x7fffffffn, 0x80000000n, 0xffffffffn, 0x100000000n];
const TOP = [0x7fffffffffffffffn, 0x8000000000000000n, 0xffffffffffffffffn, 0x0123456789abcdefn, 0xfedcba9876543210n];

function div(bits: number, signed: boolean): Fn {
  return (a, b) => {
    const [x, y] = signed ? [s(bits, a), s(bits, b)] : [a, b];
    return y === 0n ? u(bits, -1n) : u(bits, x / y);
  };
}

function rem(bits: number, signed: boolean): Fn {
  return (a, b) => {
    const [x, y] = signed ? [s(bits, a), s(bits, b)] : [a, b];
    return y === 0n ? a : u(bits, x % y);
  };
}

function shift(bits: number, kind: "l" | "u" | "s"): Fn {
  return (a, n) => {
    const by = n >= BigInt(bits) ? BigInt(bits) : n;
    if (kind === "l") return u(bits, a << by);
    return kind === "u" ? a >> by : u(bits, s(bits, a) >> by);
  };
}

function bfe(bits: number, signed: boolean): Fn {
  return (a, b, c) => {
    const pos = b & 0xffn;
    const len = c & 0xffn;
    const msb = BigInt(bits - 1);
    const sign = !signed || len === 0n ? 0n : (a >> (pos + len - 1n < msb ? pos + len - 1n : msb)) & 1n;
    let d = 0n;
    for (let i = 0n; i <= msb; i++) d |= (i < len && pos + i <= msb ? (a >> (pos + i)) & 1n : sign) << i;
    return d;
  };
}

function leading(a: bigint): bigint {
  return a === 0n ? -1n : BigInt(a.toString(2).length - 1);
}

const bitsOf = (a: bigint): bigint[] => [...a.toString(2)].map(BigInt);

function cases(): Case[] {
  const list: Case[] = [];
  const add = (op: string, d: number, sources: readonly number[], fn: Fn): void => {
    list.push({ op, d, s: sources, fn });
  };
  for (const bits of [16, 32, 64]) {
    const two = [bits, bits];
    for (const sign of ["u", "s"]) {
      const signed = sign === "s";
      const t = `${sign}${bits}`;
      const v = (x: bigint): bigint => (signed ? s(bits, x) : x);
      add(`add.${t}`, bits, two, (a, b) => u(bits, a + b));
      add(`sub.${t}`, bits, two, (a, b) => u(bits, a - b));
      add(`mul.lo.${t}`, bits, two, (a, b) => u(bits, a * b));
      add(`mul.hi.${t}`, bits, two, (a, b) => u(bits, (v(a) * v(b)) >> BigInt(bits)));
      add(`mad.lo.${t}`, bits, [bits, bits, bits], (a, b, c) => u(bits, a * b + c));
      add(`mad.hi.${t}`, bits, [bits, bits, bits], (a, b, c) => u(bits, ((v(a) * v(b)) >> BigInt(bits)) + c));
      if (bits < 64) {
        add(`mul.wide.${t}`, bits * 2, two, (a, b) => u(bits * 2, v(a) * v(b)));
        add(`mad.wide.${t}`, bits * 2, [bits, bits, bits * 2], (a, b, c) => u(bits * 2, v(a) * v(b) + c));
      }
      add(`div.${t}`, bits, two, div(bits, signed));
      add(`rem.${t}`, bits, two, rem(bits, signed));
      add(`min.${t}`, bits, two, (a, b) => (v(a) < v(b) ? a : b));
      add(`max.${t}`, bits, two, (a, b) => (v(a) > v(b) ? a : b));
      add(`shr.${t}`, bits, [bits, 32], shift(bits, signed ? "s" : "u"));
      if (bits > 16) {
        add(`bfe.${t}`, bits, [bits, 32, 32], bfe(bits, signed));
        add(`sad.${t}`, bits, [bits, bits, bits], (a, b, c) => u(bits, (v(a) < v(b) ? v(b) - v(a) : v(a) - v(b)) + c));
        add(`bfind.${t}`, 32, [bits], (a) => u(32, leading(v(a) < 0n ? u(bits, ~a) : a)));
        add(`bfind.shiftamt.${t}`, 32, [bits], (a) => {
          const at = leading(v(a) < 0n ? u(bits, ~a) : a);
          return at < 0n ? 0xffffffffn : BigInt(bits - 1) - at;
        });
      }
      for (const [relation, holds] of [
        ["lt", (x: bigint, y: bigint) => x < y],
        ["ge", (x: bigint, y: bigint) => x >= y],
        ["eq", (x: bigint, y: bigint) => x === y],
        ["ne", (x: bigint, y: bigint) => x !== y],
      ] as const) {
        add(`setp.${relation}.${t}`, 1, two, (a, b) => (holds(v(a), v(b)) ? 1n : 0n));
      }
    }
    const b = `b${bits}`;
    add(`and.${b}`, bits, two, (x, y) => x & y);
    add(`or.${b}`, bits, two, (x, y) => x | y);
    add(`xor.${b}`, bits, two, (x, y) => x ^ y);
    add(`not.${b}`, bits, [bits], (x) => u(bits, ~x));
    add(`cnot.${b}`, bits, [bits], (x) => (x === 0n ? 1n : 0n));
    add(`shl.${b}`, bits, [bits, 32], shift(bits, "l"));
    add(`neg.s${bits}`, bits, [bits], (x) => u(bits, -x));
    add(`abs.s${bits}`, bits, [bits], (x) => u(bits, s(bits, x) < 0n ? -x : x));
    if (bits > 16) {
      add(`popc.${b}`, 32, [bits], (x) => bitsOf(x).reduce((n, bit) => n + bit, 0n));
      add(`clz.${b}`, 32, [bits], (x) => BigInt(bits - 1) - leading(x));
      add(`brev.${b}`, bits, [bits], (x) => BigInt(`0b${[...x.toString(2).padStart(bits, "0")].reverse().join("")}`));
    }
  }
  add("add.sat.s32", 32, [32, 32], (a, b) => u(32, clamp(s(32, a) + s(32, b), 32)));
  add("sub.sat.s32", 32, [32, 32], (a, b) => u(32, clamp(s(32, a) - s(32, b), 32)));
  add("mul24.lo.u32", 32, [32, 32], (a, b) => u(32, u(24, a) * u(24, b)));
  add("mul24.lo.s32", 32, [32, 32], (a, b) => u(32, s(24, a) * s(24, b)));
  add("mul24.hi.u32", 32, [32, 32], (a, b) => u(32, (u(24, a) * u(24, b)) >> 16n));
  add("mul24.hi.s32", 32, [32, 32], (a, b) => u(32, (s(24, a) * s(24, b)) >> 16n));
  add("mad24.lo.s32", 32, [32, 32, 32], (a, b, c) => u(32, s(24, a) * s(24, b) + c));
  add("shf.l.wrap.b32", 32, [32, 32, 32], (a, b, c) => u(32, ((b << 32n) | a) >> (32n - (c & 31n))));
  add("shf.r.wrap.b32", 32, [32, 32, 32], (a, b, c) => u(32, ((b << 32n) | a) >> (c & 31n)));
  add("shf.l.clamp.b32", 32, [32, 32, 32], (a, b, c) => u(32, ((b << 32n) | a) >> (32n - (c < 32n ? c : 32n))));
  add("shf.r.clamp.b32", 32, [32, 32, 32], (a, b, c) => u(32, ((b << 32n) | a) >> (c < 32n ? c : 32n)));
  for (const mode of ["clamp", "wrap"]) {
    // Step by step as the manual has it.
    add(`bmsk.${mode}.b32`, 32, [32, 32], (a, b) => {
      const [from, count] = [a & 31n, b & 31n];
      const beyond = mode === "clamp" && a >= 32n;
      const low = beyond ? 0n : u(32, -1n << from);
      const overflow = from + count >= 32n || beyond || (mode === "clamp" && b >= 32n);
      const above = overflow ? 0n : count === 0n ? u(32, -1n) : u(32, -1n << (from + count));
      return low & u(32, ~above);
    });
  }
  add("slct.u64.s32", 64, [64, 64, 32], (a, b, c) => (s(32, c) >= 0n ? a : b));
  add("set.lt.u32.s64", 32, [64, 64], (a, b) => (s(64, a) < s(64, b) ? 0xffffffffn : 0n));
  for (const to of ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]) {
    for (const from of ["u8", "s8", "u16", "s16", "u32", "s32", "u64", "s64"]) {
      const [tb, fb] = [Number(to.slice(1)), Number(from.slice(1))];
      const value = (a: bigint): bigint => (from[0] === "s" ? s(fb, a) : u(fb, a));
      // Narrow values live in 16-bit registers; the result is extended to the register.
      const [tr, fr] = [Math.max(16, tb), Math.max(16, fb)];
      const extended = (x: bigint): bigint => u(tr, to[0] === "s" ? s(tb, x) : u(tb, x));
      add(`cvt.${to}.${from}`, tr, [fr], (a) => extended(value(a)));
      if (tb < 32) add(`cvt.${to}.${from}`, 32, [fr], (a) => u(32, to[0] === "s" ? s(tb, value(a)) : u(tb, value(a))));
      const [low, high] = to[0] === "s" ? [-(1n << BigInt(tb - 1)), (1n << BigInt(tb - 1)) - 1n] : [0n, (1n << BigInt(tb)) - 1n];
      const saturated = (x: bigint): bigint => (x < low ? low : x > high ? high : x);
      add(`cvt.sat.${to}.${from}`, tr, [fr], (a) => extended(saturated(value(a))));
    }
  }
  return list;
}

function clamp(x: bigint, bits: number): bigint {
  const top = (1n << BigInt(bits - 1)) - 1n;
  return x > top ? top : x < -top - 1n ? -top - 1n : x;
}

const REG: Readonly<Record<number, string>> = { 1: "%p", 16: "%rs", 32: "%r", 64: "%rd" };

const THREADS = 32;

/** One kernel: thread i reads three 64-bit words and stores the result, zero-extended from the register's declared width. */
function kernel(c: Case): string {
  const d = `${REG[c.d]}0`;
  const sources = c.s.map((bits, i) => `${REG[bits]}${i + 1}`);
  const loads = c.s.map((bits, i) => `ld.global.u${bits} ${REG[bits]}${i + 1}, [%rd12+${8 * i}];`);
  const store =
    c.d === 1
      ? "selp.u32 %r9, 1, 0, %p0; cvt.u64.u32 %rd9, %r9;"
      : c.d === 64
        ? "mov.b64 %rd9, %rd0;"
        : c.d === 32
          ? "mov.b64 %rd9, {%r0, 0};"
          : "mov.b32 %r9, {%rs0, 0}; cvt.u64.u32 %rd9, %r9;";
  return `.visible .entry k(.param .u64 in, .param .u64 out) {
    .reg .pred %p<3>; .reg .b16 %rs<9>; .reg .b32 %r<12>; .reg .b64 %rd<20>;
    ld.param.u64 %rd10, [in]; ld.param.u64 %rd11, [out]; mov.u32 %r10, %tid.x;
    mad.wide.u32 %rd12, %r10, 24, %rd10; mad.wide.u32 %rd13, %r10, 8, %rd11;
    ${loads.join(" ")}
    ${c.op} ${[d, ...sources].join(", ")};
    ${store}
    st.global.u64 [%rd13], %rd9;
    ret; }`;
}

describe(`single integer instructions (seed ${SEED})`, () => {
  const rnd = createPrng(SEED).u32;
  const word = (): bigint => {
    const kind = rnd() % 4;
    if (kind === 0) return EDGES[rnd() % EDGES.length]!;
    if (kind === 1) return TOP[rnd() % TOP.length]!;
    if (kind === 2) return BigInt(rnd() % 70);
    return (BigInt(rnd()) << 32n) | BigInt(rnd());
  };
  it.each(cases().map((c) => [`${c.op} to ${c.d} bits`, c] as const))("%s", (_, c) => {
    const input = BigUint64Array.from({ length: THREADS * 3 }, word);
    const out = new BigUint64Array(THREADS);
    const imported = importPtx(kernel(c));
    expect(imported.diagnostics).toEqual([]);
    expect(imported.functions[0]!.opaque).toBe(0);
    const outcome = runPtx(imported, [input, out], THREADS);
    expect(outcome.message, c.op).toBe(outcome.status === "ok" ? outcome.message : "");
    for (let i = 0; i < THREADS; i++) {
      const [a = 0n, b = 0n, e = 0n] = c.s.map((bits, k) => u(bits, input[3 * i + k]!));
      const want = c.fn(a, b, e);
      expect(out[i], `${c.op} of ${a}, ${b}, ${e}`).toBe(want);
    }
  });
});

/** A kernel that stores 64-bit results of one thread's straight-line code. */
function straight(code: string, results: readonly string[], input: readonly bigint[] = []): bigint[] {
  const text = `.visible .entry k(.param .u64 in, .param .u64 out) {
    .reg .pred %p<9>; .reg .b16 %rs<20>, %h<9>; .reg .b32 %r<40>; .reg .b64 %rd<40>; .reg .f32 %f<20>; .reg .f64 %fd<20>;
    ld.param.u64 %rd30, [in]; ld.param.u64 %rd31, [out];
    ${code}
    ${results.map((r, i) => `st.global.u64 [%rd31+${8 * i}], ${r};`).join("\n")}
    ret; }`;
  const imported = importPtx(text);
  expect(imported.diagnostics).toEqual([]);
  const out = new BigUint64Array(results.length);
  const outcome = runPtx(imported, [BigUint64Array.from(input.length === 0 ? [0n] : input), out], 1);
  expect([outcome.status, outcome.message]).toEqual(["ok", outcome.message]);
  return Array.from(out);
}

describe("instructions that become several", () => {
  it("adds and subtracts 128 bits through the carry flag", () => {
    const rnd = createPrng(SEED).u32;
    for (let round = 0; round < 20; round++) {
      const words = Array.from({ length: 4 }, () =>
        round < 4 ? [0n, 1n, 0xffffffffn, 0x80000000n][(rnd() >> round) & 3]! : BigInt(rnd()),
      );
      const [a, b] = [(words[1]! << 32n) | words[0]!, (words[3]! << 32n) | words[2]!];
      const load =
        "ld.global.u32 %r0, [%rd30]; ld.global.u32 %r1, [%rd30+8]; ld.global.u32 %r2, [%rd30+16]; ld.global.u32 %r3, [%rd30+24];";
      const [sum, difference, carry, borrow] = straight(
        `${load}
         add.cc.u32 %r4, %r0, %r2; addc.cc.u32 %r5, %r1, %r3; addc.u32 %r6, 0, 0;
         mov.b64 %rd1, {%r4, %r5}; cvt.u64.u32 %rd3, %r6;
         sub.cc.u32 %r0, %r0, %r2; subc.cc.u32 %r1, %r1, %r3; subc.u32 %r7, 0, 0;
         mov.b64 %rd2, {%r0, %r1}; cvt.u64.u32 %rd4, %r7;`,
        ["%rd1", "%rd2", "%rd3", "%rd4"],
        words,
      );
      expect([sum, carry]).toEqual([u(64, a + b), (a + b) >> 64n]);
      expect([difference, borrow]).toEqual([u(64, a - b), a < b ? 0xffffffffn : 0n]);
    }
  });

  it("multiplies and accumulates with carry", () => {
    const [a, b, c] = [0xfedcba98n, 0x89abcdefn, 0xffffffff80000000n];
    const [low] = straight(
      `ld.global.u32 %r1, [%rd30]; ld.global.u32 %r2, [%rd30+8]; ld.global.v2.u32 {%r3, %r4}, [%rd30+16];
       mad.lo.cc.u32 %r5, %r1, %r2, %r3; madc.hi.u32 %r6, %r1, %r2, %r4; mov.b64 %rd1, {%r5, %r6};`,
      ["%rd1"],
      [a, b, c],
    );
    expect(low).toBe(u(64, a * b + c));
  });

  it("keeps the guard while the instruction that it guards writes it", () => {
    const [p, q] = straight(
      `mov.u32 %r1, 5; setp.eq.u32 %p1, %r1, 5; setp.eq.u32 %p2, %r1, 6; setp.eq.u32 %p3, %r1, 5;
       @%p1 setp.lt.and.s32 %p1|%p2, %r1, 3, %p3;
       selp.u64 %rd1, 1, 0, %p1; selp.u64 %rd2, 1, 0, %p2;`,
      ["%rd1", "%rd2"],
    );
    expect([p, q]).toEqual([0n, 1n]);
  });

  it("combines both results of setp with the old value of the first", () => {
    const got = straight(
      `mov.u32 %r1, 5; setp.eq.u32 %p1, %r1, 5; setp.lt.xor.s32 %p1|%p2, %r1, 9, %p1; selp.u64 %rd1, 1, 0, %p1; selp.u64 %rd2, 1, 0, %p2;`,
      ["%rd1", "%rd2"],
    );
    // 5 < 9 xor true, not (5 < 9) xor true.
    expect(got).toEqual([0n, 1n]);
  });

  it("compares floats with NaN both ways", () => {
    const relations = ["eq", "ne", "lt", "le", "gt", "ge", "equ", "neu", "ltu", "leu", "gtu", "geu", "num", "nan"];
    const nan = straight(
      `mov.f32 %f1, 0f7FC00000; mov.f32 %f2, 1.5; ${relations.map((r, i) => `setp.${r}.f32 %p1|%p2, %f1, %f2; selp.u64 %rd${i}, 1, 0, %p1; @%p2 add.u64 %rd${i}, %rd${i}, 2;`).join("\n")}`,
      relations.map((_, i) => `%rd${i}`),
    );
    expect(nan).toEqual([2n, 2n, 2n, 2n, 2n, 2n, 1n, 1n, 1n, 1n, 1n, 1n, 2n, 1n]);
  });

  it("packs and unpacks", () => {
    const got = straight(
      `mov.u16 %rs1, 0x1234; mov.u16 %rs2, 0xabcd; mov.b32 %r1, {%rs1, %rs2}; cvt.u64.u32 %rd1, %r1;
       mov.b64 %rd2, {%rs2, %rs1, %rs1, %rs2}; mov.b64 {%rs3, %rs4, _, %rs5}, %rd2; cvt.u64.u16 %rd3, %rs5;
       mov.b32 %r2, {0, %rs1}; cvt.u64.u32 %rd4, %r2; mov.b64 {_, %r3}, 0x1122334455667788; cvt.u64.u32 %rd5, %r3;
       mov.b64 %rd6, {%r1, 7};`,
      ["%rd1", "%rd2", "%rd3", "%rd4", "%rd5", "%rd6"],
    );
    expect(got).toEqual([0xabcd1234n, 0xabcd12341234abcdn, 0xabcdn, 0x12340000n, 0x11223344n, 0x7abcd1234n]);
  });

  it("loads and stores vectors of every element width", () => {
    const got = straight(
      `ld.global.v4.u8 {%rs1, %rs2, %rs3, %rs4}, [%rd30]; cvt.u64.u16 %rd1, %rs3;
       ld.global.v2.s16 {%r1, %r2}, [%rd30]; cvt.s64.s32 %rd2, %r2;
       ld.global.v4.u16 {%rs5, %rs6, %rs7, %rs8}, [%rd30]; cvt.u64.u16 %rd3, %rs8;
       ld.global.s8 %rs9, [%rd30+7]; cvt.s64.s16 %rd4, %rs9; ld.global.s8 %r3, [%rd30+7]; cvt.s64.s32 %rd5, %r3; ld.global.s8 %rd6, [%rd30+7];
       st.global.v4.u8 [%rd31+56], {%rs4, %rs3, %rs2, %rs1}; st.global.v2.u16 [%rd31+60], {%rs8, %rs5}; ld.global.u64 %rd7, [%rd31+56];
       ld.global.v2.u64 {%rd8, %rd9}, [%rd30]; st.global.v2.u64 [%rd31+64], {%rd9, 5}; ld.global.u64 %rd10, [%rd31+64]; ld.global.u64 %rd11, [%rd31+72];`,
      ["%rd1", "%rd2", "%rd3", "%rd4", "%rd5", "%rd6", "%rd7", "%rd8", "%rd10", "%rd11"],
      [0x8877665544332211n, 42n],
    );
    const neg = u(64, -0x78n);
    expect(got).toEqual([0x33n, 0x4433n, 0x8877n, neg, neg, neg, 0x2211_8877_1122_3344n, 0x8877665544332211n, 42n, 5n]);
  });

  it("calls functions with scalars and aggregates", () => {
    const text = `
      .visible .func (.param .b64 r) sum(.param .b32 a, .param .align 8 .b8 s[16], .param .b64 b) {
        .reg .b32 %r<9>; .reg .b64 %rd<9>;
        ld.param.s32 %r1, [a]; ld.param.u64 %rd1, [s+8]; ld.param.u8 %r2, [s+5]; ld.param.u32 %r3, [s]; ld.param.u64 %rd5, [b];
        cvt.s64.s32 %rd2, %r1; cvt.u64.u32 %rd3, %r2; cvt.u64.u32 %rd4, %r3;
        mad.lo.s64 %rd1, %rd1, 1000, %rd2; mad.lo.s64 %rd3, %rd3, 1000000, %rd4; add.s64 %rd1, %rd1, %rd3; sub.s64 %rd1, %rd1, %rd5;
        st.param.b64 [r], %rd1; ret; }
      .visible .entry k(.param .u64 out) {
        .reg .b32 %r<9>; .reg .b64 %rd<9>;
        ld.param.u64 %rd1, [out]; mov.u32 %r1, -7; mov.u64 %rd2, 40; mov.u64 %rd4, 3;
        { .param .b32 param0; st.param.b32 [param0+0], %r1; .param .align 8 .b8 param1[16]; st.param.v2.b32 [param1+0], {50, 0};
          st.param.b8 [param1+5], 9; st.param.b64 [param1+8], %rd2; .param .b64 param2; st.param.b64 [param2], %rd4; .param .b64 retval0;
          call.uni (retval0), sum, (param0, param1, param2); ld.param.b64 %rd3, [retval0+0]; }
        st.global.u64 [%rd1], %rd3; ret; }`;
    const imported = importPtx(text);
    expect(imported.diagnostics).toEqual([]);
    const out = new BigUint64Array(1);
    expect(runPtx(imported, [out], 1).status).toBe("ok");
    expect(out[0]).toBe(40n * 1000n - 7n + 9n * 1000000n + 50n - 3n);
  });

  it("reads local, shared, constant and global variables", () => {
    const text = `
      .const .align 4 .u32 tab[3] = {11, 22, 33}; .global .align 4 .u32 g[2] = {5, 6};
      .visible .entry k(.param .u64 out) {
        .local .align 8 .b8 depot[16]; .shared .align 4 .b8 s[8]; .reg .b32 %r<9>; .reg .b64 %rd<9>;
        ld.param.u64 %rd1, [out]; mov.u64 %rd2, depot; cvta.local.u64 %rd3, %rd2;
        st.local.u32 [%rd2+4], 700; ld.u32 %r1, [%rd3+4]; st.shared.u32 [s+4], 40; ld.shared.u32 %r2, [s+4];
        mov.u64 %rd4, tab; ld.const.u32 %r3, [%rd4+8]; ld.const.u32 %r4, [tab]; ld.global.u32 %r5, [g+4]; mov.u64 %rd5, g; ld.global.u32 %r6, [%rd5];
        add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; mad.lo.u32 %r1, %r4, 1000, %r1; mad.lo.u32 %r1, %r5, 100000, %r1; mad.lo.u32 %r1, %r6, 1000000, %r1;
        st.global.u32 [%rd1], %r1; ret; }`;
    const imported = importPtx(text);
    expect(imported.diagnostics).toEqual([]);
    const out = new Uint32Array(2);
    const outcome = runPtx(imported, [out], 1);
    expect(outcome.message).toBe(outcome.status === "ok" ? outcome.message : "");
    expect(out[0]).toBe(700 + 40 + 33 + 11_000 + 600_000 + 5_000_000);
  });

  it("computes with halves", () => {
    const bits = straight(
      `mov.b16 %h1, 0x3E00; mov.b16 %h2, 0xC000; add.f16 %h3, %h1, %h2; sub.f16 %h4, %h1, %h2; mul.f16 %h5, %h1, %h2; fma.rn.f16 %h6, %h1, %h2, %h1;
       cvt.f32.f16 %f1, %h4; cvt.rzi.s32.f32 %r1, %f1; cvt.s64.s32 %rd1, %r1; neg.f16 %h7, %h1; setp.gt.f16 %p1, %h1, %h2; selp.u64 %rd2, 1, 0, %p1;
       cvt.u64.u16 %rd3, %h3; cvt.u64.u16 %rd4, %h5; cvt.u64.u16 %rd5, %h6; cvt.u64.u16 %rd6, %h7;`,
      ["%rd1", "%rd2", "%rd3", "%rd4", "%rd5", "%rd6"],
    );
    // 1.5 and -2: -0.5, 3.5, -3, -1.5, and -1.5.
    expect(bits).toEqual([3n, 1n, 0xb800n, 0xc200n, 0xbe00n, 0xbe00n]);
  });
});
