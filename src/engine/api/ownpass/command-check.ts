/** A pass that is a command of its own, in any language: random programs for its input, and what to say of its output. */

import { createPrng, type Prng } from "../../../base/prng.ts";
import { checkEquivalent } from "../../fuzz/equivalence.ts";
import { generateText } from "../../fuzz/generate/generate.ts";
import { shrinkSteps } from "../../fuzz/shrink.ts";
import { BrilSink, importBril, readBril } from "../../import/bril/import.ts";
import { brilOutput } from "../../import/bril/output.ts";
import { printBrilJson, printBrilText } from "../../import/bril/print.ts";
import { randomBril } from "../../import/bril/random.ts";
import { runKernel } from "../../interp/interpreter.ts";
import type { ParamValue } from "../../interp/outcome.ts";
import { describe } from "../../interp/report.ts";
import { is64, isPredicateReg, regName } from "../../ir/reg.ts";
import type { Func, Module } from "../../ir/types.ts";
import { parseModule } from "../../text/parser.ts";
import { printModule } from "../../text/printer.ts";
import { verifyFunc } from "../../verify/verify.ts";
import type { Diagnostic } from "../types.ts";

export const COMMAND_FORMATS = ["ori", "bril", "bril-json"] as const;
export type CommandFormat = (typeof COMMAND_FORMATS)[number];

export interface CommandFailure {
  /** `program`: the output is none; `signature`: another one; `verifier`; `meaning`. */
  readonly law: "program" | "signature" | "verifier" | "meaning";
  readonly message: string;
  /** On which the meaning differs. */
  readonly input: string | null;
}

/** A program of a seed. Always accepted by the verifier, always ending. */
export function commandProgram(format: CommandFormat, seed: number): string {
  if (format === "ori") return generateText({ seed, profile: "any", kinds: true });
  const { text } = randomBril(seed);
  return format === "bril" ? text : brilJson(text);
}

const brilJson = (text: string): string => printBrilJson(readBril(text, new BrilSink(1), text.length + 1));

/** Yields smaller programs, one after the other; the caller answers for each whether the command fails on it in the same way. Returns the smallest that did. */
export function* smallerPrograms(format: CommandFormat, program: string, attempts: number): Generator<string, string, boolean> {
  if (format === "ori") {
    const { module } = parseModule(program);
    const [fn] = module.funcs;
    if (fn === undefined) return program;
    const print = (of: Func): string => printModule({ ...module, funcs: [of] });
    const steps = shrinkSteps(fn, module, attempts);
    let step = steps.next();
    while (step.done !== true) step = steps.next(yield print(step.value));
    return step.value.fn === fn ? program : print(step.value.fn);
  }
  const form = (text: string): string => (format === "bril" ? text : brilJson(text));
  const text = format === "bril" ? program : printBrilText(readBril(program, new BrilSink(1), program.length + 1));
  const found = yield* fewerLines(text.split("\n"), form, attempts);
  return found === null ? program : form(found);
}

/** Runs of lines left out, long ones first, as long as what remains is a program that reads nothing without a value. */
function* fewerLines(
  lines: readonly string[],
  form: (text: string) => string,
  attempts: number,
): Generator<string, string | null, boolean> {
  let best = lines;
  let left = attempts;
  for (let size = Math.ceil(lines.length / 2); size >= 1 && left > 0; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let at = 0; at < best.length && left > 0; ) {
      const rest = [...best.slice(0, at), ...best.slice(at + size)];
      const text = rest.join("\n");
      const isProgram = importBril(text).diagnostics.every((d) => d.severity === "info");
      if (isProgram) left--;
      if (isProgram && (yield form(text))) best = rest;
      else at += size;
    }
  }
  return best === lines ? null : best.join("\n");
}

/** What is wrong with the output of a pass for a program; null: nothing that was found. */
export function judgeAnswer(format: CommandFormat, before: string, after: string, seed: number, inputs: number): CommandFailure | null {
  const [was, now] = [readModule(format, before), readModule(format, after)];
  const error = now.diagnostics.find((d) => d.severity === "error");
  if (error !== undefined)
    return {
      law: "program",
      message: `the output's line ${error.line}, column ${error.column}: ${error.code} ${error.message}`,
      input: null,
    };
  for (const fn of was.module.funcs.filter((f) => !was.own(f.name))) {
    const other = now.module.funcs.find((f) => f.name === fn.name);
    if (other === undefined) return { law: "signature", message: `the output has no ${fn.name}`, input: null };
    const [head, otherHead] = [signature(fn), signature(other)];
    if (head !== otherHead) return { law: "signature", message: `${fn.name} was ${head} and is ${otherHead}`, input: null };
    const wrong = verifyFunc(other, now.module).find((d) => d.severity === "error");
    if (wrong !== undefined) return { law: "verifier", message: `${wrong.code} ${wrong.message}`, input: null };
  }
  if (format !== "ori") return sameOutput(was, now.module, seed, inputs);
  for (const fn of was.module.funcs) {
    const other = now.module.funcs.find((f) => f.name === fn.name);
    const found = other === undefined ? null : checkEquivalent(fn, other, was.module, { inputs, seed }).counterexample;
    if (found !== null) return { law: "meaning", message: found.difference, input: found.text };
  }
  return null;
}

/** The output is a different program, however it is written. */
export function isChanged(format: CommandFormat, before: string, after: string): boolean {
  const [was, now] = [before, after].map((text) => printModule(readModule(format, text).module));
  return was !== now;
}

interface Read {
  readonly module: Module;
  readonly diagnostics: readonly Diagnostic[];
  /** A function that the importer added. */
  readonly own: (name: string) => boolean;
  /** Of the parameters of a Bril program's `main`. */
  readonly types: readonly unknown[];
}

function readModule(format: CommandFormat, text: string): Read {
  if (format === "ori") return { ...parseModule(text), own: () => false, types: [] };
  const { module, diagnostics, names } = importBril(text);
  const types = names.functions.get("main")?.params.map((p) => p.type) ?? [];
  return { module, diagnostics, own: (name) => !names.functions.has(name) || name !== "main", types };
}

// Registers of parameters of a Bril program are numbered by the importer; their classes say what counts.
const signature = (fn: Func): string =>
  `(${fn.params.map((p) => `${p.name}: ${regName(p.reg)}`).join(", ")})${fn.returns.length > 0 ? ` -> ${fn.returns.map(regName).join(", ")}` : ""}${fn.blockSize === null ? "" : ` .reqntid ${fn.blockSize.join(", ")}`}`;

const FUEL = 300_000;
const CALL_DEPTH = 2000;
const WORDS: readonly ParamValue[] = [
  0,
  1,
  2,
  5,
  17,
  [0xffff_ffff, 0xffff_ffff],
  [0, 0x8000_0000],
  [0xffff_ffff, 0x7fff_ffff],
  [0, 0x3ff0_0000],
];

/** A value as `exec` and Bril's own interpreter take it. */
function inBril(value: ParamValue, type: unknown): string {
  const [low, high] = typeof value === "number" ? [value, 0] : value;
  const bits = (BigInt(high >>> 0) << 32n) | BigInt(low >>> 0);
  switch (type) {
    case "bool":
      return String(low !== 0);
    case "char":
      return low >= 0x21 && low < 0x7f ? String.fromCharCode(low) : String(low);
    case "float":
      return String(new Float64Array(BigInt64Array.of(bits).buffer)[0]);
    default:
      return String(BigInt.asIntN(64, bits));
  }
}

/** Both programs run with the same arguments; where the first one ends, the second one must print the same. */
function sameOutput({ module: before, types }: Read, after: Module, seed: number, inputs: number): CommandFailure | null {
  const [first, second] = [before, after].map((m) => m.funcs.find((f) => f.kind === "kernel"));
  if (first === undefined || second === undefined) return null;
  const rng = createPrng(seed);
  for (let i = 0; i < inputs; i++) {
    const args = first.params.map(({ reg }) => argument(rng, is64(reg), isPredicateReg(reg)));
    const run = (module: Module, fn: Func, fuel: number) => {
      const outcome = runKernel(module, fn, { threads: 1, fuel, args, buffers: [], callDepth: CALL_DEPTH });
      return { outcome, lines: brilOutput(module.symbols, outcome.symbols?.bytes ?? null) ?? [], fn };
    };
    const a = run(before, first, FUEL);
    if (a.outcome.status !== "ok") continue;
    const b = run(after, second, FUEL * 10);
    const input = first.params.map((p, j) => `${p.name}=${inBril(args[j] ?? 0, types[j])}`).join(" ");
    if (b.outcome.status !== "ok")
      return { law: "meaning", message: `it ended normally before; now: ${describe(second, b.outcome)}`, input };
    const at = a.lines.findIndex((line, j) => line !== b.lines[j]);
    if (at >= 0) return { law: "meaning", message: `line ${at + 1} was '${a.lines[at]}' and is '${b.lines[at] ?? ""}'`, input };
    if (b.lines.length > a.lines.length)
      return { law: "meaning", message: `it now prints ${b.lines.length} lines, before ${a.lines.length}`, input };
  }
  return null;
}

function argument(rng: Prng, wide: boolean, predicate: boolean): ParamValue {
  if (predicate) return rng.below(2);
  const drawn = WORDS[rng.below(WORDS.length)] ?? 0;
  return wide || typeof drawn === "number" ? drawn : drawn[0] & 0xffff;
}
