/** Runs one instruction on many lanes with chosen operands: how the opcode tests ask the interpreter what a line means. */

import type { Func, Module } from "../../ir/types.ts";
import { parseModule } from "../../text/parser.ts";
import { runKernel } from "../interpreter.ts";
import type { ExecOutcome, ParamValue, RunInputs } from "../outcome.ts";

/** Operands of one lane: a, b, c in R0, R1, R2; x, y, z in RD0, RD1, RD2; p, q, r in P0, P1, P2. */
export interface Lane {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly x: bigint;
  readonly y: bigint;
  readonly z: bigint;
  readonly p: boolean;
  readonly q: boolean;
  readonly r: boolean;
}

/** What the result register held before: R9, RD9 and P9 start with these. */
export const OLD_WORD = 0xdeadbeef;

export function parse(text: string): { module: Module; fn: Func } {
  const { module, diagnostics } = parseModule(text);
  const error = diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) throw new Error(`${error.line}:${error.column} ${error.message}\n${text}`);
  return { module, fn: module.funcs[0]! };
}

/** Runs `lines` on the lanes and returns, by lane, what the registers `out` hold (64 bit as bigint, predicates as boolean). */
export function evaluate(lines: string, out: readonly string[], lanes: readonly Lane[]): (number | bigint | boolean)[][] {
  const outcome = runLines(lines, out, lanes);
  if (outcome.status !== "ok") throw new Error(`${lines}: ${outcome.message}`);
  return lanes.map((_, t) =>
    out.map((name, i) => {
      const { lo, hi } = outcome.returns[i]!;
      if (name.startsWith("P") || name.startsWith("UP")) return lo[t] === 1;
      return hi === null ? lo[t]! : (BigInt(hi[t]!) << 32n) | BigInt(lo[t]!);
    }),
  );
}

export function runLines(lines: string, out: readonly string[], lanes: readonly Lane[]): ExecOutcome {
  const { module, fn } = parse(
    `.func t(a: R0, b: R1, c: R2, x: RD0, y: RD1, z: RD2, p: P0, q: P1, r: P2, o: R9, oo: RD9) -> ${out.join(", ")}\nBB0:\n${lines}\n    RET\n`,
  );
  const wide = (v: bigint): ParamValue => [Number(v & 0xffffffffn), Number((v >> 32n) & 0xffffffffn)];
  const each = (f: (lane: Lane) => ParamValue) => (t: number) => (t < lanes.length ? f(lanes[t]!) : 0);
  const args: RunInputs["args"] = [
    each((l) => l.a),
    each((l) => l.b),
    each((l) => l.c),
    each((l) => wide(l.x)),
    each((l) => wide(l.y)),
    each((l) => wide(l.z)),
    each((l) => (l.p ? 1 : 0)),
    each((l) => (l.q ? 1 : 0)),
    each((l) => (l.r ? 1 : 0)),
    OLD_WORD,
    [OLD_WORD, OLD_WORD],
  ];
  return runKernel(module, fn, { threads: lanes.length, fuel: 10_000, args, buffers: [] });
}

/** Runs a whole text's first function. */
export function run(text: string, inputs: Partial<RunInputs> = {}): ExecOutcome {
  const { module, fn } = parse(text);
  return runKernel(module, fn, { threads: 32, fuel: 10_000, args: [], buffers: [], ...inputs });
}
