/** The example kernels, from four compilers, do what their CUDA source does. */

import { describe, expect, it } from "vitest";
import { createPrng } from "../../../base/prng.ts";
import { type Argument, fixture, runPtx } from "./testing/run-ptx.ts";

const COMPILERS = ["sm_75", "sm_90", "clang14.sm_80", "llvm22.sm_80"];

const f = Math.fround;

function ints(n: number, make: (i: number) => number): Int32Array {
  return Int32Array.from({ length: n }, (_, i) => make(i));
}

/** Runs every compiler's version on fresh copies of the arguments and hands them back for checking. */
function each(kernel: string, args: () => readonly Argument[], threads: number, check: (args: readonly Argument[]) => void): void {
  for (const compiler of COMPILERS) {
    it(`${kernel} from ${compiler}`, () => {
      const given = args();
      const outcome = runPtx(fixture(`${kernel}.${compiler}`), given, threads, { gridDim: 1, blockIdx: 0 });
      expect([outcome.status, outcome.message]).toEqual(["ok", outcome.message]);
      check(given);
    });
  }
}

function popcount(x: number): number {
  return [...(x >>> 0).toString(2)].filter((c) => c === "1").length;
}

function reversed(x: number): number {
  return Number.parseInt([...(x >>> 0).toString(2).padStart(32, "0")].reverse().join(""), 2) | 0;
}

const VALUES = [0, 1, -1, 2, 7, -8, 31, 100, -12345, 0x7fffffff, -0x80000000, 0x12345678];

describe("example kernels against their CUDA source", () => {
  const N = 64;
  const rnd = createPrng(11).u32;
  const op = ints(N, (i) => (i < 18 ? i - 1 : rnd() % 16));
  const a = ints(N, () => VALUES[rnd() % VALUES.length]!);
  const b = ints(N, () => VALUES[rnd() % VALUES.length]!);

  each(
    "01_switch_dense",
    () => [op.slice(), a.slice(), b.slice(), new Int32Array(2 * N).fill(77), N],
    N,
    ([, , , out]) => {
      const expected = new Int32Array(2 * N).fill(77);
      for (let i = 0; i < N; i++) {
        const [x, y] = [a[i]!, b[i]!];
        const results = [
          x + y,
          x - y,
          Math.imul(x, y),
          x & y,
          x | y,
          x ^ y,
          x << (y & 31),
          x >> (y & 31),
          Math.min(x, y),
          Math.max(x, y),
          popcount(x) + y,
          Math.clz32(x) - y,
          y !== 0 ? Math.trunc(x / y) : 0,
          y !== 0 ? x % y : x,
          reversed(x),
        ];
        const k = op[i]!;
        if (k === 15) {
          expected[i] = x;
          expected[i + N] = y;
        } else {
          expected[i] = results[k] ?? -1;
        }
      }
      expect(out).toEqual(expected);
    },
  );

  const keys = ints(32, (i) => [-70000, -3, 7, 1000, 4096, 65537, 900001, 1 << 30, 5, 0][i % 10]!);
  const v = Float32Array.from({ length: 32 }, (_, i) => f(0.37 * i + 0.5));
  each(
    "02_switch_sparse",
    () => [keys.slice(), v.slice(), 32],
    32,
    ([, out]) => {
      for (let i = 0; i < 32; i++) {
        const x = v[i]!;
        const by: Record<number, number> = {
          [-70000]: x * 0.5,
          [-3]: Math.sqrt(x),
          7: x + 1,
          1000: Math.sin(x),
          4096: x * x - 2,
          65537: 1 / x,
          900001: Math.abs(x),
          [1 << 30]: Math.max(x, 3),
        };
        const want = by[keys[i]!] ?? -x;
        expect((out as Float32Array)[i]).toBeCloseTo(want, 4);
      }
    },
  );

  const small = (): Int32Array => ints(32, () => (rnd() % 40) - 8);
  const abs32 = (): Int32Array => ints(32, () => rnd() % 32);
  const [na, nb, nc, nd] = [ints(32, () => rnd() % 32), small(), ints(32, () => 3 * (rnd() % 2) + (rnd() % 3)), abs32()];
  each(
    "03_nested_and",
    () => [na.slice(), nb.slice(), nc.slice(), nd.slice(), new Int32Array(32).fill(9), 30],
    32,
    ([, , , , out]) => {
      const expected = ints(32, (i) => {
        if (i >= 30) return 9;
        if (na[i]! > 0 && nb[na[i]!]! < 10 && (nc[i] === 3 || nd[nc[i]!] !== 0)) {
          return nd[i]! > 1 && nd[i]! < 100 && nc[nd[i]!] === na[i] ? 2 : 1;
        }
        return 0;
      });
      expect(out).toEqual(expected);
    },
  );

  const x4 = Float32Array.from({ length: 16 }, (_, i) => f(i * 0.8 - 3));
  each(
    "04_diamond",
    () => [x4.slice(), new Float32Array(32).fill(-77), 16, { f32: 1.5 }],
    16,
    ([, out]) => {
      const expected = new Float32Array(32).fill(-77);
      for (let i = 0; i < 16; i++) {
        const value = x4[i]!;
        let r = value > 1.5 ? value * 2 : value + 1;
        if (r < 8) {
          for (let k = 0; k < 4; k++) r = r * value + x4[(i + k) % 16]!;
        } else {
          r = Math.exp(r) / (1 + value * value);
          expected[i + 16] = r;
        }
        expected[i] = i & 1 ? -r : r;
      }
      const got = out as Float32Array;
      for (let i = 0; i < 32; i++) expect(Math.abs(got[i]! - expected[i]!)).toBeLessThanOrEqual(1e-4 * Math.max(1, Math.abs(expected[i]!)));
    },
  );

  const matrix = ints(24 * 6, (i) => (i % 6 === 0 && i % 5 === 0 ? -1 : i % 7 === 0 ? 0 : (rnd() % 30) - 2));
  each(
    "05_loop_nest",
    () => [matrix.slice(), 24, 6, 20, new Int32Array(16)],
    8,
    ([, , , , res]) => {
      const expected = new Int32Array(16);
      for (let t = 0; t < 8; t++) {
        let sum = 0;
        let row = -1;
        search: for (let r = t; r < 24; r += 8) {
          if (matrix[r * 6]! < 0) continue;
          let part = 0;
          for (let c = 0; c < 6; c++) {
            const value = matrix[r * 6 + c]!;
            if (value === 0) continue;
            if (value > 20) break;
            part += value;
            if (part > 200) {
              row = r;
              break search;
            }
          }
          sum += part;
        }
        expected[2 * t] = sum;
        expected[2 * t + 1] = row;
      }
      expect(res).toEqual(expected);
    },
  );

  const state = Uint32Array.from({ length: 32 }, (_, i) => (i % 8 === 7 ? 0xffffffff : i % 3 === 0 ? 5000 + 2 * i : i * 17));
  const input = Float32Array.from({ length: 32 }, (_, i) => (i % 9 === 4 ? Number.NaN : i % 5 === 2 ? 1e-9 : f(i * 0.3 - 4)));
  each(
    "06_early_exit",
    () => [state.slice(), input.slice(), new Float32Array(32).fill(-7), 31, { f32: 1e-6 }],
    32,
    ([, , out]) => {
      for (let i = 0; i < 32; i++) {
        const s = state[i]!;
        const x = input[i]!;
        let want = -7;
        if (i < 31 && s !== 0xffffffff) {
          if (Number.isNaN(x)) want = 0;
          else if (Math.abs(x) < 1e-6) want = -7;
          else if (s & 1) want = 1 / Math.sqrt(Math.abs(x));
          else if (s >>> 4 <= 100) want = f(x * f(s));
        }
        expect((out as Float32Array)[i]).toBeCloseTo(want, 4);
      }
    },
  );

  each(
    "07_redundant_addr",
    () => {
      const cells = new Float32Array(8 * 32);
      for (let i = 0; i < cells.length; i++) cells[i] = i % 8 === 0 ? 0 : i;
      const kinds = new Int32Array(cells.buffer);
      for (let i = 0; i < 32; i++) kinds[8 * i] = i % 3 === 1 ? 0 : 5;
      return [cells, Int32Array.from([0, 1, 2, 3, 4, 5]), 6, 4];
    },
    8,
    ([out]) => {
      const cells = new Float32Array(8 * 32);
      for (let i = 0; i < cells.length; i++) cells[i] = i % 8 === 0 ? 0 : i;
      const words = new Int32Array(cells.buffer);
      for (let i = 0; i < 32; i++) words[8 * i] = i % 3 === 1 ? 0 : 5;
      for (let i = 0; i < 6; i++) {
        const at = 8 * (i * 4 + 1);
        const next = 8 * (i * 4 + 2);
        if (words[at] === 0) for (const k of [1, 2]) cells[at + k] = f(cells[at + k]! + cells[next + k]!);
        else for (const k of [4, 5]) cells[at + k] = f(cells[at + k]! - cells[next + k]!);
        words[at + 7] = i * 4 + 2;
      }
      expect(new Int32Array((out as Float32Array).buffer)).toEqual(words);
    },
  );

  const kind = ints(32, (i) => (i % 8) - 1);
  const tails = Float32Array.from({ length: 32 }, (_, i) => f(i * 0.75));
  each(
    "08_common_tails",
    () => [kind.slice(), tails.slice(), new Float32Array(64).fill(-1), new Int32Array(1), 30],
    32,
    ([, , out, count]) => {
      const expected = new Float32Array(64).fill(-1);
      let total = 0;
      for (let i = 0; i < 30; i++) {
        const x = tails[i]!;
        const results = [f(x + 1), f(x * 3), f(x - 7), Math.min(x, 9), f(Math.sqrt(x)), x];
        const k = kind[i]!;
        const value = results[k];
        total += k === 4 ? 2 : k === 5 ? 0 : 1;
        if (value === undefined) continue;
        expected[2 * i] = value;
        expected[2 * i + 1] = f(value * value);
      }
      expect(out).toEqual(expected);
      expect(count).toEqual(Int32Array.of(total));
    },
  );

  each(
    "09_reduction",
    () => [Float32Array.from({ length: 300 }, (_, i) => i % 13), new Float32Array(1), 300],
    128,
    ([x, total]) => {
      // Small integers: the order of the additions does not matter.
      expect((total as Float32Array)[0]).toBe((x as Float32Array).reduce((sum, value) => sum + value, 0));
    },
  );

  const seeds = Uint32Array.from({ length: 40 }, (_, i) => (i === 0 ? 0 : i === 39 ? 0xffffffff : i * 7 + 1));
  each(
    "10_divergent_loop",
    () => [seeds.slice(), new Uint32Array(80), 40, 1000],
    64,
    ([, out]) => {
      const steps = Array.from(seeds, (seed) => {
        let value = BigInt(seed);
        let k = 0;
        while (value > 1n && k < 1000) {
          if (value & 1n) {
            value = 3n * value + 1n;
            if (value > 0xffffffffffffn) return 0xffffffff;
          } else {
            value >>= 1n;
          }
          k++;
        }
        return k;
      });
      expect(Array.from((out as Uint32Array).slice(0, 40))).toEqual(steps);
    },
  );

  const sorted = ints(50, (i) => i * 3 - 20);
  const wanted = ints(32, (i) => i * 5 - 30);
  each(
    "11_binary_search",
    () => [sorted.slice(), 50, wanted.slice(), new Int32Array(32), 32],
    32,
    ([, , , out]) => {
      const expected = ints(32, (i) => {
        const at = sorted.indexOf(wanted[i]!);
        return at >= 0 ? at : ~sorted.findIndex((s) => s > wanted[i]!);
      });
      expect(out).toEqual(expected.map((p, i) => (p === 0 && sorted.indexOf(wanted[i]!) < 0 ? ~50 : p)));
    },
  );

  const TEXT = 'ab_1 12.5x (("q\\"u" 7) /note\n z9 3.14 "open\n junk ))) word\n 1.a 42 (a(b)c) "x\ny';
  const bytes = Uint8Array.from([...TEXT].map((c) => c.charCodeAt(0)));
  const starts = ints(16, (i) => i * 3);
  const ends = ints(16, (i) => Math.min(bytes.length, i * 3 + 30 + (i % 4) * 9));
  each(
    "12_state_machine",
    () => [bytes.slice(), starts.slice(), ends.slice(), new Int32Array(16), new Int32Array(16), new Int32Array(16), 16],
    16,
    ([, , , words, numbers, errors]) => {
      const expected = Array.from({ length: 16 }, (_, i) => scan(bytes, starts[i]!, ends[i]!));
      expect([words, numbers, errors].map((r) => Array.from(r as Int32Array))).toEqual([0, 1, 2].map((k) => expected.map((e) => e[k])));
    },
  );
});

/** The scanner of 12_state_machine.cu, written again. */
function scan(text: Uint8Array, start: number, end: number): readonly [words: number, numbers: number, errors: number] {
  let [st, w, d, err, depth] = [0, 0, 0, 0, 0];
  for (let p = start; p < end; p++) {
    const c = String.fromCharCode(text[p]!);
    const alpha = /[A-Za-z_]/.test(c);
    const digit = /[0-9]/.test(c);
    if (st === 0) {
      if (alpha) [st, w] = [1, w + 1];
      else if (digit) [st, d] = [2, d + 1];
      else if (c === '"') st = 4;
      else if (c === "(") {
        if (++depth > 64) st = 6;
      } else if (c === ")") {
        if (--depth < 0) st = 6;
      } else if (c === "/") st = 5;
    } else if (st === 1) {
      if (!alpha && !digit) [st, p] = [0, p - 1];
    } else if (st === 2) {
      if (c === ".") st = 3;
      else if (alpha) st = 6;
      else if (!digit) [st, p] = [0, p - 1];
    } else if (st === 3) {
      if (!digit) [st, p] = [alpha ? 6 : 0, p - 1];
    } else if (st === 4) {
      if (c === '"') st = 0;
      else if (c === "\\") p++;
      else if (c === "\n") st = 6;
    } else if (st === 5) {
      if (c === "\n") st = 0;
    } else {
      err++;
      while (p < end && text[p] !== 10) p++;
      [st, depth] = [0, 0];
    }
  }
  return [w, d, err + (st === 4 ? 1 : 0) + (depth !== 0 ? 1 : 0)];
}
