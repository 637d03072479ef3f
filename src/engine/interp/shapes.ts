/** Operand shapes that instruction families share: one, two, three operands of 32 or 64 bit, lane by lane. */

import { isConstantReg, regClass } from "../ir/reg.ts";
import type { Inst, Operand } from "../ir/types.ts";
import { type Builder, compose, hasMod, Unsupported } from "./builder.ts";
import * as int from "./integer.ts";
import { lanesOf } from "./lanes.ts";
import { type Exec, LANES } from "./machine.ts";

/** An operand is 64 bit when the instruction says so or when it is a 64-bit register. */
export function isWide(inst: Inst, operand: Operand | undefined): boolean {
  if (hasMod(inst, "64")) return true;
  return operand?.kind === "reg" && !isConstantReg(operand.reg) && regClass(operand.reg) === "RD";
}

export function constantOperand(operand: Operand | undefined): number {
  if (operand?.kind !== "imm") throw new Unsupported("an integer constant was expected");
  return operand.value;
}

/** Takes over what operands need to be read first. */
export function finish(b: Builder, main: Exec, post: Exec | null = null): Exec {
  const pre = b.pre;
  b.pre = [];
  return compose(pre, main, post);
}

type Loop2 = (d: number, x: number, y: number) => Exec;

export const add32: Loop2 = (d, x, y) => (s, mask) => {
  const r = s.r;
  if (mask === -1) {
    for (let l = 0; l < LANES; l++) r[d + l] = (r[x + l] as number) + (r[y + l] as number);
    return;
  }
  for (const l of lanesOf(mask)) {
    r[d + l] = (r[x + l] as number) + (r[y + l] as number);
  }
};

export function loop2(f: (x: number, y: number) => number): Loop2 {
  return (d, x, y) => (s, mask) => {
    const r = s.r;
    for (const l of lanesOf(mask)) {
      r[d + l] = f(r[x + l] as number, r[y + l] as number);
    }
  };
}

/** One lane of a 64-bit operation on row pairs at word offsets. */
type Words2 = (r: Uint32Array, d: number, x: number, y: number) => void;

export const addWords: Words2 = (r, d, x, y) => {
  const low = (r[x] as number) + (r[y] as number);
  const high = (r[x + LANES] as number) + (r[y + LANES] as number) + (low > 0xffff_ffff ? 1 : 0);
  r[d] = low;
  r[d + LANES] = high;
};

export const subWords: Words2 = (r, d, x, y) => {
  const low = (r[x] as number) - (r[y] as number);
  const high = (r[x + LANES] as number) - (r[y + LANES] as number) - (low < 0 ? 1 : 0);
  r[d] = low;
  r[d + LANES] = high;
};

export const eachWord =
  (f: (x: number, y: number) => number): Words2 =>
  (r, d, x, y) => {
    const low = f(r[x] as number, r[y] as number);
    const high = f(r[x + LANES] as number, r[y + LANES] as number);
    r[d] = low;
    r[d + LANES] = high;
  };

export const bigWords =
  (f: (x: bigint, y: bigint) => bigint): Words2 =>
  (r, d, x, y) => {
    const value = f(int.toLong(r[x] as number, r[x + LANES] as number), int.toLong(r[y] as number, r[y + LANES] as number));
    r[d] = Number(value & 0xffff_ffffn);
    r[d + LANES] = Number((value >> 32n) & 0xffff_ffffn);
  };

export function binary(b: Builder, inst: Inst, narrow: Loop2, wide: Words2): Exec {
  const [d, x, y] = inst.ops;
  if (!isWide(inst, d)) return finish(b, narrow(b.dst32(d), b.src32(x), b.src32(y)));
  const [xs, ys] = [b.src64(x), b.src64(y)];
  const { row, post } = b.dst64(d);
  return finish(
    b,
    (s, mask) => {
      for (const l of lanesOf(mask)) {
        wide(s.r, row + l, xs + l, ys + l);
      }
    },
    post,
  );
}

export function unary(b: Builder, inst: Inst, narrow: (x: number) => number, wide: (x: bigint) => bigint): Exec {
  const [d, x] = inst.ops;
  if (isWide(inst, d)) return wideShape(b, inst, [x], [], ([p]) => wide(p as bigint));
  const dst = b.dst32(d);
  const src = b.src32(x);
  return finish(b, (s, mask) => {
    const r = s.r;
    for (const l of lanesOf(mask)) {
      r[dst + l] = narrow(r[src + l] as number);
    }
  });
}

export function ternary(
  b: Builder,
  inst: Inst,
  narrow: (x: number, y: number, z: number) => number,
  wide: (x: bigint, y: bigint, z: bigint) => bigint,
): Exec {
  const [d, x, y, z] = inst.ops;
  if (isWide(inst, d)) return wideShape(b, inst, [x, y, z], [], ([p, q, t]) => wide(p as bigint, q as bigint, t as bigint));
  return ternary32(b, inst, narrow);
}

export function ternary32(b: Builder, inst: Inst, f: (x: number, y: number, z: number) => number): Exec {
  const [d, x, y, z] = [b.dst32(inst.ops[0]), b.src32(inst.ops[1]), b.src32(inst.ops[2]), b.src32(inst.ops[3])];
  return finish(b, (s, mask) => {
    const r = s.r;
    for (const l of lanesOf(mask)) {
      r[d + l] = f(r[x + l] as number, r[y + l] as number, r[z + l] as number);
    }
  });
}

/** A 64-bit result from 64-bit sources (`longs`) and 32-bit ones (`words`), by big integers. */
export function wideShape(
  b: Builder,
  inst: Inst,
  longs: readonly (Operand | undefined)[],
  words: readonly (Operand | undefined)[],
  f: (longs: readonly bigint[], words: readonly number[]) => bigint,
): Exec {
  const pairs = longs.map((o) => b.src64(o));
  const rows = words.map((o) => b.src32(o));
  const { row: d, post } = b.dst64(inst.ops[0]);
  return finish(
    b,
    (s, mask) => {
      const r = s.r;
      for (const l of lanesOf(mask)) {
        const value = f(
          pairs.map((x) => int.toLong(r[x + l] as number, r[x + LANES + l] as number)),
          rows.map((x) => r[x + l] as number),
        );
        r[d + l] = Number(value & 0xffff_ffffn);
        r[d + LANES + l] = Number((value >> 32n) & 0xffff_ffffn);
      }
    },
    post,
  );
}

export function shift(b: Builder, inst: Inst, narrow: (x: number, n: number) => number, wide: (x: bigint, n: number) => bigint): Exec {
  const [d, x, n] = inst.ops;
  if (isWide(inst, d)) return wideShape(b, inst, [x], [n], ([p], [q]) => wide(p as bigint, q as number));
  return finish(b, loop2(narrow)(b.dst32(d), b.src32(x), b.src32(n)));
}

export function countOnes(b: Builder, inst: Inst, f: (lo: number, hi: number) => number): Exec {
  const d = b.dst32(inst.ops[0]);
  const wide = isWide(inst, inst.ops[1]);
  const x = wide ? b.src64(inst.ops[1]) : b.src32(inst.ops[1]);
  return finish(b, (s, mask) => {
    const r = s.r;
    for (const l of lanesOf(mask)) {
      r[d + l] = f(r[x + l] as number, wide ? (r[x + LANES + l] as number) : 0);
    }
  });
}

/** FSEL is SEL with float modifiers on its operands. */
export function select(b: Builder, inst: Inst, reading: "int" | "f32"): Exec {
  const p = b.srcP(inst.ops[3]);
  if (reading === "int" && isWide(inst, inst.ops[0])) {
    const x = b.src64(inst.ops[1]);
    const y = b.src64(inst.ops[2]);
    const { row: d, post } = b.dst64(inst.ops[0]);
    return finish(
      b,
      (s, mask) => {
        const r = s.r;
        const choose = (s.p[p.p] as number) ^ p.x;
        for (const l of lanesOf(mask)) {
          const from = (choose >>> l) & 1 ? x : y;
          r[d + l] = r[from + l] as number;
          r[d + LANES + l] = r[from + LANES + l] as number;
        }
      },
      post,
    );
  }
  const x = b.src32(inst.ops[1], reading);
  const y = b.src32(inst.ops[2], reading);
  const d = b.dst32(inst.ops[0]);
  return finish(b, (s, mask) => {
    const r = s.r;
    const choose = (s.p[p.p] as number) ^ p.x;
    for (const l of lanesOf(mask)) {
      r[d + l] = r[((choose >>> l) & 1 ? x : y) + l] as number;
    }
  });
}
