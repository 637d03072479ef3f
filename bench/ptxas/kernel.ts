/** Kernels for one question each: what all of them begin with, and how a block is made long enough not to be predicated. */

import type { Seen } from "./seen.ts";

/** What is compared of a kernel: counts by the names of `Seen`, or copies of a marked opcode. */
export type Question = keyof Omit<Seen, "marked" | "tables"> | "tables" | { readonly marked: string };

export interface Kernel {
  readonly family: string;
  /** What was varied, enough to see the rule that is asked. */
  readonly recipe: string;
  readonly ptx: string;
  readonly questions: readonly Question[];
}

/**
 * Names: %rd1 and %rd2 two arrays, %rd3 and %rd4 this thread's places in them, %r1 and %r2 parameters, %r3 tid.x, %r20 a loaded value. Predicates from %p180 on
 * are for what a family adds. `attributes` stand before the body.
 */
export function kernelText(body: string, attributes = ""): string {
  return `.version 7.8
.target sm_75
.address_size 64
.shared .align 16 .u32 sh[1024];
.const .u32 cc[64];
.visible .entry k(.param .u64 p, .param .u64 q, .param .u32 s, .param .u32 t)
${attributes}
{
.reg .u64 %rd<200>; .reg .b32 %r<400>; .reg .pred %p<300>; .reg .f32 %f<100>;
ld.param.u64 %rd1,[p]; cvta.to.global.u64 %rd1,%rd1;
ld.param.u64 %rd2,[q]; cvta.to.global.u64 %rd2,%rd2;
ld.param.u32 %r1,[s]; ld.param.u32 %r2,[t]; mov.u32 %r3,%tid.x;
mul.wide.u32 %rd3,%r3,4; add.u64 %rd4,%rd2,%rd3; add.u64 %rd3,%rd1,%rd3;
${body}
}
`;
}

/** The value that blocks work on. */
export const LOADED = "ld.global.u32 %r20,[%rd4];";

/** `n` instructions on `register` that nothing folds or shares; `salt` tells blocks apart. */
export function ops(n: number, salt: number, register = "%r20"): string {
  return Array.from({ length: n }, (_, i) =>
    i % 2 === 0
      ? `mul.lo.s32 ${register},${register},${(1_012_348 + 1_000_003 * salt + 77 * i) >>> 0};`
      : `xor.b32 ${register},${register},${1_012_348 + 1_000_003 * salt + 77 * i};`,
  ).join("\n");
}

/** A block of `n` instructions and a store, different for every salt. */
export const work = (n: number, salt: number): string => `${ops(n, salt)}\nst.global.u32 [%rd3+${16 * salt}],%r20;`;

/** The answer to a question about what was made of a kernel; tables in the order of their sizes, since their places differ. */
export function answer(of: Pick<Seen, "marked"> & Partial<Seen>, question: Question): string {
  if (question === "tables") return JSON.stringify(of.tables?.toSorted((a, b) => a - b));
  return typeof question === "string" ? JSON.stringify(of[question]) : String(of.marked[question.marked]);
}
/** A question, for people. */
export const named = (question: Question): string => (typeof question === "string" ? question : `${question.marked} left`);
