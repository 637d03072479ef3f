/** `check`: a user's pass on random programs. This file handles a pass that is a command, `check-file.ts` one that is a file. */

import type { Args } from "../../../cli/args.ts";
import type { Command } from "../../../cli/command.ts";
import { type FilterLimits, type FilterResult, runFilter } from "../../../cli/filter.ts";
import { type ExitCode, type Io, UsageError } from "../../../cli/io.ts";
import { printJson } from "../../../cli/program.ts";
import { BOX_LIMITS, MOST_MEMORY, MOST_STEPS } from "../box/limits.ts";
import { COMMAND_FORMATS, type CommandForm, commandForm, isChanged, judgeAnswer } from "../engine/command-check.ts";
import type { CheckJson } from "./shapes.ts";

const DEFAULT_COUNT = 100;
const DEFAULT_MS = 2000;
const MEBIBYTE = 1024 * 1024;
const MILLION = 1_000_000;
const MOST_BYTES = 64 * MEBIBYTE;
const DEFAULT_MEMORY = 2048;
const INPUTS = 16;
/** The check ends after this many failures. */
const MOST_FAILURES = 10;
/** The command runs twice on one of this many programs. */
const TWICE = 10;
/**
 * The most smaller programs tried to minimize the first failure: a count, not a time, so that the same check finds the same program on
 * every machine.
 */
const SMALLER_TRIED = 200;
/** Minimizing ends after this many programs on which the command had to be ended: each takes as long as hundreds. */
const SMALLER_ENDED = 3;

type Failure = CheckJson["failures"][number];

export const checkCommand: Command = {
  name: "check",
  summary:
    "Tests your own pass on random programs: a TypeScript file, or a command that reads a program and writes one; exit 1 when a result is wrong.",
  notes: [
    "--pass: the file defines a pass with `oriscope/pass` (docs/own-pass.md), or an analysis, which is compared with ours. It runs in its own engine, which offers nothing but the language itself.",
    "The first failure is minimized and traced to the wrong rewrite; the tests in the file run, too.",
    "--pass-cmd: the command runs in a shell, once for each program. It reads the program from standard input, writes the result to standard output and exits with 0.",
    "It runs with all your rights: check only commands you trust.",
    "Exit 1 also when no program was changed: then nothing was put to the test.",
    "The checks: the output is a program with the same signature; the verifier accepts it; it computes the same on every input tried; the same input gives the same output; the run ends in time.",
  ],
  positionals: [],
  options: [
    { name: "pass", value: "FILE", doc: "The pass, in TypeScript." },
    { name: "pass-cmd", value: "CMD", doc: "Or a command, in any language." },
    { name: "format", value: "FORMAT", oneOf: COMMAND_FORMATS, doc: "What the command reads and writes; default ori." },
    { name: "program", value: "FILE", many: true, doc: "With --pass: a program to try first, in any format." },
    { name: "count", value: "N", doc: `Random programs; default ${DEFAULT_COUNT}.` },
    {
      name: "seed",
      value: "S",
      doc: "Seed of the first program; the following programs use the following seeds. Default: from the clock.",
    },
    { name: "timeout", value: "MS", doc: `With --pass-cmd: time limit for one program in milliseconds; default ${DEFAULT_MS}.` },
    {
      name: "steps",
      value: "MILLIONS",
      doc: `With --pass: what the pass may do on one program, in millions of steps of the engine that runs it; default ${BOX_LIMITS.steps / MILLION}.`,
    },
    {
      name: "memory",
      value: "MB",
      doc: `Memory limit in MiB for the command and its children; default ${DEFAULT_MEMORY}. With --pass, for what the pass makes; default ${BOX_LIMITS.memory / MEBIBYTE}.`,
    },
    { name: "csv", value: "FILE", doc: "With --pass: write executed instructions as CSV, with Brench's columns: benchmark,run,result." },
    { name: "report", value: "FILE", doc: "With --pass: write the results of the check, as Markdown." },
    { name: "no-shrink", doc: "Do not minimize the first failing program." },
  ],
  async run(args, io) {
    const file = args.value("pass");
    const command = args.value("pass-cmd");
    if (file !== null && command !== null) throw new UsageError("--pass and --pass-cmd exclude each other: give one of them");
    if (file !== null) {
      if (args.has("timeout")) throw new UsageError("--timeout is for --pass-cmd; what a pass may do is limited by --steps");
      const options = {
        file,
        count: args.count("count", 0, DEFAULT_COUNT),
        seed: args.count("seed", 1, 1 + (Date.now() % 1_000_000_000)),
        limits: {
          ...BOX_LIMITS,
          steps: Math.min(args.count("steps", 1, BOX_LIMITS.steps / MILLION) * MILLION, MOST_STEPS),
          memory: Math.min(args.count("memory", 16, BOX_LIMITS.memory / MEBIBYTE) * MEBIBYTE, MOST_MEMORY),
        },
      };
      // The modules that compile and run a file are loaded only for a file.
      return (await import("./check-file.ts")).checkFile(options, args, io);
    }
    if (command === null || command.trim() === "") throw new UsageError("--pass or --pass-cmd is missing");
    const format = args.value("format") ?? "ori";
    const form = commandForm(format);
    const count = args.count("count", 1, DEFAULT_COUNT);
    const first = args.count("seed", 0, Date.now() % 1_000_000_000);
    const limits = {
      ms: args.count("timeout", 1, DEFAULT_MS),
      bytes: MOST_BYTES,
      memory: args.count("memory", 1, DEFAULT_MEMORY) * MEBIBYTE,
    };
    const failures: Failure[] = [];
    let [programs, changed] = [0, 0];
    for (let seed = first; seed < first + count && failures.length < MOST_FAILURES; seed++) {
      programs++;
      const tried = await tryProgram(command, form, form.random(seed), seed, limits, (seed - first) % TWICE === 0);
      if (tried.changed) changed++;
      const { failure } = tried;
      if (failure === null) continue;
      const shrinks = failures.length === 0 && !args.has("no-shrink");
      failures.push(shrinks ? await madeSmall(failure, command, form, limits) : failure);
    }
    const standing = failures.length > 0 ? "failed" : changed > 0 ? "held" : "untested";
    report({ standing, programs, seed: first, failures, changed }, format, args, io);
    return standing === "held" ? 0 : (1 satisfies ExitCode);
  },
};

/** Finds a smaller program on which the command breaks the same law. If it is nondeterministic, or had to be ended, the program is unchanged. */
async function madeSmall(failure: Failure, command: string, form: CommandForm, limits: FilterLimits): Promise<Failure> {
  if (failure.law === "deterministic" || STOPPED.test(failure.message)) return failure;
  let best = failure;
  let ended = 0;
  const steps = form.smaller(failure.program, SMALLER_TRIED);
  for (let step = steps.next(); step.done !== true && ended < SMALLER_ENDED; ) {
    const { failure: found } = await tryProgram(command, form, step.value, failure.seed, limits, false);
    if (found !== null && STOPPED.test(found.message)) ended++;
    const same = found?.law === failure.law;
    if (same) best = found;
    step = steps.next(same);
  }
  return best;
}

interface Tried {
  readonly failure: Failure | null;
  /** The output is a different program. */
  readonly changed: boolean;
}

async function tryProgram(
  command: string,
  form: CommandForm,
  program: string,
  seed: number,
  limits: FilterLimits,
  twice: boolean,
): Promise<Tried> {
  const failed = (law: string, message: string, input: string | null = null): Tried => ({
    failure: { law, seed, program, input, message },
    changed: false,
  });
  const result = await runFilter(command, program, limits);
  const broken = brokenRun(result, limits);
  if (broken !== null) return failed("ends", broken);
  const found = judgeAnswer(form, program, result.out, seed, INPUTS);
  if (found !== null) return failed(found.law, found.message, found.input);
  const held = { failure: null, changed: isChanged(form, program, result.out) };
  if (!twice) return held;
  const again = await runFilter(command, program, limits);
  return again.out === result.out
    ? held
    : failed("deterministic", brokenRun(again, limits) ?? "the same program gave a different output the second time");
}

/** How the messages about commands that were ended begin. */
const STOPPED = /^the command (?:did not end|took more|wrote more)/;

function brokenRun({ code, err, ended }: FilterResult, { ms, bytes, memory }: FilterLimits): string | null {
  if (ended === "time") return `the command did not end within ${ms} ms`;
  if (ended === "memory") return `the command took more than ${memory / MEBIBYTE} MB of memory`;
  if (ended === "size") return `the command wrote more than ${bytes} bytes`;
  if (code === 0) return null;
  const said = err.trim() === "" ? "" : `: ${err.trim().split("\n").slice(-3).join(" / ")}`;
  return `the command ended with ${code ?? "a signal"}${said}`;
}

function report(result: CheckJson, format: string, args: Args, io: Io): void {
  if (args.has("json")) {
    printJson(io, result);
    return;
  }
  const { standing, programs, seed, failures } = result;
  for (const [i, { law, seed: at, message, input, program }] of failures.entries()) {
    io.out(`FAIL seed ${at}, ${law}: ${message}\n`);
    if (input !== null) io.out(`  on ${input.replaceAll("\n", "\n  ")}\n`);
    // Only the first failing program is printed; --json has them all.
    if (i === 0) io.out(`${program}\n`);
  }
  const untested = "not tested, because the command changed none of them";
  const said = { held: "all held", failed: `${failures.length} failed`, untested }[standing];
  io.out(`${programs} ${format} programs from seed ${seed}: ${said}\n`);
}
