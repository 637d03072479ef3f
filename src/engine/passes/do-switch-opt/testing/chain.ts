/** Writes switch programs for tests and reads back what became of them. */

import type { Func, Module } from "../../../ir/types.ts";
import { tableName } from "../../../ir/visit.ts";
import { DEFAULT_OPTIONS } from "../../../pipeline/defaults.ts";
import { planPipeline } from "../../../pipeline/plan.ts";
import { type PositionRun, runPipeline } from "../../../pipeline/run.ts";
import { parseModule } from "../../../text/parser.ts";

export interface ChainOptions {
  /** Index of the body of each case; default: one body each. */
  readonly targets?: readonly number[];
  /** What computes the selector R1 from the parameter R0; default a copy. */
  readonly selector?: string;
}

/** `.func k(R0) -> R5`: the compares in order, in a separate run. R5 is 100 + the body's index, or 1 in the default. */
export function chainText(values: readonly number[], options: ChainOptions = {}): string {
  const target = (i: number): number => options.targets?.[i] ?? i;
  const bodies = [...new Set(values.map((_, i) => target(i)))];
  return [
    ".func k(a: R0, n: R3) -> R5",
    "BB0:",
    options.selector ?? "MOV R1, R0",
    "ISETP.GT P9, R3, 12345",
    "@P9 BRA LX",
    ...values.flatMap((v, i) => [`ISETP.EQ P${i % 5}, R1, ${v}`, `@P${i % 5} BRA L${target(i)}`]),
    "BRA LD",
    ...bodies.flatMap((i) => [`L${i}:`, `MOV R5, ${100 + i}`, "BRA LE"]),
    "LX:",
    "MOV R5, 9",
    "BRA LE",
    "LD:",
    "MOV R5, 1",
    "LE:",
    "RET",
  ].join("\n");
}

export function parse(text: string): { readonly fn: Func; readonly module: Module } {
  const { module, diagnostics } = parseModule(text);
  const fn = module.funcs[0];
  if (fn === undefined || diagnostics.some((d) => d.severity === "error")) throw new Error(diagnostics.map((d) => d.message).join("\n"));
  return { fn, module };
}

export function runSwitchOpt(fn: Func, module: Module, policy: string, knobs: readonly string[] = []): PositionRun {
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, policy, knobs, phases: ["do-switch-opt-second"] }, null);
  const run = runPipeline(fn, module, plan).runs[0];
  if (run === undefined || run.error !== null) throw new Error(run?.error ?? "no run");
  return run;
}

/** Equality compares left, and the entries of each table in layout order. */
export function shapeOf(fn: Func): { readonly compares: number; readonly tables: readonly number[] } {
  const insts = fn.layout.flatMap((id) => fn.blocks[id]?.insts ?? []);
  const compares = insts.filter((inst) => inst.op === "ISETP" && (inst.mods[0] === "EQ" || inst.mods[0] === "NE")).length;
  const names = insts.map(tableName).filter((name) => name !== null);
  return { compares, tables: names.map((name) => fn.tables.get(name)?.entries.length ?? 0) };
}
