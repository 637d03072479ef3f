/** Two ways to compute one value, or two loads of one place: how many copies are left. */

import type { Prng } from "../../src/base/prng.ts";
import { type Kernel, kernelText, ops } from "./kernel.ts";

const INPUTS = "ld.global.u32 %r10,[%rd4]; ld.global.u32 %r11,[%rd4+4]; ld.global.u32 %r12,[%rd4+8]; ld.global.u32 %r13,[%rd4+12];";

/** Expressions over A, B, C: each of the two makes %rX. */
const PAIRS: Readonly<Record<string, readonly [string, string]>> = {
  "the same xor": ["xor.b32 X,A,0x55;", "xor.b32 X,A,0x55;"],
  "the same and": ["and.b32 X,A,B;", "and.b32 X,A,B;"],
  "through moves": ["xor.b32 X,A,B;", "mov.u32 %r90,A; mov.u32 %r91,%r90; xor.b32 X,%r91,B;"],
  "commuted add": ["add.s32 X,A,B;", "add.s32 X,B,A;"],
  "commuted mul.lo": ["mul.lo.s32 X,A,B;", "mul.lo.s32 X,B,A;"],
  "commuted mul.hi": ["mul.hi.s32 X,A,B;", "mul.hi.s32 X,B,A;"],
  "commuted mul.hi.u32": ["mul.hi.u32 X,A,B;", "mul.hi.u32 X,B,A;"],
  "commuted min": ["min.s32 X,A,B;", "min.s32 X,B,A;"],
  "commuted max": ["max.u32 X,A,B;", "max.u32 X,B,A;"],
  "commuted and": ["and.b32 X,A,B;", "and.b32 X,B,A;"],
  "commuted or": ["or.b32 X,A,B;", "or.b32 X,B,A;"],
  "commuted xor": ["xor.b32 X,A,B;", "xor.b32 X,B,A;"],
  "commuted sub": ["sub.s32 X,A,B;", "sub.s32 X,B,A;"],
  "commuted mad": ["mad.lo.s32 X,A,B,C;", "mad.lo.s32 X,B,A,C;"],
  "commuted compare": ["setp.eq.s32 %p1,A,B; selp.u32 X,C,5,%p1;", "setp.eq.s32 %p2,B,A; selp.u32 X,C,5,%p2;"],
  "swapped compare": ["setp.lt.s32 %p1,A,B; selp.u32 X,C,5,%p1;", "setp.gt.s32 %p2,B,A; selp.u32 X,C,5,%p2;"],
  "inverse compare": ["setp.lt.s32 %p1,A,B; selp.u32 X,C,5,%p1;", "setp.ge.s32 %p2,A,B; selp.u32 X,5,C,%p2;"],
  "equal compare": ["setp.lt.s32 %p1,A,B; selp.u32 X,C,5,%p1;", "setp.lt.s32 %p2,A,B; selp.u32 X,C,5,%p2;"],
  "constants of an add regrouped": ["add.s32 %r90,A,5; add.s32 X,%r90,7;", "add.s32 X,A,12;"],
  "constants of an add, other way": ["add.s32 %r90,A,5; add.s32 X,%r90,7;", "add.s32 %r91,A,7; add.s32 X,%r91,5;"],
  "constants of a sub": ["sub.s32 %r90,A,5; sub.s32 X,%r90,7;", "sub.s32 X,A,12;"],
  "constants of a mul": ["mul.lo.s32 %r90,A,5; mul.lo.s32 X,%r90,7;", "mul.lo.s32 X,A,35;"],
  "constants of an and": ["and.b32 %r90,A,0xff; and.b32 X,%r90,0xf0f;", "and.b32 X,A,0xf;"],
  "constants of a xor": ["xor.b32 %r90,A,0xff; xor.b32 X,%r90,0xf0f;", "xor.b32 X,A,0xff0;"],
  "constants of an or": ["or.b32 %r90,A,0xff; or.b32 X,%r90,0xf0f;", "or.b32 X,A,0xfff;"],
  "constants of a shift": ["shl.b32 %r90,A,3; shl.b32 X,%r90,4;", "shl.b32 X,A,7;"],
  "(a+5)+b+7 and (a+b)+12": ["add.s32 %r90,A,5; add.s32 %r91,%r90,B; add.s32 X,%r91,7;", "add.s32 %r92,A,B; add.s32 X,%r92,12;"],
  "(a+5)+b and (a+b)+5": ["add.s32 %r90,A,5; add.s32 X,%r90,B;", "add.s32 %r92,A,B; add.s32 X,%r92,5;"],
  "a+(b+5) and (a+b)+5": ["add.s32 %r90,B,5; add.s32 X,A,%r90;", "add.s32 %r92,A,B; add.s32 X,%r92,5;"],
  "(a+5)+(b+7) and (a+b)+12": ["add.s32 %r90,A,5; add.s32 %r91,B,7; add.s32 X,%r90,%r91;", "add.s32 %r92,A,B; add.s32 X,%r92,12;"],
  "(a-5)+b and (a+b)-5": ["sub.s32 %r90,A,5; add.s32 X,%r90,B;", "add.s32 %r92,A,B; sub.s32 X,%r92,5;"],
  "(a*5)*b and (a*b)*5": ["mul.lo.s32 %r90,A,5; mul.lo.s32 X,%r90,B;", "mul.lo.s32 %r92,A,B; mul.lo.s32 X,%r92,5;"],
  "shl 3 and mul 8": ["shl.b32 X,A,3;", "mul.lo.s32 X,A,8;"],
  "shl 1 and mul 2": ["shl.b32 X,A,1;", "mul.lo.s32 X,A,2;"],
  "x+x and shl 1": ["add.s32 X,A,A;", "shl.b32 X,A,1;"],
  "x+x and mul 2": ["add.s32 X,A,A;", "mul.lo.s32 X,A,2;"],
  "mad and mul + add": ["mad.lo.s32 X,A,B,C;", "mul.lo.s32 %r90,A,B; add.s32 X,%r90,C;"],
  "mad by a constant and mul + add": ["mad.lo.s32 X,A,9,C;", "mul.lo.s32 %r90,A,9; add.s32 X,%r90,C;"],
  "mad by a power of two and shl + add": ["mad.lo.s32 X,A,8,C;", "shl.b32 %r90,A,3; add.s32 X,%r90,C;"],
  "a*c + b*c and (a+b)*c": ["mul.lo.s32 %r90,A,C; mul.lo.s32 %r91,B,C; add.s32 X,%r90,%r91;", "add.s32 %r92,A,B; mul.lo.s32 X,%r92,C;"],
  "a*c - b*c and (a-b)*c": ["mul.lo.s32 %r90,A,C; mul.lo.s32 %r91,B,C; sub.s32 X,%r90,%r91;", "sub.s32 %r92,A,B; mul.lo.s32 X,%r92,C;"],
  "mad(a,c,b*c) and (a+b)*c": ["mul.lo.s32 %r91,B,C; mad.lo.s32 X,A,C,%r91;", "add.s32 %r92,A,B; mul.lo.s32 X,%r92,C;"],
  "a*7 + b*7 and (a+b)*7": ["mul.lo.s32 %r90,A,7; mul.lo.s32 %r91,B,7; add.s32 X,%r90,%r91;", "add.s32 %r92,A,B; mul.lo.s32 X,%r92,7;"],
  "(a+b)+c and (a+c)+b": ["add.s32 %r90,A,B; add.s32 X,%r90,C;", "add.s32 %r91,A,C; add.s32 X,%r91,B;"],
  "(a+b)+c and a+(b+c)": ["add.s32 %r90,A,B; add.s32 X,%r90,C;", "add.s32 %r91,B,C; add.s32 X,A,%r91;"],
  "(a*b)*c and (a*c)*b": ["mul.lo.s32 %r90,A,B; mul.lo.s32 X,%r90,C;", "mul.lo.s32 %r91,A,C; mul.lo.s32 X,%r91,B;"],
  "(a^b)^c and a^(b^c)": ["xor.b32 %r90,A,B; xor.b32 X,%r90,C;", "xor.b32 %r91,B,C; xor.b32 X,A,%r91;"],
  "(a&b)&c and (a&c)&b": ["and.b32 %r90,A,B; and.b32 X,%r90,C;", "and.b32 %r91,A,C; and.b32 X,%r91,B;"],
  "min(min(a,b),c) and min(a,min(b,c))": ["min.s32 %r90,A,B; min.s32 X,%r90,C;", "min.s32 %r91,B,C; min.s32 X,A,%r91;"],
  "a-b and a+(-b)": ["sub.s32 X,A,B;", "neg.s32 %r90,B; add.s32 X,A,%r90;"],
  "not and xor -1": ["not.b32 X,A;", "xor.b32 X,A,-1;"],
  "a+0 and a": ["add.s32 X,A,0;", "mov.u32 X,A;"],
  "a*1 and a": ["mul.lo.s32 X,A,1;", "mov.u32 X,A;"],
  "a^0 and a": ["xor.b32 X,A,0;", "or.b32 X,A,0;"],
  "a&a and a": ["and.b32 X,A,A;", "mov.u32 X,A;"],
  "a-a and 0": ["sub.s32 %r90,A,A; add.s32 X,%r90,B;", "mov.u32 X,B;"],
  "sad and sub": ["abs.s32 X,A;", "abs.s32 X,A;"],
  "shr of a shl and and": ["shl.b32 %r90,A,8; shr.u32 X,%r90,8;", "and.b32 X,A,0xffffff;"],
  "shr.s and shr.u": ["shr.s32 X,A,3;", "shr.u32 X,A,3;"],
  "bfe and shift + and": ["bfe.u32 X,A,4,8;", "shr.u32 %r90,A,4; and.b32 X,%r90,0xff;"],
  "select both ways": ["setp.lt.s32 %p1,A,B; selp.u32 X,A,C,%p1;", "setp.lt.s32 %p2,A,B; selp.u32 X,A,C,%p2;"],
  "min and a select": ["min.s32 X,A,B;", "setp.lt.s32 %p1,A,B; selp.s32 X,A,B,%p1;"],
  "vote twice": [
    "setp.gt.s32 %p1,A,5; vote.sync.ballot.b32 X,%p1,0xffffffff;",
    "setp.gt.s32 %p2,A,5; vote.sync.ballot.b32 X,%p2,0xffffffff;",
  ],
};

export const PAIR_NAMES: readonly string[] = Object.keys(PAIRS);

export function arithmeticKernel(prng: Prng, name: string = prng.pick(PAIR_NAMES)): Kernel {
  const pair = PAIRS[name] as readonly [string, string];
  const parameter = prng.chance(0.25);
  const swapped = prng.chance(0.3);
  const [a, b, c] = parameter ? ["%r10", "%r1", "%r12"] : ["%r10", "%r11", "%r12"];
  const make = (text: string, x: string): string => text.replace(/\b[ABCX]\b/g, (n) => ({ A: a, B: b, C: c, X: x })[n] ?? n);
  const [one, two] = swapped ? [pair[1], pair[0]] : pair;
  const place = prng.pick(["block", "block", "dominated", "arms"] as const);
  const result = (text: string, i: number): string =>
    `${make(text, `%r${30 + i}`)} popc.b32 %r${40 + i},%r${30 + i}; st.global.u32 [%rd3+${64 + 4 * i}],%r${40 + i};`;
  const filler = (salt: number): string => `mov.u32 %r20,%r13;\n${ops(24, salt)}\nst.global.u32 [%rd3+${228 + 16 * salt}],%r20;`;
  const body =
    place === "block"
      ? [INPUTS, result(one, 0), result(two, 1), "ret;"]
      : place === "dominated"
        ? [INPUTS, result(one, 0), "setp.gt.s32 %p50,%r3,100; @%p50 bra LE;", result(two, 1), filler(2), "LE: ret;"]
        : [
            INPUTS,
            "setp.gt.s32 %p50,%r3,100; @%p50 bra LA;",
            result(one, 0),
            filler(1),
            "bra LB; LA:",
            result(one, 2),
            filler(2),
            "LB:",
            result(two, 1),
            "ret;",
          ];
  const recipe = `${name}${swapped ? ", the other one first" : ""}${parameter ? ", b a parameter" : ""}, ${{ block: "in a block", dominated: "from a dominating block", arms: "after a join whose arms have it" }[place]}`;
  return { family: "redundancy", recipe, ptx: kernelText(body.join("\n")), questions: [{ marked: "POPC" }] };
}

const BETWEEN: Readonly<Record<string, string>> = {
  nothing: "",
  "bar.sync": "bar.sync 0;",
  "bar.warp": "bar.warp.sync 0xffffffff;",
  "membar.cta": "membar.cta;",
  "membar.gl": "membar.gl;",
  "store to another array": "st.global.u32 [%rd3+16],%r2;",
  "store to the same array, another offset": "st.global.u32 [%rd4+260],%r2;",
  "store to the same place": "st.global.u32 [%rd4+256],%r2;",
  "store to shared memory": "st.shared.u32 [sh+64],%r2;",
  "store to the same shared place": "st.shared.u32 [sh+16],%r2;",
  "store to local memory": "st.local.u32 [loc],%r2;",
  atomic: "atom.global.add.u32 %r60,[%rd3],1; st.global.u32 [%rd3+128],%r60;",
  reduction: "red.global.add.u32 [%rd3],1;",
  "shared atomic": "atom.shared.add.u32 %r60,[sh+32],1; st.global.u32 [%rd3+128],%r60;",
  vote: "setp.gt.s32 %p9,%r3,5; vote.sync.any.pred %p9,%p9,0xffffffff; selp.u32 %r60,1,0,%p9; st.global.u32 [%rd1+512],%r60;",
};
const LOADS_OF: Readonly<Record<string, readonly [string, string]>> = {
  global: ["ld.global.u32 D,[%rd4+256];", "LDG"],
  volatile: ["ld.volatile.global.u32 D,[%rd4+256];", "LDG"],
  "global.nc": ["ld.global.nc.u32 D,[%rd4+256];", "LDG"],
  shared: ["ld.shared.u32 D,[sh+16];", "LDS"],
  "volatile shared": ["ld.volatile.shared.u32 D,[sh+16];", "LDS"],
  relaxed: ["ld.relaxed.gpu.global.u32 D,[%rd4+256];", "LDG"],
};

export function loadKernel(prng: Prng): Kernel {
  const space = prng.pick(Object.keys(LOADS_OF));
  const between = prng.pick(Object.keys(BETWEEN));
  const [text, marked] = LOADS_OF[space] as readonly [string, string];
  const place = prng.pick(["block", "block", "dominated"] as const);
  const load = (d: string): string => text.replace("D", d);
  const filler = `mov.u32 %r20,%r2;\n${ops(24, 2)}\nst.global.u32 [%rd3+228],%r20;`;
  const lines = [".local .u32 loc;", load("%r30"), BETWEEN[between] ?? ""];
  if (place === "dominated") lines.push("st.global.u32 [%rd3+60],%r30; setp.gt.s32 %p50,%r3,100; @%p50 bra LE;");
  lines.push(load("%r31"), "xor.b32 %r32,%r30,0x123; mul.lo.s32 %r32,%r32,%r31; st.global.u32 [%rd3+64],%r32;");
  if (place === "dominated") lines.push(filler);
  lines.push("LE: ret;");
  const recipe = `two loads (${space}), ${between} between${place === "dominated" ? ", the second in a block below, after a store" : ""}`;
  return { family: "loads", recipe, ptx: kernelText(lines.join("\n")), questions: [{ marked }] };
}
