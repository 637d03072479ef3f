/**
 * Tries every registered pass on random programs: `npm run fuzz -- --count N [--seed S] [--phase P] [--profile X] [--jobs J]`.
 * Prints the seed of each run; a failure is made small and written as a `.ori` file. Exit code 1 when something failed, 2 for a wrong argument.
 */

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createFuzzer, FUZZ_POLICIES, FUZZ_PROFILES, type FuzzFailure } from "../engine/api/fuzz.ts";

const USAGE = `usage: npm run fuzz -- [options]
  --count N      programs to try (default 200)
  --seed S       seed of the first program; the next ones count on from it (default: from the clock)
  --phase P      only this phase (number, id or name); default: every position, and the whole pipeline
  --profile X    only programs of one kind: ${FUZZ_PROFILES.join(", ")}
  --inputs N     inputs per program (default 16)
  --target T     only this target (default: drawn from the seed)
  --policy P     only this policy, ${FUZZ_POLICIES.join(" or ")} (default: drawn from the seed)
  --knob N=V     a knob to set; may be repeated
  --size N       size of the programs (default 12)
  --jobs J       processes (default 1)
  --no-trace     leave out recording and replaying
  --no-shrink    write failures as they are found
  --stop         stop at the first failure
  --out DIR      where failing programs are written (default fuzz-failures)`;

const NUMBERS = ["count", "seed", "inputs", "size", "jobs"] as const;
const WORDS = ["phase", "profile", "target", "policy", "out"] as const;
const SWITCHES = ["no-trace", "no-shrink", "stop"] as const;

interface Options {
  readonly numbers: Partial<Record<(typeof NUMBERS)[number], number>>;
  readonly words: Partial<Record<(typeof WORDS)[number], string>>;
  readonly switches: ReadonlySet<string>;
  readonly knobs: readonly string[];
}

function isOneOf<T extends string>(names: readonly T[], word: string): word is T {
  return (names as readonly string[]).includes(word);
}

/** The options, or what is wrong with them. */
function readOptions(argv: readonly string[]): Options | string {
  const numbers: Partial<Record<(typeof NUMBERS)[number], number>> = {};
  const words: Partial<Record<(typeof WORDS)[number], string>> = {};
  const switches = new Set<string>();
  const knobs: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const [option, inline] = splitOption(argv[i] ?? "");
    const name = option.startsWith("--") ? option.slice(2) : "";
    if (isOneOf(SWITCHES, name)) {
      switches.add(name);
      continue;
    }
    if (!isOneOf(NUMBERS, name) && !isOneOf(WORDS, name) && name !== "knob") return `unknown option ${option}`;
    const value = inline ?? argv[++i];
    if (value === undefined) return `${option} takes a value`;
    if (isOneOf(NUMBERS, name)) {
      const number = Number(value);
      if (!Number.isInteger(number) || number < 0) return `${option} takes a whole number`;
      numbers[name] = number;
    } else if (isOneOf(WORDS, name)) words[name] = value;
    else knobs.push(value);
  }
  return { numbers, words, switches, knobs };
}

/** `--name=value` in two; of a knob only the option's own sign counts. */
function splitOption(word: string): readonly [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

const argv = process.argv.slice(2);
const options = readOptions(argv);
if (argv.includes("--help")) console.log(USAGE);
else if (typeof options === "string") usageError(options);
else if ((options.numbers.jobs ?? 1) > 1) await spread(options);
else process.exitCode = run(options);

function usageError(message: string): void {
  console.error(`fuzz: ${message}\n\n${USAGE}`);
  process.exitCode = 2;
}

function firstSeed({ numbers }: Options): number {
  return numbers.seed ?? Date.now() % 1_000_000_000;
}

/** Runs all cases in this process; the exit code. */
function run(o: Options): number {
  const { numbers, words, switches } = o;
  const fuzzer = createFuzzer({
    phase: words.phase ?? null,
    profile: words.profile ?? null,
    target: words.target ?? null,
    policy: words.policy ?? null,
    knobs: o.knobs,
    inputs: numbers.inputs ?? 16,
    size: numbers.size ?? null,
    trace: !switches.has("no-trace"),
    shrink: !switches.has("no-shrink"),
  });
  if (typeof fuzzer === "string") {
    usageError(fuzzer);
    return 2;
  }
  const first = firstSeed(o);
  const end = first + (numbers.count ?? 200);
  console.log(`fuzz: seeds ${first} to ${end - 1}, ${fuzzer.positions} positions`);
  let runs = 0;
  let changed = 0;
  let programs = 0;
  const seen = new Map<string, number>();
  const started = Date.now();
  for (let seed = first; seed < end; seed++) {
    const result = fuzzer.try(seed);
    programs++;
    runs += result.runs;
    changed += result.changed;
    for (const failure of result.failures) report(failure, words.out ?? "fuzz-failures", seen);
    if (switches.has("stop") && seen.size > 0) break;
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`fuzz: ${programs} programs, ${runs} runs, ${changed} of them changed something, ${seconds} s`);
  for (const [kind, n] of seen) console.log(`fuzz: ${n} x ${kind}`);
  return seen.size > 0 ? 1 : 0;
}

/** Prints a failure; the first three of a kind are written to files. */
function report({ seed, profile, kind, id, law, message, instructions, text }: FuzzFailure, out: string, seen: Map<string, number>): void {
  const before = seen.get(kind) ?? 0;
  seen.set(kind, before + 1);
  console.log(`FAIL seed ${seed} (${profile}) ${kind}: ${message}`);
  if (before >= 3) return;
  mkdirSync(out, { recursive: true });
  const file = join(out, `${id}-${law}-seed-${seed}.ori`);
  writeFileSync(file, text);
  console.log(`     ${instructions} instructions, written to ${file}`);
}

/** Splits the seeds among processes. */
async function spread(o: Options): Promise<void> {
  const entry = process.argv[1] ?? "";
  const rest = argv.filter((_, i) => !isSplitOption(i));
  const [count, jobs, first] = [o.numbers.count ?? 200, o.numbers.jobs ?? 1, firstSeed(o)];
  const share = Math.ceil(count / jobs);
  const codes = await Promise.all(
    Array.from({ length: jobs }, (_, j) => {
      const part = Math.min(share, count - j * share);
      if (part <= 0) return Promise.resolve(0);
      const args = [entry, ...rest, "--jobs", "1", "--seed", String(first + j * share), "--count", String(part)];
      return new Promise<number>((resolve) => {
        spawn(process.execPath, args, { stdio: "inherit" }).on("close", (code) => resolve(code ?? 3));
      });
    }),
  );
  process.exitCode = Math.max(0, ...codes);
}

/** True for `--jobs`, `--seed` and `--count` and their values. */
function isSplitOption(i: number): boolean {
  const split = ["--jobs", "--seed", "--count"];
  const word = argv[i] ?? "";
  return split.includes(splitOption(word)[0]) || (i > 0 && split.includes(argv[i - 1] ?? ""));
}
