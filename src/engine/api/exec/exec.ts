/** Runs and compares functions by the interpreter, in the viewer's terms. */

import { checkReport } from "../../fuzz/equivalence.ts";
import type { BrilReader } from "../../import/bril/bril.ts";
import type { BrilNames } from "../../import/bril/names.ts";
import { runKernel } from "../../interp/interpreter.ts";
import { LANES } from "../../interp/machine.ts";
import type { ExecOutcome } from "../../interp/outcome.ts";
import { toExecReport } from "../../interp/report.ts";
import { parseExecRequest } from "../../interp/request.ts";
import { HEAP_SYMBOL, OUTPUT_SYMBOL } from "../../ir/one-thread.ts";
import type { Func, Module, ModuleSymbol } from "../../ir/types.ts";
import type { CheckReport } from "../../pipeline/run.ts";
import type { Diagnostic, ExecReport, ExecRequest } from "../types.ts";

/** Problems of the request come back as diagnostics with status `trap` and no run. */
export function execute(
  module: Module | null,
  fn: Func | null,
  request: ExecRequest,
  names: BrilNames | null = null,
  support: BrilReader | null = null,
): ExecReport {
  if (module === null || fn === null) return refused("There is nothing to run: open a program first.", []);
  const typed = names === null ? request : { ...request, args: request.args.map((arg) => typedArgument(arg, fn, names)) };
  const { inputs, diagnostics } = parseExecRequest(typed, fn, module.symbols);
  if (inputs === null) return refused(diagnostics[0]?.message ?? "The request cannot be read.", diagnostics);
  const followed = { ...inputs, follow: true };
  const roomy = names === null ? module : withRoom(module);
  const first = runKernel(roomy, fn, names === null ? followed : { ...followed, callDepth: BRIL_CALL_DEPTH });
  const isStuck = first.status === "fuel" && (first.counters.divergentBranches > 0 || inputs.threads > LANES);
  const outcome = isStuck && hasIndependentThreads(module) ? independently(module, fn, typed, first) : first;
  const output = support?.output(roomy.symbols, outcome.symbols?.bytes ?? null) ?? null;
  const report = toExecReport(fn, outcome);
  const full = names === null ? null : fullWords(names.runtime.get(outcome.stop?.func ?? "")?.kind, roomy.symbols);
  return {
    ...report,
    ...(outcome.status === "trap" && full !== null ? { message: `${report.message}: ${full}` } : {}),
    diagnostics,
    ...(output === null ? {} : { output }),
  };
}

/** From sm_70 on, a thread that waits lets others run. */
function hasIndependentThreads({ target }: Module): boolean {
  const number = /^(?:sm|compute)_(\d+)/.exec(target ?? "")?.[1];
  return number === undefined || Number(number) >= 70;
}

/** Runs again with independent threads; `first` is what happened without, and counts unless that ends. */
function independently(module: Module, fn: Func, request: ExecRequest, first: ExecOutcome): ExecOutcome {
  const { inputs } = parseExecRequest(request, fn, module.symbols);
  const second = inputs === null ? first : runKernel(module, fn, { ...inputs, follow: true, independent: true });
  return second.status === "fuel" ? first : second;
}

/** What a trap in one of the functions that we add to Bril programs means. */
function fullWords(kind: string | undefined, symbols: readonly ModuleSymbol[]): string | null {
  const size = (name: string): string => `${Math.floor((symbols.find((s) => s.name === name)?.size ?? 0) / 1024)} KiB`;
  if (kind === "print") return `the program's output exceeds the ${size(OUTPUT_SYMBOL)} reserved for it`;
  if (kind === "alloc") return `an allocation of no cells, or of more than are left of the ${size(HEAP_SYMBOL)} heap`;
  return null;
}

/** What a run may print. The program's text reserves less, which would do for a GPU's memory. */
const PRINTED_BYTES = 4 * 1024 * 1024;

/** The output is the last of a Bril program's variables, so that nothing moves when it grows. */
function withRoom(module: Module): Module {
  const symbols = module.symbols.map((s) => (s.name === OUTPUT_SYMBOL ? { ...s, size: Math.max(s.size, PRINTED_BYTES) } : s));
  return { ...module, symbols };
}

/** Calls that call themselves are what many a first program is about. */
const BRIL_CALL_DEPTH = 4000;

/** `x=1.5` for a float and `c='a'` for a character, as the parameter's type in Bril says. */
function typedArgument(text: string, fn: Func, names: BrilNames): string {
  const [, name = "", value = ""] = /^([^=]*)=(.*)$/s.exec(text) ?? [];
  const index = fn.params.findIndex((p) => p.name === name.trim());
  const type = names.functions.get(fn.name)?.params[index]?.type;
  const bare = value.trim();
  if (type === "float" && !bare.includes(":")) return `${name}=f64:${bare}`;
  const char = /^(?:'(.)'|([^\d]))$/su.exec(bare);
  return type === "char" && char !== null ? `${name}=${(char[1] ?? char[2] ?? "").codePointAt(0)}` : text;
}

/** The same inputs in every run: what was found once is found again. */
const CHECK_SEED = 1;

/** Whether a phase kept the meaning, on `inputs` inputs. */
export function checkPhase(before: Func, after: Func, module: Module, inputs: number): CheckReport {
  return checkReport(before, after, module, { inputs, seed: CHECK_SEED, known: true });
}

function refused(message: string, diagnostics: readonly Diagnostic[]): ExecReport {
  return {
    status: "trap",
    at: null,
    message,
    returns: [],
    memory: {},
    counters: { warpInstructions: 0, laneInstructions: 0, branches: 0, divergentBranches: 0, maxSyncDepth: 0, loads: 0, stores: 0 },
    heat: [],
    diagnostics,
  };
}
