/** Programs that a user's pass is tried on: given ones, random ones, and reductions of one on which it fails. */

import { type GuestProgram, guestProgram } from "../../../engine/api/own/program.ts";
import { generateText } from "../../../engine/fuzz/generate/generate.ts";
import type { Profile } from "../../../engine/fuzz/generate/options.ts";
import { shrinkSteps } from "../../../engine/fuzz/shrink.ts";
import { calleesOf } from "../../../engine/ir/callees.ts";
import { parseModule } from "../../../engine/text/parser.ts";
import { printModule } from "../../../engine/text/printer.ts";

/** Shapes of random programs, one after the other by seed. */
const SHAPES: readonly Profile[] = ["any", "redundant", "diamond", "copies", "irreducible", "nest", "tails", "lanes", "switch", "effects"];
/** Approximate number of constructs: small programs find as much as large ones, and are easier to read. */
const SIZE = 8;

/** The random program of a seed, and what shape it has. */
export function passProgram(seed: number, kinds = true): { readonly text: string; readonly shape: string } {
  const shape = SHAPES[seed % SHAPES.length] ?? "any";
  return { text: generateText({ seed, profile: shape, size: SIZE, kinds }), shape };
}

/** Each body of a text as a program, followed by what it calls; a string says why there is none. */
export function passPrograms(text: string): readonly { readonly name: string; readonly program: GuestProgram }[] | string {
  const { module, diagnostics } = parseModule(text);
  const error = diagnostics.find((d) => d.severity === "error");
  if (error !== undefined) return `line ${error.line}: ${error.code} ${error.message}`;
  if (module.funcs.length === 0) return "The text contains no kernel.";
  return module.funcs.map((fn) => ({ name: fn.name, program: guestProgram(fn, module, calleesOf(fn, module)) }));
}

/** Yields smaller programs, one after the other; the caller answers for each whether the pass fails on it in the same way. Returns the smallest that did. */
export function* smallerPassPrograms(text: string, attempts: number): Generator<GuestProgram, string, boolean> {
  const { module } = parseModule(text);
  const [fn, ...called] = module.funcs;
  if (fn === undefined) return text;
  const steps = shrinkSteps(fn, module, attempts);
  let step = steps.next();
  while (step.done !== true) step = steps.next(yield guestProgram(step.value, module, called));
  return printModule({ ...module, funcs: [step.value.fn, ...called], tail: [] });
}
