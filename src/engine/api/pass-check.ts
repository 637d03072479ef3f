/** Judges what a pass of one's own made of a program: the laws, and what it saved. Whatever ran the pass, its answer is text, read here as if somebody had typed it. */

import { checkEquivalent } from "../fuzz/equivalence.ts";
import { generateText } from "../fuzz/generate/generate.ts";
import type { Profile } from "../fuzz/generate/options.ts";
import { inputShape, makeInput, toRunInputs } from "../fuzz/inputs.ts";
import { shrinkSteps } from "../fuzz/shrink.ts";
import { runKernel } from "../interp/interpreter.ts";
import { calleesOf } from "../ir/callees.ts";
import { threadsFor } from "../ir/one-thread.ts";
import { regName } from "../ir/reg.ts";
import type { Func, Module } from "../ir/types.ts";
import { sameUpToNames } from "../ownpass/same-up-to-names.ts";
import { parseModule } from "../text/parser.ts";
import { printModule } from "../text/printer.ts";
import { verifyChange } from "../verify/verify.ts";
import { type GuestProgram, guestProgram } from "./pass-guest.ts";

export { sameUpToNames };

/** Shapes of random programs, one after the other by seed. */
const SHAPES: readonly Profile[] = ["any", "redundant", "diamond", "copies", "irreducible", "nest", "tails", "lanes", "switch", "effects"];
/** About so many constructs: small programs find as much as large ones, and are read more easily. */
const SIZE = 8;

/** The random program of a seed, and what shape it has. */
export function passProgram(seed: number): { readonly text: string; readonly shape: string } {
  const shape = SHAPES[seed % SHAPES.length] ?? "any";
  return { text: generateText({ seed, profile: shape, size: SIZE }), shape };
}

/** Each body of a text as a program of its own, with what it calls after it; a string says why there is none. */
export function passPrograms(text: string): readonly { readonly name: string; readonly program: GuestProgram }[] | string {
  const { module, diagnostics } = parseModule(text);
  const error = diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) return `line ${error.line}: ${error.code} ${error.message}`;
  if (module.funcs.length === 0) return "The text holds no kernel.";
  return module.funcs.map((fn) => ({ name: fn.name, program: guestProgram(fn, module, calleesOf(fn, module)) }));
}

export interface PassVerdict {
  /** null: no law is broken. `program`: the answer is none; `signature`: another one; `verifier`; `meaning`. */
  readonly law: "program" | "signature" | "verifier" | "meaning" | null;
  readonly message: string;
  /** On which the meaning differs. */
  readonly input: string | null;
  /** Inputs on which the program ended normally: with none of them nothing was decided. */
  readonly decided: number;
  /** Instructions in the text, before and after. */
  readonly size: readonly [number, number];
  /** Warp instructions executed on the counted inputs, before and after. */
  readonly executed: readonly [number, number];
}

const COUNTED = 4;
const COUNTED_THREADS = 32;
const FUEL = 100_000;

/** `before` was accepted by the verifier. */
export function judgePass(before: string, after: string, options: { readonly seed: number; readonly inputs: number }): PassVerdict {
  const was = parseModule(before).module;
  const { module: now, diagnostics } = parseModule(after);
  const [fn] = was.funcs;
  const [other] = now.funcs;
  const base = { input: null, decided: 0, size: [sizeOf(fn), sizeOf(other)], executed: [0, 0] } as const;
  const error = diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) return { ...base, law: "program", message: `line ${error.line} of the result: ${error.code} ${error.message}` };
  if (fn === undefined || other === undefined) return { ...base, law: "program", message: "The result holds no program." };
  const [head, otherHead] = [signature(fn), signature(other)];
  if (head !== otherHead) return { ...base, law: "signature", message: `${head} became ${otherHead}` };
  // Written with the same names in both, blocks of the result are those of the program where the labels are.
  const wrong = verifyChange(fn, other, was).find((d) => d.severity === "error");
  if (wrong !== undefined) return { ...base, law: "verifier", message: `${wrong.code} ${wrong.message}` };
  const { inputs, seed } = options;
  if (before === after) {
    // Nothing was changed: there is nothing to compare, and what it costs is the same.
    const { ended, sum } = cost(fn, was, seed);
    return { ...base, law: null, message: "", decided: ended, executed: [sum, sum] };
  }
  const { counterexample, effective } = checkEquivalent(fn, other, was, { inputs, seed, fuel: FUEL });
  if (counterexample !== null) {
    return { ...base, law: "meaning", message: counterexample.difference, input: counterexample.text, decided: effective };
  }
  return { ...base, law: null, message: "", decided: effective, executed: executed(fn, other, was, seed) };
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

/** Of both, on the inputs on which the first one ends. */
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

const signature = (fn: Func): string =>
  `.${fn.kind} ${fn.name}(${fn.params.map((p) => `${p.name}: ${regName(p.reg)}`).join(", ")})${fn.returns.length > 0 ? ` -> ${fn.returns.map(regName).join(", ")}` : ""}`;

/** Smaller programs, one after the other: whoever asks says of each whether the pass fails on it in the same way. The smallest that did. */
export function* smallerPassPrograms(text: string, attempts: number): Generator<GuestProgram, string, boolean> {
  const { module } = parseModule(text);
  const [fn, ...called] = module.funcs;
  if (fn === undefined) return text;
  const steps = shrinkSteps(fn, module, attempts);
  let step = steps.next();
  while (step.done !== true) step = steps.next(yield guestProgram(step.value, module, called));
  return printModule({ ...module, funcs: [step.value.fn, ...called], tail: [] });
}
