/**
 * Tries the registered passes on random programs, or the importers and the link codec on damaged inputs: `npm run fuzz -- --help`.
 * Prints the seed of each run; a failure is minimized and written to a file. Exit code 1 if something failed, 2 for a wrong argument.
 */

import { spawn } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createFuzzer, type FuzzFailure } from "../engine/api/exec/fuzz.ts";
import { DAMAGED } from "../features/damaged.ts";
import type { Damaged } from "./fuzz/damaged.ts";
import { DamagedTally } from "./fuzz/damaged-report.ts";
import { mergeAll, type Report, readReport, show, writeFailure } from "./fuzz/files.ts";
import { jobArguments, type Options, readOptions, USAGE } from "./fuzz/options.ts";
import { FuzzTally } from "./fuzz/report.ts";

/** How often a long run prints its progress, and saves its report. */
const NEWS_MS = 60_000;

/** Nearly all objects of a check die young: with a small young generation, an eighth of the time is spent on collecting them. */
const YOUNG_SPACE = "--max-semi-space-size=64";

const argv = process.argv.slice(2);
const options = readOptions(argv);
if (argv.includes("--help")) console.log(USAGE);
else if (typeof options === "string") usageError(options);
else process.exitCode = await dispatch(options);

function usageError(message: string): void {
  console.error(`fuzz: ${message}\n\n${USAGE}`);
  process.exitCode = 2;
}

async function dispatch(o: Options): Promise<number> {
  if (o.lists.merge.length > 0) return show(mergeAll(o.lists.merge.map(readReport)), o);
  // All processes count on from one seed.
  const seeded = { ...o, numbers: { ...o.numbers, seed: o.numbers.seed ?? Date.now() % 1_000_000_000 } };
  const { mutate } = o.words;
  const damaged = mutate === undefined ? undefined : DAMAGED[mutate];
  if (mutate !== undefined && damaged === undefined) {
    usageError(`--mutate takes ${Object.keys(DAMAGED).join(" or ")}`);
    return 2;
  }
  if ((o.numbers.jobs ?? 1) > 1) return spread(seeded);
  return mutate === undefined || damaged === undefined ? run(seeded) : runDamaged(seeded, mutate, damaged);
}

/** Runs this process's part; the exit code. */
async function run(o: Options): Promise<number> {
  const { numbers, words, switches } = o;
  const fuzzer = createFuzzer({
    phase: words.phase ?? null,
    profile: words.profile ?? null,
    target: words.target ?? null,
    policy: words.policy ?? null,
    knobs: o.lists.knob,
    drops: o.lists.drop,
    inputs: numbers.inputs ?? 6,
    size: numbers.size ?? null,
    subsets: numbers.subsets ?? null,
    everyLaw: switches.has("every-law"),
    noDrawn: switches.has("no-drawn"),
    trace: !switches.has("no-trace"),
    shrink: !switches.has("no-shrink"),
  });
  if (typeof fuzzer === "string") {
    usageError(fuzzer);
    return 2;
  }
  const tally = new FuzzTally(fuzzer.positions);
  const written = new Map<string, number>();
  return trySeeds(o, {
    about: (seeds) => `${seeds}, ${fuzzer.positions.length} positions and sub-passes`,
    count: numbers.checks === undefined ? undefined : Number.POSITIVE_INFINITY,
    isDone: () => tally.checks >= (numbers.checks ?? Number.POSITIVE_INFINITY),
    fails(seed) {
      const result = fuzzer.try(seed);
      tally.add(result);
      for (const failure of result.failures) write(failure, words.out ?? "fuzz-failures", written);
      return result.failures.length > 0;
    },
    soFar: () => `${tally.programs} programs, ${tally.checks} checks`,
    report: (seeds, seconds) => tally.report({ ...seeds, count: tally.programs }, { seconds, processor: processorSeconds() }),
  });
}

/** Of this process so far, starting included. */
function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}

/** Prints a failure; the first three of a kind are written to files. */
function write({ seed, profile, kind, id, law, message, instructions, text }: FuzzFailure, out: string, seen: Map<string, number>): void {
  const before = seen.get(kind) ?? 0;
  seen.set(kind, before + 1);
  console.log(`FAIL seed ${seed} (${profile}) ${kind}: ${message}`);
  if (before >= 3) return;
  const file = writeFailure(out, `${id}-${law}-seed-${seed}.ori`, text);
  console.log(`     ${instructions} instructions, written to ${file}`);
}

/** Runs this process's part of the damaged inputs; the exit code. */
function runDamaged(o: Options, kind: string, damaged: Damaged): Promise<number> {
  const { of, tryOne } = damaged.begin();
  const tally = new DamagedTally(kind);
  return trySeeds(o, {
    about: (seeds) => `damaged ${kind} of ${of}, ${seeds}`,
    async fails(seed) {
      const before = process.resourceUsage();
      const result = await tryOne(seed);
      const after = process.resourceUsage();
      const ms = (after.userCPUTime + after.systemCPUTime - before.userCPUTime - before.systemCPUTime) / 1000;
      // The system counts in kibibytes.
      const problem = tally.add(seed, result, { ms, before: before.maxRSS * 1024, after: after.maxRSS * 1024 });
      if (problem === null) return false;
      const file = writeFailure(o.words.out ?? "fuzz-failures", `${kind}-seed-${seed}.txt`, result.input);
      console.log(`FAIL seed ${seed}: ${problem}\n     written to ${file}`);
      return true;
    },
    soFar: () => `${tally.inputs} damaged ${kind}`,
    report: (seeds, seconds) => tally.report({ ...seeds, count: tally.inputs }, seconds),
  });
}

interface Campaign {
  readonly about: (seeds: string) => string;
  /** Inputs of all shards; left out: as the options say. */
  readonly count?: number | undefined;
  readonly isDone?: () => boolean;
  readonly fails: (seed: number) => boolean | Promise<boolean>;
  readonly soFar: () => string;
  readonly report: (seeds: { readonly first: number; readonly step: number }, seconds: number) => Report;
}

/** Tries this process's seeds; the exit code. */
async function trySeeds(o: Options, campaign: Campaign): Promise<number> {
  const { numbers, words, switches, shard } = o;
  const first = (numbers.seed ?? 0) + shard.index - 1;
  const inputs = Math.ceil(((campaign.count ?? numbers.count ?? 200) - shard.index + 1) / shard.of);
  console.log(`fuzz: ${campaign.about(`seeds from ${first}${shard.of > 1 ? `, one in ${shard.of}` : ""}`)}`);
  const started = Date.now();
  const reportNow = (): Report => campaign.report({ first, step: shard.of }, (Date.now() - started) / 1000);
  let news = started + NEWS_MS;
  for (let i = 0; i < inputs && campaign.isDone?.() !== true; i++) {
    if ((await campaign.fails(first + i * shard.of)) && switches.has("stop")) break;
    const now = Date.now();
    if (numbers.seconds !== undefined && now - started >= numbers.seconds * 1000) break;
    if (now < news) continue;
    news = now + NEWS_MS;
    console.log(`fuzz: ${campaign.soFar()} so far`);
    if (words.report !== undefined) writeFileSync(words.report, JSON.stringify(reportNow()));
  }
  return show([reportNow()], o);
}

/** Splits the seeds among processes and adds their reports up. */
async function spread(o: Options): Promise<number> {
  const entry = process.argv[1] ?? "";
  const folder = mkdtempSync(join(tmpdir(), "fuzz-"));
  const files = Array.from({ length: o.numbers.jobs ?? 1 }, (_, job) => join(folder, `${job}.json`));
  const codes = await Promise.all(
    files.map((file, job) => {
      const args = [entry, ...jobArguments(argv, job, o, file)];
      return new Promise<number>((resolve) => {
        spawn(process.execPath, [...process.execArgv, YOUNG_SPACE, ...args], { stdio: "inherit" }).on("close", (code) =>
          resolve(code ?? 3),
        );
      });
    }),
  );
  const wrong = codes.find((code) => code > 1);
  const code = wrong ?? show(mergeAll(files.map(readReport)), o);
  rmSync(folder, { recursive: true });
  return Math.max(code, ...codes);
}
