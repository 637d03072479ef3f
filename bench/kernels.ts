/** One random structured kernel, written as PTX and as LLVM IR: the same loops, conditions and arithmetic for every compiler. */

import { createPrng } from "../src/base/prng.ts";

type Stmt =
  | {
      readonly kind: "op";
      readonly op: "add" | "mul" | "xor" | "sub";
      readonly d: number;
      readonly a: number;
      readonly b: number | { readonly imm: number };
    }
  | { readonly kind: "store"; readonly a: number; readonly slot: number }
  | { readonly kind: "if"; readonly a: number; readonly imm: number; readonly taken: readonly Stmt[]; readonly otherwise: readonly Stmt[] }
  | { readonly kind: "loop"; readonly counter: number; readonly trips: number; readonly body: readonly Stmt[] };

/** What of LLVM's does the like of the phases here. */
export const OPT_PASSES = "mem2reg,simplifycfg,instcombine,gvn,reassociate,early-cse,simplifycfg,adce";

const VARIABLES = 24;

/** About `size` statements; the same seed gives the same kernel. */
export function randomKernel(size: number, seed: number): readonly Stmt[] {
  const next = createPrng(seed).u32;
  const random = (n: number): number => next() % n;
  let loops = 0;
  const list = (budget: number, depth: number): Stmt[] => {
    const out: Stmt[] = [];
    let left = budget;
    while (left > 0) {
      const pick = random(20);
      if (pick < 2 && depth < 5 && left > 12) {
        const part = Math.min(left - 2, 6 + random(40));
        out.push({
          kind: "if",
          a: random(VARIABLES),
          imm: random(100),
          taken: list(part >> 1, depth + 1),
          otherwise: random(2) === 0 ? [] : list(part >> 1, depth + 1),
        });
        left -= part + 2;
      } else if (pick === 2 && depth < 3 && left > 12) {
        const part = Math.min(left - 3, 8 + random(30));
        out.push({ kind: "loop", counter: loops++, trips: 2 + random(5), body: list(part, depth + 1) });
        left -= part + 3;
      } else if (pick === 3) {
        out.push({ kind: "store", a: random(VARIABLES), slot: random(64) });
        left -= 1;
      } else {
        const ops = ["add", "mul", "xor", "sub"] as const;
        const b = random(3) === 0 ? { imm: 1 + random(1000) } : random(VARIABLES);
        out.push({ kind: "op", op: ops[random(4)] ?? "add", d: random(VARIABLES), a: random(VARIABLES), b });
        left -= 1;
      }
    }
    return out;
  };
  return list(size, 0);
}

export function toPtx(kernel: readonly Stmt[]): string {
  const body: string[] = [];
  let labels = 0;
  let predicates = 0;
  const emit = (stmts: readonly Stmt[]): void => {
    for (const s of stmts) {
      switch (s.kind) {
        case "op": {
          const b = typeof s.b === "number" ? `%r${s.b}` : String(s.b.imm);
          const op = s.op === "mul" ? "mul.lo.s32" : s.op === "xor" ? "xor.b32" : `${s.op}.s32`;
          body.push(`${op} %r${s.d}, %r${s.a}, ${b};`);
          break;
        }
        case "store":
          body.push(`st.global.u32 [%rd1+${4 * s.slot}], %r${s.a};`);
          break;
        case "if": {
          const [p, other, end] = [predicates++, labels++, labels++];
          body.push(`setp.lt.s32 %p${p}, %r${s.a}, ${s.imm};`, `@%p${p} bra L${other};`);
          emit(s.taken);
          body.push(`bra L${end};`, `L${other}:`);
          emit(s.otherwise);
          body.push(`L${end}:`);
          break;
        }
        case "loop": {
          const [p, head] = [predicates++, labels++];
          const c = VARIABLES + s.counter;
          body.push(`mov.u32 %r${c}, 0;`, `L${head}:`);
          emit(s.body);
          body.push(`add.s32 %r${c}, %r${c}, 1;`, `setp.lt.s32 %p${p}, %r${c}, ${s.trips};`, `@%p${p} bra L${head};`);
          break;
        }
      }
    }
  };
  const init = Array.from({ length: VARIABLES }, (_, i) => `add.s32 %r${i}, %r9999, ${i};`);
  emit(kernel);
  return [
    ".version 7.8",
    ".target sm_80",
    ".address_size 64",
    ".visible .entry bench(.param .u64 out)",
    "{",
    `.reg .b32 %r<10000>; .reg .b64 %rd<4>; .reg .pred %p<${predicates + 1}>;`,
    "ld.param.u64 %rd0, [out]; cvta.to.global.u64 %rd1, %rd0; mov.u32 %r9999, %tid.x;",
    ...init,
    ...body,
    ...Array.from({ length: VARIABLES }, (_, i) => `st.global.u32 [%rd1+${512 + 4 * i}], %r${i};`),
    "ret;",
    "}",
    "",
  ].join("\n");
}

export function toLlvm(kernel: readonly Stmt[]): string {
  const body: string[] = [];
  let temps = 0;
  let labels = 0;
  const slots = new Set<number>();
  const variable = (i: number): string => {
    slots.add(i);
    return `%v${i}`;
  };
  const load = (i: number): string => {
    const t = `%t${temps++}`;
    body.push(`${t} = load i32, i32* ${variable(i)}`);
    return t;
  };
  const emit = (stmts: readonly Stmt[]): void => {
    for (const s of stmts) {
      switch (s.kind) {
        case "op": {
          const a = load(s.a);
          const b = typeof s.b === "number" ? load(s.b) : String(s.b.imm);
          const t = `%t${temps++}`;
          body.push(`${t} = ${s.op} i32 ${a}, ${b}`, `store i32 ${t}, i32* ${variable(s.d)}`);
          break;
        }
        case "store": {
          const a = load(s.a);
          const t = `%t${temps++}`;
          body.push(`${t} = getelementptr i32, i32* %out, i64 ${s.slot}`, `store i32 ${a}, i32* ${t}`);
          break;
        }
        case "if": {
          const [other, then, end] = [labels++, labels++, labels++];
          const a = load(s.a);
          const t = `%t${temps++}`;
          body.push(`${t} = icmp slt i32 ${a}, ${s.imm}`, `br i1 ${t}, label %L${other}, label %L${then}`, `L${then}:`);
          emit(s.taken);
          body.push(`br label %L${end}`, `L${other}:`);
          emit(s.otherwise);
          body.push(`br label %L${end}`, `L${end}:`);
          break;
        }
        case "loop": {
          const [head, end] = [labels++, labels++];
          const c = VARIABLES + s.counter;
          body.push(`store i32 0, i32* ${variable(c)}`, `br label %L${head}`, `L${head}:`);
          emit(s.body);
          const before = load(c);
          const [t, u] = [`%t${temps++}`, `%t${temps++}`];
          body.push(
            `${t} = add i32 ${before}, 1`,
            `store i32 ${t}, i32* ${variable(c)}`,
            `${u} = icmp slt i32 ${t}, ${s.trips}`,
            `br i1 ${u}, label %L${head}, label %L${end}`,
            `L${end}:`,
          );
          break;
        }
      }
    }
  };
  emit(kernel);
  for (let i = 0; i < VARIABLES; i++) {
    const a = load(i);
    const t = `%t${temps++}`;
    body.push(`${t} = getelementptr i32, i32* %out, i64 ${128 + i}`, `store i32 ${a}, i32* ${t}`);
  }
  const init: string[] = [];
  for (const i of slots) init.push(`%v${i} = alloca i32`);
  for (let i = 0; i < VARIABLES; i++) if (slots.has(i)) init.push(`%i${i} = add i32 %tid, ${i}`, `store i32 %i${i}, i32* %v${i}`);
  return ["define void @bench(i32* %out, i32 %tid) {", ...init, ...body, "ret void", "}", ""].join("\n");
}
