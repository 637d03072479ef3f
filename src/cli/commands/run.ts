/** `run`: the pipeline, or given phases, over a program. */

import { FORMAT_NAMES, FORMATS, type SourceFormat } from "../../base/formats.ts";
import type { Module } from "../../engine/api/session.ts";
import type { Diagnostic, KernelInfo, PipelineOptions, RunResult } from "../../engine/api/types.ts";
import { IMPORTERS } from "../../features/importers.ts";
import type { Args } from "../args.ts";
import type { Command } from "../command.ts";
import { type ExitCode, InputError, type Io, UsageError } from "../io.ts";
import { emitOf, type KernelRun, kernelRun, targetSaid } from "../kernel-run.ts";
import { openPass } from "../pass-option.ts";
import {
  chosenKernels,
  FROM_OPTION,
  KEEP_NONE,
  KERNEL_OPTION,
  loadGood,
  NO_PHIS_OPTION,
  PASS_OPTION,
  PIPELINE_OPTIONS,
  type Program,
  pipelineOptions,
  printDiagnostics,
  printInterventions,
  printJson,
  refuseErrors,
} from "../program.ts";
import type { RunJson, RunKernelJson } from "../shapes.ts";
import { formatTable } from "../table.ts";

/** The names of the forms in which a program of a language is printed again. */
const formsOf = (format: SourceFormat): readonly string[] => Object.keys(IMPORTERS[format]?.forms ?? {});
const WRITTEN = FORMATS.filter((format) => formsOf(format).length > 0);
const EMITS = ["ori", "json", "dot", "summary", ...WRITTEN.flatMap(formsOf)];

export const runCommand: Command = {
  name: "run",
  summary: "Runs the pipeline, or given phases in the given order, and prints the result.",
  notes: [
    "BranchFolding does not accept PHIs: --no-phis replaces them first. With --until branch-folding, the program without PHIs is printed.",
  ],
  positionals: ["FILE"],
  options: [
    FROM_OPTION,
    KERNEL_OPTION,
    ...PIPELINE_OPTIONS,
    NO_PHIS_OPTION,
    PASS_OPTION,
    { name: "verify", doc: "Verify after each phase; exit 1 on an error." },
    {
      name: "jobs",
      value: "N",
      doc: "Run the kernels on at most N threads, each with its own memory; the result is the same. Default 1.",
    },
    { name: "strict", doc: "Exit 1 when an intervention does not apply." },
    { name: "check", value: "N", doc: "Compare each phase's input and output on N inputs (at most 10000); exit 1 with a counterexample." },
    {
      name: "emit",
      value: "WHAT",
      oneOf: EMITS,
      doc: `What to print; default ori, the result's canonical text.${WRITTEN.map(
        (format) => ` ${formsOf(format).join(" and ")} print a ${FORMAT_NAMES[format]} program as ${FORMAT_NAMES[format]} again.`,
      ).join("")}`,
    },
  ],
  async run(args, io) {
    const program = loadGood(args, io, KEEP_NONE);
    const written = WRITTEN.find((format) => formsOf(format).includes(args.value("emit") ?? ""));
    if (written !== undefined && program.opened.format !== written)
      throw new UsageError(`--emit ${written} needs a ${FORMAT_NAMES[written]} program`);
    const kernels = chosenKernels(program, args);
    const pass = args.value("pass");
    const runs = pass === null && written === undefined ? await onThreads(program, kernels, args, io) : [];
    const own = pass === null ? null : await openPass(pass, io);
    const given = pipelineOptions(args, io);
    const printed: Printed = { results: [], dots: [], first: null, code: 0 };
    for (const [index, { name }] of kernels.entries()) {
      const options = own === null ? given : await own.among(program, name, given);
      runKernel(program, name, options, runs[index] ?? null, printed, args, io);
    }
    const { results, dots, first, code } = printed;
    if (written !== undefined && !args.has("json")) printWritten(program, written, args, io);
    else print(program, results, dots, first, args, io);
    return code;
  },
};

/** What is printed in the end. */
interface Printed {
  readonly results: RunKernelJson[];
  readonly dots: string[];
  first: RunResult | null;
  code: ExitCode;
}

/** `done`: it has run on a thread already. */
function runKernel(
  program: Program,
  kernel: string,
  options: PipelineOptions,
  done: KernelRun | null,
  printed: Printed,
  args: Args,
  io: Io,
): void {
  const result = done?.result ?? program.session.run(1, kernel, options);
  // Messages about the options are printed once, not for every kernel.
  if (printed.first === null) refuseErrors(io, program.file, result.diagnostics);
  else printDiagnostics(io, program.file, withoutThese(result.diagnostics, printed.first.diagnostics));
  printed.first ??= result;
  if (complain(io, program.file, result)) printed.code = 1;
  printInterventions(io, "run", kernel, result.interventions);
  if (args.has("strict") && result.interventions.some((i) => !i.applied)) printed.code = 1;
  if (args.has("phases")) offerPhiFree(io, result);
  const { json, dot } = done ?? kernelRun(program.session, result, args);
  printed.results.push(json);
  if (dot !== null) printed.dots.push(dot);
}

/** The runs of all kernels, if threads are requested and useful: at most one thread per kernel. Else none: they run one after the other. */
async function onThreads(program: Program, kernels: readonly KernelInfo[], args: Args, io: Io): Promise<readonly KernelRun[]> {
  const jobs = Math.min(args.count("jobs", 1, 1), kernels.length);
  const entry = io.files?.entry ?? null;
  if (jobs < 2 || entry === null) return [];
  const { runAll } = await import("../run-pool.ts");
  const options = pipelineOptions(args, io);
  const here = (kernel: string): KernelRun => kernelRun(program.session, program.session.run(1, kernel, options), args);
  const give = (kernel: string): Module | null => program.session.alone(kernel);
  return runAll({ entry, argv: args.argv, jobs }, kernels, give, here);
}

function withoutThese(diagnostics: readonly Diagnostic[], said: readonly Diagnostic[]): readonly Diagnostic[] {
  return diagnostics.filter((d) => !said.some((s) => s.code === d.code && s.message === d.message));
}

/** Says what the verifier and the checker found; true when that is a failure. */
function complain(io: Io, file: string, { kernel, phases, diagnostics }: RunResult): boolean {
  let failed = diagnostics.some((d) => d.severity === "error");
  for (const { name, verifyErrors, check } of phases) {
    for (const { line, column, code, message } of verifyErrors) {
      failed = true;
      io.err(`${line > 0 ? `${file}:${line}:${column}` : file}: error ${code}: after ${name}, ${kernel}: ${message}\n`);
    }
    if (check?.notDecided !== undefined)
      io.err(`${file}: warning: whether ${name} kept the meaning of ${kernel} is not decided: ${check.notDecided}\n`);
    if (check === null || check.ok) continue;
    failed = true;
    io.err(`${file}: error: ${name} changed the meaning of ${kernel}: ${check.counterexample ?? "no counterexample"}\n`);
  }
  return failed;
}

/** For a requested phase that needs a program without PHIs: prints what to do about them. */
function offerPhiFree(io: Io, { kernel, phases }: RunResult): void {
  const found = phases.find((p) => (p.figures.phis ?? 0) > 0);
  if (found !== undefined) io.err(`oriscope run: ${kernel}: ${found.name} ${found.reason}; --${NO_PHIS_OPTION.name} replaces them first\n`);
}

function print(
  program: Program,
  kernels: readonly RunKernelJson[],
  dots: readonly string[],
  first: RunResult | null,
  args: Args,
  io: Io,
): void {
  const emit = emitOf(args);
  if (emit === "json") {
    // Of a module without bodies nothing runs; what it would have run for is known all the same.
    const { target, level } = first ?? program.session.planned(pipelineOptions(args, io));
    const value: RunJson = { engine: program.session.version(), target, level, kernels };
    printJson(io, value);
  } else if (emit === "dot") {
    io.out(dots.join(""), "data");
  } else if (emit === "summary") {
    io.out(kernels.map(summaryText).join("\n"));
  } else {
    // Once for all kernels.
    const header = program.session.headerText(first === null ? null : targetSaid(first, args));
    io.out(header + kernels.map(({ text }) => text.slice(header.length)).join(""), "data");
  }
}

/** The result in its own language; what has no form there ends the command with exit code 1. */
function printWritten(program: Program, format: SourceFormat, args: Args, io: Io): void {
  const result = program.session.written(chosenKernels(program, args).map((k) => k.name));
  const text = result?.[IMPORTERS[format]?.forms?.[args.value("emit") ?? ""]?.written ?? "text"] ?? "";
  if (text === "") {
    for (const problem of result?.problems ?? []) io.err(`${program.file}: error: ${problem}\n`);
    throw new InputError(`the result cannot be written as ${FORMAT_NAMES[format]}`);
  }
  io.out(text, "data");
}

function summaryText({ name, phases }: RunKernelJson): string {
  const rows = phases
    .filter((p) => p.ran || (p.reason !== null && p.reason !== "not modelled"))
    .map((p) => [
      p.phase === null ? "" : String(p.phase),
      p.name,
      p.changed ? "changed" : p.ran ? "no change" : "not run",
      `${p.blocks[0]}→${p.blocks[1]}`,
      `${p.instructions[0]}→${p.instructions[1]}`,
      String(p.matches),
      String(p.rewrites),
      p.ms.toFixed(1),
      p.reason ?? "",
    ]);
  return `${name}\n${formatTable(["no", "phase", "", "blocks", "instructions", "matches", "rewrites", "ms", "why not"], rows)}`;
}
