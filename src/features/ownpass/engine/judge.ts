/** Judges the result of a user's pass: the laws, and what it saved. Wherever the pass ran, its answer is untrusted text and is parsed as such. */

import type { GuestProgram } from "../../../engine/api/own/program.ts";
import { EquivalenceChecker } from "../../../engine/fuzz/equivalence.ts";
import { inputShape, makeInput, toRunInputs } from "../../../engine/fuzz/inputs.ts";
import { runKernel } from "../../../engine/interp/interpreter.ts";
import { threadsFor } from "../../../engine/ir/one-thread.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { headerText } from "../../../engine/text/printer.ts";
import { verifyChange } from "../../../engine/verify/verify.ts";
import { sameUpToNames } from "./api/same-up-to-names.ts";
import { passProgram, passPrograms } from "./programs.ts";

export { sameUpToNames };

export interface PassVerdict {
  /** null: no law is broken. `program`: the result is not a program; `signature`: a different one; `verifier`; `meaning`. */
  readonly law: "program" | "signature" | "verifier" | "meaning" | null;
  readonly message: string;
  /** On which the meaning differs. */
  readonly input: string | null;
  /** Inputs on which the program ended normally: without any, nothing was decided. */
  readonly decided: number;
  /** Instructions in the text, before and after. */
  readonly size: readonly [number, number];
  /** Warp instructions executed on the counted inputs, before and after. */
  readonly executed: readonly [number, number];
}

export interface JudgeOptions {
  readonly seed: number;
  readonly inputs: number;
  /** Count what both execute, which needs additional runs. Default: yes. */
  readonly costs?: boolean;
}

export interface RandomProgram {
  readonly shape: string;
  readonly program: GuestProgram;
}

const COUNTED = 4;
const COUNTED_THREADS = 32;
const FUEL = 100_000;
/** The most cached programs, with their runs, and verdicts for each. */
const MOST_PROGRAMS = 160;
const MOST_VERDICTS = 100;

/** What the results of any number of passes on one program are compared with. */
interface Before {
  readonly fn: Func;
  readonly module: Module;
  readonly checker: EquivalenceChecker;
  readonly verdicts: Map<string, PassVerdict>;
  cost: { readonly ended: number; readonly sum: number } | null;
}

/** Judges many passes on the same programs: a program's own behaviour is computed once, and equal results are judged once. */
export class PassJudge {
  private readonly known = new Map<string, Before>();
  private readonly drawn = new Map<string, RandomProgram | null>();
  private readonly kinds: boolean;

  /** `kinds`: random programs also contain the kinds of `generate/kinds.ts`. Labs leave them out, so that their grades are unchanged. */
  constructor(kinds = true) {
    this.kinds = kinds;
  }

  /** The random program of a seed; null: the seed gives none. */
  random(seed: number): RandomProgram | null {
    const known = this.drawn.get(`${seed}`);
    if (known !== undefined) return known;
    const { text, shape } = passProgram(seed, this.kinds);
    const found = passPrograms(text);
    const [one] = typeof found === "string" ? [] : found;
    const made = one === undefined ? null : { shape, program: one.program };
    add(this.drawn, `${seed}`, made, MOST_PROGRAMS);
    return made;
  }

  /** `before` was accepted by the verifier. */
  judge(before: string, after: string, options: JudgeOptions): PassVerdict {
    const kept = this.keptOf(before, options);
    if (kept === null) return refused("program", "There is no program to compare with.");
    const key = `${options.costs !== false}${after}`;
    const known = kept.verdicts.get(key);
    if (known !== undefined) return known;
    const verdict = judged(kept, before, after, options);
    add(kept.verdicts, key, verdict, MOST_VERDICTS);
    return verdict;
  }

  private keptOf(before: string, { seed, inputs }: JudgeOptions): Before | null {
    const key = `${seed} ${inputs} ${before}`;
    const known = this.known.get(key);
    if (known !== undefined) return known;
    const { module } = parseModule(before);
    const [fn] = module.funcs;
    if (fn === undefined) return null;
    const checker = new EquivalenceChecker(fn, module, { inputs, seed, fuel: FUEL });
    const made: Before = { fn, module, checker, verdicts: new Map(), cost: null };
    add(this.known, key, made, MOST_PROGRAMS);
    return made;
  }
}

/** Judges a single result. */
export const judgePass = (before: string, after: string, options: JudgeOptions): PassVerdict =>
  new PassJudge().judge(before, after, options);

/** Adds an entry; at the limit, the oldest is dropped. */
function add<T>(map: Map<string, T>, key: string, value: T, most: number): void {
  const [oldest] = map.keys();
  if (map.size >= most && oldest !== undefined) map.delete(oldest);
  map.set(key, value);
}

function refused(law: NonNullable<PassVerdict["law"]>, message: string, size: PassVerdict["size"] = [0, 0]): PassVerdict {
  return { law, message, input: null, decided: 0, size, executed: [0, 0] };
}

function judged(kept: Before, before: string, after: string, { seed, costs = true }: JudgeOptions): PassVerdict {
  const { fn, module: was, checker } = kept;
  const { module: now, diagnostics } = parseModule(after);
  const [other] = now.funcs;
  const size = [sizeOf(fn), sizeOf(other)] as const;
  const error = diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) return refused("program", `line ${error.line} of the result: ${error.code} ${error.message}`, size);
  if (other === undefined) return refused("program", "The result contains no program.", size);
  const [head, otherHead] = [headerText(fn), headerText(other)];
  if (head !== otherHead) return refused("signature", `${head} became ${otherHead}`, size);
  // Both texts use the same register names, by which the verifier compares them.
  const wrong = verifyChange(fn, other, was).find((d) => d.severity === "error");
  if (wrong !== undefined) return refused("verifier", `${wrong.code} ${wrong.message}`, size);
  if (before === after) {
    // Nothing was changed: there is nothing to compare, and the cost is the same.
    kept.cost ??= cost(fn, was, seed);
    const { ended, sum } = kept.cost;
    return { law: null, message: "", input: null, decided: ended, size, executed: costs ? [sum, sum] : [0, 0] };
  }
  const { counterexample, effective } = checker.check(other);
  if (counterexample !== null)
    return {
      law: "meaning",
      message: counterexample.difference,
      input: counterexample.text,
      decided: effective,
      size,
      executed: [0, 0],
    };
  return { law: null, message: "", input: null, decided: effective, size, executed: costs ? executed(fn, other, was, seed) : [0, 0] };
}

/** Warp instructions on the counted inputs on which the program ends. */
function cost(fn: Func, module: Module, seed: number): { readonly ended: number; readonly sum: number } {
  const threads = threadsFor(module, COUNTED_THREADS);
  const shape = inputShape(fn, threads);
  let [ended, sum] = [0, 0];
  for (let i = 0; i < COUNTED; i++) {
    const outcome = runKernel(module, fn, toRunInputs(makeInput(shape, seed, i, threads), FUEL));
    if (outcome.status !== "ok") continue;
    ended++;
    sum += outcome.counters.warpInstructions;
  }
  return { ended, sum };
}

/** Warp instructions of both, on the inputs on which the first one ends. */
function executed(before: Func, after: Func, module: Module, seed: number): readonly [number, number] {
  const threads = threadsFor(module, COUNTED_THREADS);
  const shape = inputShape(before, threads);
  let [sum, sumAfter] = [0, 0];
  for (let i = 0; i < COUNTED; i++) {
    const input = makeInput(shape, seed, i, threads);
    const a = runKernel(module, before, toRunInputs(input, FUEL));
    if (a.status !== "ok") continue;
    const b = runKernel(module, after, toRunInputs(input, FUEL * 4));
    sum += a.counters.warpInstructions;
    sumAfter += b.counters.warpInstructions;
  }
  return [sum, sumAfter];
}

const sizeOf = (fn: Func | undefined): number => fn?.layout.reduce((n, id) => n + (fn.blocks[id]?.insts.length ?? 0), 0) ?? 0;
