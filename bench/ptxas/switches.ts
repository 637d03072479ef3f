/** Chains of equality compares, and indirect branches. */

import type { Prng } from "../../src/base/prng.ts";
import { type Kernel, kernelText, LOADED, work } from "./kernel.ts";

const QUESTIONS = ["eq", "tables"] as const;
const END = "st.global.u32 [%rd1+4096],%r2; ret;";
const LENGTH = 20;

interface Case {
  readonly value: number;
  readonly target: string;
}

/** Constants of one chain: dense, stepped, clustered, sparse, at the ends of the range. */
function values(prng: Prng): { readonly list: number[]; readonly how: string } {
  const n = prng.pick([2, 3, 4, 5, 6, 8, 12, 16]);
  const base = prng.pick([0, 10, -3, 1000, -50]);
  const kind = prng.below(8);
  const shuffled = (list: number[]): number[] =>
    list
      .map((v) => [prng.u32(), v] as const)
      .sort((a, b) => a[0] - b[0])
      .map(([, v]) => v);
  const steps = (count: number, step: number, from = base): number[] => Array.from({ length: count }, (_, i) => from + step * i);
  if (kind === 0) return { list: steps(n, 1), how: "dense" };
  if (kind === 1) {
    const step = prng.range(2, 9);
    return { list: steps(n, step), how: `step ${step}` };
  }
  if (kind === 2) return { list: shuffled(steps(n, prng.range(1, 6))), how: "shuffled steps" };
  if (kind === 3) {
    const second = prng.range(2, 6);
    return { list: [...steps(n, 1), ...steps(second, 1, base + prng.pick([40, 300, 5000]))], how: `cluster of ${n}, then of ${second}` };
  }
  if (kind === 4)
    return {
      list: [...Array.from({ length: prng.range(1, 4) }, () => prng.range(100_000, 900_000)), ...steps(n, 1)],
      how: "sparse, then dense",
    };
  if (kind === 5)
    return {
      list: [...steps(n, 1), ...Array.from({ length: prng.range(1, 4) }, () => prng.range(100_000, 900_000))],
      how: "dense, then sparse",
    };
  if (kind === 6) {
    const list = Array.from({ length: n }, () => base + prng.below(prng.pick([n, 3 * n, 5 * n, 6 * n, 8 * n])));
    return { list, how: "random, with repeats" };
  }
  return {
    list: steps(n, 1, prng.pick([2_147_483_646 - n, -2_147_483_648, 2_147_483_644])).map((v) =>
      v > 2_147_483_647 ? v - 4_294_967_296 : v,
    ),
    how: "ends of the range",
  };
}

const MIDDLES: readonly (readonly [string, string, string])[] = [
  ["nothing", "", ""],
  ["dead multiplication", "mul.lo.s32 %r200,%r3,77;", ""],
  ["multiplication used by the default", "mul.lo.s32 %r9,%r3,77;", "st.global.u32 [%rd1+64],%r9;"],
  ["store", "st.global.u32 [%rd3+9000],%r2;", ""],
  ["barrier", "bar.sync 0;", ""],
  ["reduction", "red.global.add.u32 [%rd3],1;", ""],
  ["atomic", "atom.global.add.u32 %r9,[%rd3],1;", ""],
  ["dead load", "ld.global.u32 %r200,[%rd4+64];", ""],
  ["dead volatile load", "ld.volatile.global.u32 %r200,[%rd4+64];", ""],
  ["compare used by the default", "setp.gt.s32 %p280,%r3,%r2;", "selp.u32 %r9,1,0,%p280; st.global.u32 [%rd1+64],%r9;"],
];

/** One chain with at most one thing that differs from the plain form. */
export function switchKernel(prng: Prng): Kernel {
  const { list, how } = values(prng);
  const selector = prng.pick(["tid", "tid", "param", "load"] as const);
  const head = prng.pick(["separate", "separate", "late", "same"] as const);
  const set = { tid: "mov.u32 %r5,%r3;", param: "mov.u32 %r5,%r1;", load: "ld.global.u32 %r5,[%rd4+8192];" }[selector];
  const style = prng.pick([
    "plain",
    "plain",
    "plain",
    "swapped",
    "one predicate",
    "register",
    "negated",
    "mixed types",
    "else",
    "turned",
  ] as const);
  const shared = prng.chance(0.15);
  const middle = style === "plain" && prng.chance(0.4) ? prng.pick(MIDDLES) : (MIDDLES[0] as (typeof MIDDLES)[number]);
  const at = prng.range(1, list.length - 1);
  const length = prng.chance(0.8) ? LENGTH : prng.pick([1, 3, 9]);
  const cases: Case[] = list.map((value, i) => ({ value, target: shared && i % 3 === 2 ? `L${i - 1}` : `L${i}` }));
  const first = head === "same" ? "" : "setp.gt.s32 %p290,%r2,12345; @%p290 bra LX;";
  const lines = [LOADED, "mov.u32 %r9,0;", ...(head === "late" ? [first, set] : [set, first])];
  for (const [i, { value, target }] of cases.entries()) {
    if (i === at) lines.push(middle[1]);
    lines.push(...test(style, i, value, target));
  }
  lines.push("bra LD;");
  for (const [i, { target }] of cases.entries()) if (target === `L${i}`) lines.push(`L${i}:`, work(length, i), "bra LE;");
  if (head !== "same") lines.push("LX:", work(LENGTH, 997), "bra LE;");
  lines.push("LD:", middle[2], work(LENGTH, 998), `LE: ${END}`);
  const about = [
    how,
    list.join(" "),
    selector,
    head,
    style === "plain" ? "" : style,
    middle[0] === "nothing" ? "" : `${middle[0]} before ${at}`,
    shared ? "shared targets" : "",
    length === LENGTH ? "" : `bodies of ${length}`,
  ];
  return {
    family: "switch",
    recipe: about.filter((text) => text !== "").join(", "),
    ptx: kernelText(lines.join("\n")),
    questions: QUESTIONS,
  };
}

function test(style: string, i: number, value: number, target: string): string[] {
  const p = style === "one predicate" ? "%p1" : `%p${i + 1}`;
  switch (style) {
    case "swapped":
      return [`setp.eq.s32 ${p},${value},%r5; @${p} bra ${target};`];
    case "register":
      return [`mov.u32 %r${100 + i},${value}; setp.eq.s32 ${p},%r5,%r${100 + i}; @${p} bra ${target};`];
    case "negated":
      return [`setp.ne.s32 ${p},%r5,${value}; @!${p} bra ${target};`];
    case "mixed types":
      return [`setp.eq.${["s32", "u32", "b32"][i % 3]} ${p},%r5,${i % 3 === 1 ? value >>> 0 : value}; @${p} bra ${target};`];
    case "else":
      return [`setp.ne.s32 ${p},%r5,${value}; @${p} bra N${i}; bra ${target};`, `N${i}:`];
    case "turned":
      return [`setp.eq.s32 ${p},%r5,${value}; @!${p} bra N${i}; bra ${target};`, `N${i}:`];
    default:
      return [`setp.eq.s32 ${p},%r5,${value}; @${p} bra ${target};`];
  }
}

/** Independent tests of one value, each with a body, and an if/else-if chain: no switches. */
export function inlineTests(prng: Prng): Kernel {
  const n = prng.range(2, 10);
  const chain = prng.chance(0.5);
  const length = prng.pick([9, 20]);
  const lines = [LOADED, "mov.u32 %r5,%r3;"];
  for (let i = 0; i < n; i++) {
    lines.push(`setp.ne.s32 %p${i + 1},%r5,${10 + i}; @%p${i + 1} bra N${i};`, work(length, i));
    if (chain) lines.push("bra LE;");
    lines.push(`N${i}:`);
  }
  lines.push(`LE: ${END}`);
  return {
    family: "switch",
    recipe: `${n} ${chain ? "inline else-ifs" : "independent ifs"}, bodies of ${length}`,
    ptx: kernelText(lines.join("\n")),
    questions: QUESTIONS,
  };
}

export function brxKernel(prng: Prng): Kernel {
  const n = prng.pick([1, 2, 3, 4, 8, 16]);
  const constant = prng.chance(0.3) ? prng.below(n) : null;
  const same = prng.chance(0.2);
  const selector = prng.pick(["%r3", "%r1"]);
  const lines = [LOADED, constant === null ? `mov.u32 %r5,${selector};` : `mov.u32 %r5,${constant};`];
  lines.push(`ts: .branchtargets ${Array.from({ length: n }, (_, i) => `L${same ? 0 : i}`).join(", ")};`, "brx.idx %r5, ts;");
  for (let i = 0; i < (same ? 1 : n); i++) lines.push(`L${i}:`, work(prng.pick([1, 20]), i), "bra LE;");
  lines.push(`LE: ${END}`);
  const recipe = `brx.idx of ${n}${same ? " equal targets" : ""} by ${constant === null ? selector : constant}`;
  return { family: "brx", recipe, ptx: kernelText(lines.join("\n")), questions: ["brx"] };
}
