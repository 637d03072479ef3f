/** Random programs on which a command that reads and writes Bril is tested, and what its output does otherwise. */

import { createPrng, type Prng } from "../../../base/prng.ts";
import type { ProgramForm, Reading } from "../../../engine/import/reader.ts";
import { runKernel } from "../../../engine/interp/interpreter.ts";
import type { ParamValue } from "../../../engine/interp/outcome.ts";
import { describe } from "../../../engine/interp/report.ts";
import { is64, isPredicateReg } from "../../../engine/ir/reg.ts";
import type { Func, Module } from "../../../engine/ir/types.ts";
import { BrilSink, importBril, readBril } from "./import.ts";
import { brilOutput } from "./output.ts";
import { printBrilJson, printBrilText } from "./print.ts";
import { randomBril } from "./random.ts";

export function testPrograms(written: ProgramForm["written"]): ProgramForm {
  const form = (text: string): string => (written === "text" ? text : printBrilJson(parsed(text)));
  return {
    written,
    random: (seed) => form(randomBril(seed).text),
    difference,
    *smaller(program, attempts) {
      const text = written === "text" ? program : printBrilText(parsed(program));
      const found = yield* fewerLines(text.split("\n"), form, attempts);
      return found === null ? program : form(found);
    },
  };
}

const parsed = (text: string): ReturnType<typeof readBril> => readBril(text, new BrilSink(1), text.length + 1);

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

/** Both programs run with the same arguments; where the first one ends, the second one must print the same. */
function difference(was: Reading, now: Reading, seed: number, inputs: number): ReturnType<ProgramForm["difference"]> {
  const [before, after] = [was.module, now.module];
  const [first, second] = [before, after].map((m) => m.funcs.find((f) => f.kind === "kernel"));
  if (first === undefined || second === undefined) return null;
  const types = was.program?.types("main") ?? [];
  const rng = createPrng(seed);
  for (let i = 0; i < inputs; i++) {
    const args = first.params.map(({ reg }) => argument(rng, is64(reg), isPredicateReg(reg)));
    const run = (module: Module, fn: Func, fuel: number) => {
      const outcome = runKernel(module, fn, { threads: 1, fuel, args, buffers: [], callDepth: CALL_DEPTH });
      return { outcome, lines: brilOutput(module.symbols, outcome.symbols?.bytes ?? null) ?? [] };
    };
    const a = run(before, first, FUEL);
    if (a.outcome.status !== "ok") continue;
    const b = run(after, second, FUEL * 10);
    const input = first.params.map((p, j) => `${p.name}=${inBril(args[j] ?? 0, types[j])}`).join(" ");
    if (b.outcome.status !== "ok") return { message: `it ended normally before; now: ${describe(second, b.outcome)}`, input };
    const at = a.lines.findIndex((line, j) => line !== b.lines[j]);
    if (at >= 0) return { message: `line ${at + 1} was '${a.lines[at]}' and is '${b.lines[at] ?? ""}'`, input };
    if (b.lines.length > a.lines.length) return { message: `it now prints ${b.lines.length} lines, before ${a.lines.length}`, input };
  }
  return null;
}

function argument(rng: Prng, wide: boolean, predicate: boolean): ParamValue {
  if (predicate) return rng.below(2);
  const drawn = WORDS[rng.below(WORDS.length)] ?? 0;
  return wide || typeof drawn === "number" ? drawn : drawn[0] & 0xffff;
}

/** A value as `exec` and Bril's own interpreter take it. */
function inBril(value: ParamValue, type: string | null | undefined): string {
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
