/**
 * Tries every registered pass on random programs: `npm run fuzz -- --count N [--seed S] [--phase P] [--profile X] [--jobs J]`.
 * Prints the seed of each run; a failure is made small and written as a `.ori` file. Exit code 1 when something failed, 2 for a wrong argument.
 */

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CaseResult, type Failure, runCase } from "../engine/exec/campaign.ts";
import { isProfile, PROFILES, type Profile } from "../engine/exec/generate/options.ts";
import { PASSES } from "../engine/passes/registry.ts";
import { parseKnobs } from "../engine/pipeline/knob-parse.ts";
import { lookupPhase } from "../engine/pipeline/named-phases.ts";
import { isPolicy, POLICIES, type Policy } from "../engine/pipeline/policy.ts";
import { isTargetId, TARGETS, type Target, targetOf } from "../engine/pipeline/targets.ts";

const USAGE = `usage: npm run fuzz -- [options]
  --count N      programs to try (default 200)
  --seed S       seed of the first program; the next ones count on from it (default: from the clock)
  --phase P      only this phase (number, id or name); default: every position, and the whole pipeline
  --profile X    only programs of one kind: ${PROFILES.join(", ")}
  --inputs N     inputs per program (default 16)
  --target T     only this target (default: drawn from the seed)
  --policy P     only this policy, ${POLICIES.join(" or ")} (default: drawn from the seed)
  --knob N=V     a knob to set; may be repeated
  --size N       size of the programs (default 12)
  --jobs J       processes (default 1)
  --no-trace     leave out recording and replaying
  --no-shrink    write failures as they are found
  --stop         stop at the first failure
  --out DIR      where failing programs are written (default fuzz-failures)`;

interface Options {
  count: number;
  seed: number;
  phase: string | null;
  profile: Profile | null;
  target: Target | null;
  policy: Policy | null;
  knobs: string[];
  inputs: number;
  size: number | null;
  jobs: number;
  trace: boolean;
  shrink: boolean;
  stop: boolean;
  out: string;
}

function readOptions(argv: readonly string[]): Options | string {
  const options: Options = {
    count: 200,
    seed: Date.now() % 1_000_000_000,
    phase: null,
    profile: null,
    target: null,
    policy: null,
    knobs: [],
    inputs: 16,
    size: null,
    jobs: 1,
    trace: true,
    shrink: true,
    stop: false,
    out: "fuzz-failures",
  };
  for (let i = 0; i < argv.length; i++) {
    const [name, inline] = splitOption(argv[i] ?? "");
    if (name === "--no-trace") options.trace = false;
    else if (name === "--no-shrink") options.shrink = false;
    else if (name === "--stop") options.stop = true;
    else if (["--count", "--seed", "--inputs", "--size", "--jobs"].includes(name)) {
      const value = Number(inline ?? argv[++i]);
      if (!Number.isInteger(value) || value < 0) return `${name} takes a whole number`;
      options[name.slice(2) as "count" | "seed" | "inputs" | "size" | "jobs"] = value;
    } else if (VALUED.includes(name)) {
      const value = inline ?? argv[++i];
      if (value === undefined) return `${name} takes a value`;
      const problem = setting(options, name, value);
      if (problem !== null) return problem;
      if (name === "--target" || name === "--policy" || name === "--knob") continue;
      if (name === "--phase") options.phase = value;
      else if (name === "--out") options.out = value;
      else if (isProfile(value)) options.profile = value;
      else return `there is no profile ${value}; known are ${PROFILES.join(", ")}`;
    } else {
      return `unknown option ${name}`;
    }
  }
  return options;
}

const VALUED: readonly string[] = ["--phase", "--profile", "--out", "--target", "--policy", "--knob"];

/** Takes `--target`, `--policy` and `--knob`; what is wrong with the value. */
function setting(options: Options, name: string, value: string): string | null {
  if (name === "--target") {
    if (!isTargetId(value)) return `there is no target ${value}; known are ${TARGETS.map((t) => t.id).join(", ")}`;
    options.target = targetOf(value);
  } else if (name === "--policy") {
    if (!isPolicy(value)) return `--policy takes ${POLICIES.join(" or ")}`;
    options.policy = value;
  } else if (name === "--knob") {
    const [error] = parseKnobs([value]).errors;
    if (error !== undefined) return error.message;
    options.knobs.push(value);
  }
  return null;
}

function splitOption(word: string): readonly [string, string | undefined] {
  const at = word.indexOf("=");
  return at < 0 ? [word, undefined] : [word.slice(0, at), word.slice(at + 1)];
}

const argv = process.argv.slice(2);
const options = readOptions(argv);
if (argv.includes("--help")) console.log(USAGE);
else if (typeof options === "string") usageError(options);
else if (options.jobs > 1) await spread(options);
else process.exitCode = run(options);

function usageError(message: string): void {
  console.error(`fuzz: ${message}\n\n${USAGE}`);
  process.exitCode = 2;
}

/** Runs all cases in this process; the exit code. */
function run(o: Options): number {
  const ids = o.phase === null ? null : idsOf(o.phase);
  if (typeof ids === "string") {
    usageError(ids);
    return 2;
  }
  console.log(`fuzz: seeds ${o.seed} to ${o.seed + o.count - 1}, ${PASSES.length} passes registered`);
  let runs = 0;
  let changed = 0;
  let programs = 0;
  const seen = new Map<string, number>();
  const started = Date.now();
  for (let seed = o.seed; seed < o.seed + o.count; seed++) {
    const result = tryCase(o, seed, ids);
    programs++;
    runs += result.runs;
    changed += result.changed;
    for (const failure of result.failures) report(failure, o.out, seen);
    if (o.stop && seen.size > 0) break;
  }
  const seconds = ((Date.now() - started) / 1000).toFixed(1);
  console.log(`fuzz: ${programs} programs, ${runs} runs, ${changed} of them changed something, ${seconds} s`);
  for (const [kind, n] of seen) console.log(`fuzz: ${n} x ${kind}`);
  return seen.size > 0 ? 1 : 0;
}

function tryCase(o: Options, seed: number, ids: readonly string[] | null): CaseResult {
  return runCase({
    seed,
    profile: o.profile,
    ids,
    passes: PASSES,
    inputs: o.inputs,
    ...(o.size === null ? {} : { size: o.size }),
    trace: o.trace,
    shrink: o.shrink ? 2000 : 0,
    settings: {
      ...(o.target === null ? {} : { target: o.target }),
      ...(o.policy === null ? {} : { policy: o.policy }),
      ...(o.knobs.length === 0 ? {} : { knobs: parseKnobs(o.knobs).settings }),
    },
  });
}

/** Prints a failure; the first one of a kind is written to a file. */
function report(failure: Failure, out: string, seen: Map<string, number>): void {
  const { violation, seed, profile, instructions, text } = failure;
  const kind = `${violation.subject.id}: ${violation.law}`;
  const before = seen.get(kind) ?? 0;
  seen.set(kind, before + 1);
  const firstLine = violation.message.split("\n").at(violation.law === "meaning" ? -1 : 0) ?? "";
  console.log(`FAIL seed ${seed} (${profile}) ${kind}: ${firstLine}`);
  if (before >= 3) return;
  mkdirSync(out, { recursive: true });
  const file = join(out, `${violation.subject.id}-${violation.law}-seed-${seed}.ori`);
  writeFileSync(file, text);
  console.log(`     ${instructions} instructions, written to ${file}`);
}

function idsOf(name: string): readonly string[] | string {
  const found = lookupPhase(name);
  if (!found.ok) return found.message;
  const registered = found.ids.filter((id) => PASSES.some((pass) => pass.ids.includes(id)));
  return registered.length === 0 ? `${name} is not registered` : registered;
}

/** Splits the seeds among processes. */
async function spread(o: Options): Promise<void> {
  const entry = process.argv[1] ?? "";
  const rest = argv.filter((_, i) => !isSplitOption(i));
  const share = Math.ceil(o.count / o.jobs);
  const codes = await Promise.all(
    Array.from({ length: o.jobs }, (_, j) => {
      const count = Math.min(share, o.count - j * share);
      if (count <= 0) return Promise.resolve(0);
      const args = [entry, ...rest, "--jobs", "1", "--seed", String(o.seed + j * share), "--count", String(count)];
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
