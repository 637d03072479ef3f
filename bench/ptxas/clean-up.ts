/** What is left of branches that need not be there, and which conditions are decided at compile time. */

import type { Prng } from "../../src/base/prng.ts";
import { type Kernel, kernelText, LOADED, work } from "./kernel.ts";

const END = "st.global.u32 [%rd1+4096],%r2; ret;";
/** The test that most shapes begin with. */
const first = (x: string): string => `setp.gt.s32 %p1,${x},100;`;

interface Draw {
  /** The value that is tested. */
  readonly x: string;
  /** One block for each number. */
  readonly w: (salt: number) => string;
  readonly c: number;
  readonly cmp: string;
}

/** Two ways to LA and on, both to the end. */
const twoWays = (head: string, { w }: Draw): string => `${head} @%p1 bra LA;\n${w(1)}\nbra LE; LA:\n${w(2)}\nLE: ${END}`;

/** A test, and in its fall-through another one. */
const dominated = (second: string, { x, w }: Draw): string =>
  `${first(x)} @%p1 bra LE;\n${w(1)}\n${second} @%p2 bra LX;\n${w(2)}\nbra LE; LX:\n${w(3)}\nLE: ${END}`;

/** A test, a join, and another test there. */
const atJoin = (second: string, { x, w }: Draw): string => `${first(x)} @%p1 bra LA;\n${w(1)}\nLA:\n${second}\n${w(2)}\nLE: ${END}`;

const SHAPES: Readonly<Record<string, (draw: Draw) => string>> = {
  "unreachable block": ({ w }) => `${END}\nLX:\n${w(1)}\n${END}`,
  "unreachable loop": ({ w }) => `${END}\nLX:\n${w(1)}\nbra LX;`,
  "unreachable chain": ({ w }) => `${END}\nLX:\n${w(1)}\nbra LY; LY:\n${w(2)}\n${END}`,
  "jump to jump": ({ x, w }) => `${first(x)} @%p1 bra LA;\n${w(1)}\nbra LE; LA: bra LB;\nLB:\n${w(2)}\nLE: ${END}`,
  "jump over jump": ({ x, w }) => `${first(x)} @%p1 bra LA; bra LB; LA:\n${w(1)}\nLB: ${END}`,
  "empty diamond": ({ x, w }) => `${first(x)} @%p1 bra LA; bra LB; LA: bra LB; LB:\n${w(1)}\n${END}`,
  "equal targets": ({ x, w }) => `${first(x)} @%p1 bra LA; bra LA; LA:\n${w(1)}\n${END}`,
  "condition constant by a move": (d) => twoWays(`mov.u32 %r10,${d.c}; setp.eq.s32 %p1,%r10,6;`, d),
  "condition constant by arithmetic": (d) =>
    twoWays(`mov.u32 %r10,${d.c}; add.u32 %r10,%r10,3; shl.b32 %r10,%r10,2; setp.gt.s32 %p1,%r10,20;`, d),
  "condition constant by min": (d) => twoWays(`mov.u32 %r10,${d.c}; min.s32 %r10,%r10,3; setp.gt.s32 %p1,%r10,3;`, d),
  "x == x": (d) => twoWays(`setp.eq.s32 %p1,${d.x},${d.x};`, d),
  "x < x": (d) => twoWays(`setp.lt.s32 %p1,${d.x},${d.x};`, d),
  "x - x == 0": (d) => twoWays(`sub.s32 %r10,${d.x},${d.x}; setp.eq.s32 %p1,%r10,0;`, d),
  "x ^ x == 0": (d) => twoWays(`xor.b32 %r10,${d.x},${d.x}; setp.eq.s32 %p1,%r10,0;`, d),
  "known bits": (d) => twoWays(`and.b32 %r10,${d.x},1; setp.gt.u32 %p1,%r10,1;`, d),
  "x * 0": (d) => twoWays(`mul.lo.s32 %r10,${d.x},0; setp.eq.s32 %p1,%r10,0;`, d),
  "x & 0": (d) => twoWays(`and.b32 %r10,${d.x},0; setp.eq.s32 %p1,%r10,0;`, d),
  "unsigned below 0": (d) => twoWays(`setp.lt.u32 %p1,${d.x},0;`, d),
  "unsigned at least 0": (d) => twoWays(`setp.ge.u32 %p1,${d.x},0;`, d),
  "the same predicate below": (d) => `${first(d.x)} @%p1 bra LE;\n${d.w(1)}\n@%p1 bra LX;\n${d.w(2)}\nbra LE; LX:\n${d.w(3)}\nLE: ${END}`,
  "an equal compare below": (d) => dominated(`setp.gt.s32 %p2,${d.x},100;`, d),
  "an inverse compare below": (d) => dominated(`setp.le.s32 %p2,${d.x},100;`, d),
  "an implied compare below": (d) => dominated(`setp.gt.s32 %p2,${d.x},200;`, d),
  "the same predicate at a join": (d) => atJoin("@%p1 bra LE;", d),
  "an equal compare at a join": (d) => atJoin(`setp.gt.s32 %p2,${d.x},100; @%p2 bra LE;`, d),
  "the same predicate inverted at a join": (d) => atJoin("@!%p1 bra LE;", d),
  "the same predicate after a working join": (d) =>
    `${first(d.x)} @%p1 bra LA;\n${d.w(1)}\nLA:\n${d.w(2)}\n@%p1 bra LE;\n${d.w(3)}\nLE: ${END}`,
  "an equal compare after two arms": (d) =>
    `${first(d.x)} @%p1 bra LA;\n${d.w(1)}\nbra LB; LA:\n${d.w(2)}\nLB: setp.gt.s32 %p2,${d.x},100; @%p2 bra LE;\n${d.w(3)}\nLE: ${END}`,
  "a test of a phi of constants": (d) =>
    `mov.u32 %r10,1; ${first(d.x)} @%p1 bra LA;\n${d.w(1)}\nmov.u32 %r10,0; LA: setp.eq.s32 %p2,%r10,0; @%p2 bra LE;\n${d.w(2)}\nLE: ${END}`,
  "a fact of ne on the fall-through": ({ x, w, c, cmp }) =>
    `setp.ne.s32 %p1,${x},14; @%p1 bra LA;\n${w(4)}\nsetp.${cmp}.s32 %p2,${x},${c}; @%p2 bra LB;\n${w(1)}\nbra LE; LA:\n${w(2)}\nbra LE; LB:\n${w(3)}\nLE: ${END}`,
  "a fact of eq on the taken edge": ({ x, w, c, cmp }) =>
    `setp.eq.s32 %p1,${x},14; @%p1 bra LA;\n${w(4)}\nbra LE; LA:\nsetp.${cmp}.s32 %p2,${x},${c}; @%p2 bra LB;\n${w(1)}\nbra LE; LB:\n${w(3)}\nLE: ${END}`,
  "a fact of eq on the fall-through of its negation": ({ x, w, c, cmp }) =>
    `setp.eq.s32 %p1,${x},14; @!%p1 bra LA;\n${w(4)}\nsetp.${cmp}.s32 %p2,${x},${c}; @%p2 bra LB;\n${w(1)}\nbra LE; LA:\n${w(2)}\nbra LE; LB:\n${w(3)}\nLE: ${END}`,
  "conditional branch to a return": ({ x, w }) => `${first(x)} @%p1 bra LE;\n${w(1)}\nret; LE: ret;`,
  "guarded return before a return": ({ x, w }) => `${w(1)}\n${first(x)} @%p1 ret; ret;`,
  "guarded return in the middle": ({ x, w }) => `${first(x)} @%p1 ret;\n${w(1)}\nret;`,
  "two returns with one body": ({ x, w }) => `${first(x)} @%p1 bra LA;\n${w(1)}\nret; LA:\n${w(2)}\nret;`,
  "guarded return, then the same test": ({ x, w }) => `${first(x)} @%p1 ret;\n${w(1)}\n@%p1 bra LA;\n${w(2)}\nret; LA:\n${w(3)}\nret;`,
  "overwritten store": ({ x, w }) => `st.global.u32 [%rd3+500],${x};\n${w(1)}\nst.global.u32 [%rd3+500],%r2; ${END}`,
  "store right over a store": ({ x, w }) => `${w(1)}\nst.global.u32 [%rd3+500],${x}; st.global.u32 [%rd3+500],%r2; ${END}`,
  "store over a store with a load between": ({ x, w }) =>
    `${w(1)}\nst.global.u32 [%rd3+500],${x}; ld.global.u32 %r11,[%rd4+700]; st.global.u32 [%rd3+500],%r11; ${END}`,
  "store over a store to shared memory": ({ x, w }) =>
    `${w(1)}\nst.shared.u32 [sh+8],${x}; st.shared.u32 [sh+8],%r2; ld.shared.u32 %r12,[sh+8]; st.global.u32 [%rd3+700],%r12; ${END}`,
  "store over a store in the next block": ({ x, w }) =>
    `${w(1)}\nst.global.u32 [%rd3+500],${x}; ${first(x)} @%p1 bra LA;\n${w(2)}\nLA: st.global.u32 [%rd3+500],%r2; ${END}`,
  "the same word stored twice": ({ x, w }) => `${w(1)}\nst.global.u32 [%rd3+500],${x}; st.global.u32 [%rd3+500],${x}; ${END}`,
  "the word that was read stored back": ({ w }) => `${w(1)}\nld.global.u32 %r12,[%rd4+700]; st.global.u32 [%rd4+700],%r12; ${END}`,
};

export const SHAPE_NAMES: readonly string[] = Object.keys(SHAPES);

export function cleanUpKernel(prng: Prng, name: string = prng.pick(SHAPE_NAMES)): Kernel {
  const length = prng.pick([14, 20, 20, 26]);
  const x = prng.pick(["%r3", "%r1", "%r21"]);
  const draw: Draw = {
    x,
    w: (salt) => `ld.global.u32 %r20,[%rd4+${64 * salt}];\n${work(length, salt)}`,
    c: prng.pick([1, 3, 6, 14, 20]),
    cmp: prng.pick(["gt", "eq", "ne", "lt", "ge"]),
  };
  const body = (SHAPES[name] as (draw: Draw) => string)(draw);
  const asked = /fact of|arithmetic|by a move|by min/.test(name) ? `, ${draw.cmp} ${draw.c}` : "";
  const recipe = `${name}, of ${x === "%r3" ? "tid" : x === "%r1" ? "a parameter" : "a loaded value"}${asked}, blocks of ${length}`;
  const stored = /store/.test(name);
  return {
    family: stored ? "store" : "clean-up",
    recipe,
    ptx: kernelText(`ld.global.u32 %r21,[%rd4+4000];\n${body}`),
    questions: stored ? ["stores"] : ["cond_branches", "cond_exits", "stores"],
  };
}

const REGISTERS = ["%laneid", "%nwarpid", "%warpid", "%tid.x", "%tid.y", "%tid.z", "%ntid.x", "%ntid.y", "%ctaid.x", "%nctaid.x"];

export function rangeKernel(prng: Prng): Kernel {
  const register = prng.pick(REGISTERS);
  const [x, y, z] = [prng.pick([32, 64, 128]), prng.pick([1, 2, 4]), prng.pick([1, 1, 2])];
  const attribute = prng.pick(["", "", ".reqntid", ".reqntid", ".maxntid"]);
  const size = { "%tid.x": x, "%tid.y": y, "%tid.z": z, "%ntid.x": x, "%ntid.y": y }[register] ?? 32;
  const compare = prng.pick(["gt.u32", "gt.u32", "gt.u32", "gt.s32", "ge.u32", "lt.u32", "eq.u32"]);
  const c = Math.max(
    0,
    prng.pick([0, 1, 7, 29, 30, 31, 32, 33, 63, 64, 65, 1022, 1023, 1024, 1025, 65_535, 65_536, size - 2, size - 1, size, size + 1]),
  );
  const body = `${LOADED}\nmov.u32 %r10,${register}; setp.${compare} %p1,%r10,${c}; @%p1 bra LA;\n${work(20, 1)}\nbra LE; LA:\n${work(20, 2)}\nLE: ${END}`;
  const recipe = `${register} ${compare} ${c}${attribute === "" ? "" : ` with ${attribute} ${x},${y},${z}`}`;
  return {
    family: "range",
    recipe,
    ptx: kernelText(body, attribute === "" ? "" : `${attribute} ${x},${y},${z}`),
    questions: ["cond_branches"],
  };
}
