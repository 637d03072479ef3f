/** Whether two programs mean the same, by running both on many inputs. */

import { EquivalenceChecker } from "../../fuzz/equivalence.ts";
import { regName } from "../../ir/reg.ts";
import type { Func } from "../../ir/types.ts";
import { readText } from "../read/read.ts";
import { hasError } from "../read/read-with.ts";
import type { Diagnostic } from "../types.ts";

export interface CompareOptions {
  /** Name of the kernel in both programs; default: the only one, or the first of the first program. */
  readonly kernel?: string;
  /** How many inputs to try; default 64. */
  readonly inputs?: number;
  /** The same seed tries the same inputs; default 1. */
  readonly seed?: number;
  /** Threads of most inputs; default 32. */
  readonly threads?: number;
  /** Instructions, counted for each thread, that the first program may execute over all inputs; then no further input is tried. Default: no limit. */
  readonly steps?: number;
}

export interface Comparison {
  /** `different`: a counterexample was found. `same`: none was. `unknown`: no input let the first program end normally, or its results rest on values that the model makes up. `refused`: see `message`. */
  readonly verdict: "same" | "different" | "unknown" | "refused";
  readonly message: string;
  /** Inputs tried, and those on which the first program ended normally without a race: only these count. */
  readonly inputs: number;
  readonly effective: number;
  /** The input and the difference, in words. */
  readonly counterexample: string | null;
  /** What is wrong with the texts. */
  readonly diagnostics: readonly Diagnostic[];
}

/** Compares two programs in Ori, PTX or SASS. Never throws because of the texts. */
export function compareTexts(before: string, after: string, options: CompareOptions = {}): Comparison {
  const [one, two] = [readText(before, null), readText(after, null)];
  const diagnostics = [...one.diagnostics, ...two.diagnostics];
  const refused = (message: string): Comparison => ({
    verdict: "refused",
    message,
    inputs: 0,
    effective: 0,
    counterexample: null,
    diagnostics,
  });
  if (!one.ok || hasError(one.diagnostics)) return refused("The first text has errors.");
  if (!two.ok || hasError(two.diagnostics)) return refused("The second text has errors.");
  const name = options.kernel ?? one.module.funcs[0]?.name ?? "";
  const a = one.module.funcs.find((fn) => fn.name === name);
  if (a === undefined) return refused(`The first text has no kernel '${name}'.`);
  const only = options.kernel === undefined && two.module.funcs.length === 1 ? two.module.funcs[0] : undefined;
  const b = two.module.funcs.find((fn) => fn.name === name) ?? only;
  if (b === undefined) return refused(`The second text has no kernel '${name}'.`);
  if (signature(a) !== signature(b)) return refused(`The parameters differ: ${signature(a)} and ${signature(b)}.`);
  const { inputs = 64, seed = 1, threads, steps } = options;
  const checker = new EquivalenceChecker(a, one.module, {
    inputs,
    seed,
    known: true,
    ...(threads === undefined ? {} : { threads }),
    ...(steps === undefined ? {} : { steps }),
  });
  const { ok, inputs: tried, effective, doubt, counterexample } = checker.check(b);
  const cut =
    steps !== undefined && tried < inputs
      ? ` Only ${tried} of ${inputs} inputs were tried: the limit is ${steps} executed instructions.`
      : "";
  const base = { inputs: tried, effective, counterexample: counterexample?.text ?? null, diagnostics };
  if (!ok) return { ...base, verdict: "different", message: "The programs differ on an input." };
  if (effective === 0 && doubt !== null) return { ...base, verdict: "unknown", message: `Not decided: ${doubt}.${cut}` };
  if (effective === 0) return { ...base, verdict: "unknown", message: `On no input did the first program end normally.${cut}` };
  return { ...base, verdict: "same", message: `No difference on ${effective} inputs.${cut}` };
}

/** What a caller sees: kinds, parameters and results by register. */
function signature({ kind, params, returns }: Func): string {
  return `${kind}(${params.map(({ reg }) => regName(reg)).join(", ")})${returns.length === 0 ? "" : ` -> ${returns.map(regName).join(", ")}`}`;
}
