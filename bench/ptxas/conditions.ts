/** Nests of conditions, combined predicates, and arms that may be predicated. */

import type { Prng } from "../../src/base/prng.ts";
import { type Kernel, kernelText, LOADED, ops, work } from "./kernel.ts";

const END = "LEND: st.global.u32 [%rd1+4096],%r2; ret;";

export function nestKernel(prng: Prng): Kernel {
  const depth = prng.pick([2, 3, 4, 5, 6, 7, 8, 10, 12]);
  const any = prng.chance(0.4);
  const source = prng.pick(["tid", "param", "load"] as const);
  const otherwise = prng.chance(0.4);
  const anchored = prng.chance(0.8);
  const kind = prng.chance(0.55) ? "none" : prng.pick(["arithmetic", "arithmetic", "arithmetic", "load", "store", "float"]);
  const extra = kind === "arithmetic" ? prng.range(1, 6) : kind === "none" ? 0 : 1;
  const length = prng.chance(0.8) ? 20 : prng.pick([12, 16]);
  const compare = prng.pick(["gt.s32", "gt.s32", "lt.s32", "ge.u32", "ne.s32"]);
  const lines = [LOADED];
  for (let i = 0; i < depth; i++) {
    const r = `%r${30 + i}`;
    if (source === "load") lines.push(`ld.global.u32 ${r},[%rd4+${1024 + 4 * i}];`);
    else lines.push(`xor.b32 ${r},${source === "tid" ? "%r3" : "%r1"},${273 * (i + 1)};`);
    if (kind === "float") lines.push(`mov.b32 %f${30 + i},${r};`);
  }
  if (anchored) {
    lines.push("st.global.u32 [%rd3+8192],%r20;");
    for (let i = 0; i < depth; i++) lines.push(`st.global.u32 [%rd3+${8196 + 4 * i}],%r${30 + i};`);
  }
  const out = otherwise ? "LELSE" : "LEND";
  for (let i = 0; i < depth; i++) {
    if (i > 0 && kind === "arithmetic") lines.push(ops(extra, 7 + i, `%r${30 + i}`));
    if (i > 0 && kind === "load") lines.push(`ld.global.u32 %r${30 + i},[%rd4+${2048 + 4 * i}];`);
    if (i > 0 && kind === "store") lines.push(`st.global.u32 [%rd3+${4096 + 4 * i}],%r2;`);
    const operands = kind === "float" ? `%f${30 + i},0f${(0x42c80000 + 65536 * i).toString(16)}` : `%r${30 + i},${100 + 7 * i}`;
    lines.push(`setp.${kind === "float" ? "gt.f32" : compare} %p${i + 1},${operands}; @%p${i + 1} bra ${any ? "LBODY" : out};`);
  }
  if (any) lines.push(`bra ${out};`);
  lines.push("LBODY:", work(length, 1));
  if (otherwise) lines.push("bra LEND;", "LELSE:", work(length, 2));
  lines.push(END);
  const recipe = `${depth} ${any ? "||" : "&&"} of ${source}, ${kind === "float" ? "gt.f32" : compare}${otherwise ? ", else" : ""}${kind === "none" || kind === "float" ? "" : `, ${extra} ${kind} between`}${anchored ? "" : ", values unused otherwise"}, bodies of ${length}`;
  return { family: "nest", recipe, ptx: kernelText(lines.join("\n")), questions: ["cond_branches", "isetp_with_pred_input"] };
}

const LOADS =
  "ld.global.u32 %r30,[%rd4+64]; ld.global.u32 %r31,[%rd4+68]; ld.global.u32 %r32,[%rd4+72]; st.global.u32 [%rd3+8192],%r20; st.global.u32 [%rd3+8196],%r30; st.global.u32 [%rd3+8200],%r31; st.global.u32 [%rd3+8204],%r32;";
const XORS = "xor.b32 %r30,%r3,0x111; xor.b32 %r31,%r3,0x222; xor.b32 %r32,%r3,0x444;";
const TESTS = "setp.gt.s32 %p1,%r30,100; setp.gt.s32 %p2,%r31,107; setp.gt.s32 %p3,%r32,113;";

/** By name: what leads to LE or falls into the body. */
const CONDITIONS: Readonly<Record<string, string>> = {
  "all computed first": `${TESTS} @%p1 bra LE; @%p2 bra LE; @%p3 bra LE;`,
  "xor and or of predicates": `${TESTS} xor.pred %p4,%p1,%p2; or.pred %p4,%p4,%p3; @%p4 bra LE;`,
  "and of predicates": `${TESTS} and.pred %p4,%p1,%p2; @%p4 bra LE;`,
  "or of predicates": `${TESTS} or.pred %p4,%p1,%p2; @%p4 bra LE;`,
  "and of three predicates": `${TESTS} and.pred %p4,%p1,%p2; and.pred %p4,%p4,%p3; @%p4 bra LE;`,
  "not of a predicate": "setp.gt.s32 %p1,%r30,100; not.pred %p4,%p1; @%p4 bra LE;",
  "bit test": "and.b32 %r40,%r30,4; setp.ne.s32 %p1,%r40,0; @%p1 bra LE;",
  "two bit tests": "and.b32 %r40,%r30,4; setp.ne.s32 %p1,%r40,0; @%p1 bra LE; and.b32 %r41,%r31,8; setp.ne.s32 %p2,%r41,0; @%p2 bra LE;",
  "and, then or":
    "setp.gt.s32 %p1,%r30,100; @!%p1 bra LO; setp.gt.s32 %p2,%r31,107; @%p2 bra LB; LO: setp.gt.s32 %p3,%r32,113; @!%p3 bra LE; LB:",
  "or, then and":
    "setp.gt.s32 %p1,%r30,100; @%p1 bra LM; setp.gt.s32 %p2,%r31,107; @!%p2 bra LE; LM: setp.gt.s32 %p3,%r32,113; @!%p3 bra LE;",
  "setp with a predicate": "setp.gt.s32 %p1,%r30,100; setp.gt.and.s32 %p2,%r31,107,%p1; @%p2 bra LE;",
  "the same test twice": "setp.gt.s32 %p1,%r30,100; @%p1 bra LE; setp.gt.s32 %p2,%r30,100; @%p2 bra LE;",
};

export function conditionKernel(prng: Prng): Kernel {
  const name = prng.pick(Object.keys(CONDITIONS));
  const loaded = prng.chance(0.5);
  const length = prng.pick([14, 20, 30]);
  const body = [LOADED, loaded ? LOADS : XORS, CONDITIONS[name], work(length, 1), "LE: st.global.u32 [%rd1+4096],%r2; ret;"].join("\n");
  return {
    family: "condition",
    recipe: `${name}, ${loaded ? "loaded" : "tid"}, body of ${length}`,
    ptx: kernelText(body),
    questions: ["cond_branches"],
  };
}

export function armKernel(prng: Prng): Kernel {
  const divergent = prng.chance(0.6);
  const other = prng.chance(0.6);
  const condition = `setp.gt.s32 %p1,${divergent ? "%r3" : "%r1"},100;`;
  const kind = prng.pick(["arithmetic", "arithmetic", "arithmetic", "store", "load", "shared load"]);
  const arm = (n: number, salt: number): string => {
    const last =
      kind === "store"
        ? `st.global.u32 [%rd3+${64 + 4 * salt}],%r20;`
        : kind === "load"
          ? `ld.global.u32 %r21,[%rd4+${64 + 4 * salt}]; xor.b32 %r20,%r20,%r21;`
          : kind === "shared load"
            ? `ld.shared.u32 %r21,[sh+${64 + 4 * salt}]; xor.b32 %r20,%r20,%r21;`
            : "";
    const taken = kind === "arithmetic" ? 0 : kind === "store" ? 1 : 2;
    return `${ops(Math.max(0, n - taken), salt)}\n${last}`;
  };
  const far = kind === "load" ? 24 : 13;
  const a = prng.range(1, far);
  const b = prng.range(1, far);
  const body = other
    ? [LOADED, `${condition} @%p1 bra LELSE;`, arm(a, 1), "bra LEND;", "LELSE:", arm(b, 2), "LEND: st.global.u32 [%rd3+8],%r20; ret;"]
    : [LOADED, `${condition} @%p1 bra LEND;`, arm(a, 1), "LEND: st.global.u32 [%rd3+8],%r20; ret;"];
  const recipe = `${other ? `if/else of ${a} and ${b}` : `if of ${a}`}, ${kind}, ${divergent ? "divergent" : "uniform"}`;
  return { family: other ? "if/else" : "if", recipe, ptx: kernelText(body.join("\n")), questions: ["cond_branches"] };
}

export function tailKernel(prng: Prng): Kernel {
  const length = prng.pick([1, 2, 4, 8, 16, 32]);
  const own = prng.pick([0, 12, 20]);
  const ways = prng.pick([2, 3]);
  const store = prng.chance(0.5);
  const join = prng.chance(0.5);
  const condition = prng.pick(["%r3", "%r1"]);
  // One chain: products of even constants alone would come to 0.
  const stores = Array.from({ length }, (_, i) => `st.global.u32 [%rd3+${4096 + 4 * i}],%r${40 + (i % 8)};`);
  const tail = store ? stores.join("\n") : ops(length, 400);
  const arm = (i: number): string => `${ops(own, i)}\n${tail}\n${join ? "bra LEND;" : "st.global.u32 [%rd3+8],%r20; ret;"}`;
  const lines = [LOADED, ...Array.from({ length: 8 }, (_, i) => `ld.global.u32 %r${40 + i},[%rd4+${1000 + 4 * i}];`)];
  for (let i = 1; i < ways; i++) lines.push(`setp.gt.s32 %p${i},${condition},${100 * i}; @%p${i} bra A${i};`);
  lines.push(arm(0));
  for (let i = 1; i < ways; i++) lines.push(`A${i}:`, arm(i));
  lines.push("LEND: st.global.u32 [%rd3+8],%r20; ret;");
  const recipe = `${ways} arms of ${own} with a common tail of ${length} ${store ? "stores" : "operations"}, to a ${join ? "join" : "return"}, by ${condition}`;
  return { family: "tail", recipe, ptx: kernelText(lines.join("\n")), questions: ["stores", "cond_branches"] };
}
