/** `check --pass`: a user's pass, written in TypeScript, on given and on random programs. */

import type { Args } from "../../../cli/args.ts";
import { type ExitCode, InputError, type Io, UsageError } from "../../../cli/io.ts";
import { printDiagnostics, printJson } from "../../../cli/program.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import { revealed } from "../../../links/hidden.ts";
import type { BoxLimits } from "../box/limits.ts";
import { boxRunner } from "../box/runner.ts";
import { type CheckReport, checkPass, type GivenProgram, type PassRunner } from "../engine/check/check.ts";
import { analysisCsv, analysisFigures, analysisStanding, analysisText, checkAnalysis } from "../engine/check/check-analysis.ts";
import { compilePass } from "../engine/check/compile.ts";
import { brenchCsv, evidenceOf, evidenceText } from "../engine/check/evidence.ts";
import { type FileTestResult, runFileTests } from "../engine/check/file-tests.ts";
import type { Described } from "../engine/check/requests.ts";
import { NO_PROGRAM, type Standing, standingOf } from "../engine/check/standing.ts";
import type { CheckJson } from "./shapes.ts";

export interface CheckFileOptions {
  readonly file: string;
  readonly count: number;
  readonly seed: number;
  readonly limits: BoxLimits;
}

/** Compiles a pass; an error in it ends the command. */
export function compileFile(file: string, io: Io): { readonly code: string; readonly source: readonly string[] } {
  const text = io.readText(file);
  const compiled = compilePass(text);
  if (!compiled.ok) {
    const { line, column, message } = compiled.problem;
    io.err(`${line > 0 ? `${file}:${line}:${column}` : file}: error: ${message}\n`);
    throw new InputError("");
  }
  return { code: compiled.code, source: text.split(/\r\n|\r|\n/) };
}

/** What the file defines; a file that defines nothing ends the command. */
export async function describeFile(file: string, code: string, runner: PassRunner, io: Io): Promise<Described> {
  const described = await runner.ask({ ask: "describe", code });
  if ("ended" in described || "failed" in described) {
    const { message, line } = "failed" in described ? described.failed : { line: 0, ...described };
    io.err(`${line > 0 ? `${file}:${line}` : file}: error: ${message}\n`);
    throw new InputError("");
  }
  return described;
}

export async function checkFile(options: CheckFileOptions, args: Args, io: Io): Promise<ExitCode> {
  const { file, limits } = options;
  const { code } = compileFile(file, io);
  const runner = boxRunner(limits);
  const described = await describeFile(file, code, runner, io);
  const analysis = described.kind === "analysis";
  const tests = await runFileTests({ runner, code }, described.tests, analysis ? described : undefined);
  if (analysis) return await checkAnalysisFile({ described, code, runner, tests }, options, args, io);
  const report = await checkPass(
    { runner, code },
    {
      given: givenPrograms(args, io),
      count: options.count,
      seed: options.seed,
      shrink: !args.has("no-shrink"),
    },
  );
  writeEvidence(() => ({ csv: brenchCsv(described.name, report), report: evidenceText(described.name, report) }), args, io);
  print(options, described, report, tests, args, io);
  return exitOf(standingOf(report), report.programs, tests);
}

/** 0: the pass held wherever it was tested. If no programs were requested, the tests of the file decide. */
function exitOf(standing: Standing, programs: number, tests: readonly FileTestResult[]): ExitCode {
  const byTests = standing === "untested" && programs === 0 && tests.length > 0;
  return (standing === "held" || byTests) && tests.every((t) => t.problem === null) ? 0 : 1;
}

const givenPrograms = (args: Args, io: Io): readonly GivenProgram[] =>
  args.values("program").map((path) => ({ name: path, text: programText(path, io) }));

/** A given program: as written, or the result of its import. */
function programText(path: string, io: Io): string {
  const text = io.readText(path);
  const session = new EngineSession({ now: io.now });
  const { ok, format, kernels, diagnostics } = session.open(1, text, null);
  if (format === "ori") return text;
  printDiagnostics(io, path, diagnostics);
  if (!ok) throw new InputError("");
  return session.headerText() + kernels.map(({ name }) => session.kernelText(name)).join("");
}

function writeEvidence(texts: () => { readonly csv: string; readonly report: string }, args: Args, io: Io): void {
  for (const option of ["csv", "report"] as const) {
    const path = args.value(option);
    if (path === null) continue;
    if (io.files === undefined) throw new InputError(`--${option} needs files to write to`);
    if (io.files.same(path, args.value("pass") ?? ""))
      throw new UsageError(`--${option} names ${path}, which this command reads: give another file`);
    io.files.write(path, revealed(texts()[option]));
  }
}

function print(
  options: CheckFileOptions,
  described: Described,
  report: CheckReport,
  tests: readonly FileTestResult[],
  args: Args,
  io: Io,
): void {
  const { failures, programs, seed } = report;
  if (args.has("json")) {
    const value: CheckJson = {
      standing: standingOf(report),
      programs,
      seed,
      failures,
      pass: described.name,
      evidence: evidenceOf(report),
      tests,
    };
    printJson(io, value);
    return;
  }
  printProblems(options.file, tests, io);
  for (const [i, { law, name, message, input, program, rewrite, line }] of failures.entries()) {
    io.out(`FAIL ${name}, ${law}: ${line > 0 ? `${options.file}:${line}: ` : ""}${message}\n`);
    if (rewrite !== null) io.out(`  first wrong rewrite, ${rewrite.n} of ${rewrite.of}: ${rewrite.said}\n`);
    if (input !== null) io.out(`  on ${input.replaceAll("\n", "\n  ")}\n`);
    // Only the first failing program is printed; --json has them all.
    if (i === 0) io.out(`${program}\n`);
  }
  const e = evidenceOf(report);
  const held = { held: "all held", failed: `${failures.length} failed`, untested: `not tested, because ${e.untested?.reason}` }[e.standing];
  io.out(`${described.name}: ${programs} programs from seed ${seed}: ${held}\n`);
  io.out(
    `  ${e.equal} equal, ${e.different} different, ${e.undecided} undecided, ${e.failed} failed otherwise; ${e.rewrites} rewrites in ${e.changed} programs\n`,
  );
  io.out(`  instructions ${e.size[0]} to ${e.size[1]}, executed ${e.executed[0]} to ${e.executed[1]}\n`);
  for (const sentence of e.untested?.sentences ?? []) io.out(`  ${sentence}\n`);
  printTests(tests, io);
}

function printProblems(file: string, tests: readonly FileTestResult[], io: Io): void {
  for (const { name, line, problem } of tests) {
    if (problem !== null) io.out(`FAIL ${file}:${line}: test '${name}': ${problem}\n`);
  }
}

function printTests(tests: readonly FileTestResult[], io: Io): void {
  if (tests.length > 0) io.out(`  ${tests.filter((t) => t.problem === null).length} of ${tests.length} tests in the file pass\n`);
}

/** Checks an analysis: compares it with the built-in one, block by block. */
async function checkAnalysisFile(
  {
    described,
    code,
    runner,
    tests,
  }: Readonly<{ described: Described; code: string; runner: PassRunner; tests: readonly FileTestResult[] }>,
  { file, count, seed }: CheckFileOptions,
  args: Args,
  io: Io,
): Promise<ExitCode> {
  const { name, of } = described;
  const report = await checkAnalysis({ runner, code }, { of, given: givenPrograms(args, io), count, seed, shrink: !args.has("no-shrink") });
  const { failures, rows } = report;
  const standing = analysisStanding(report);
  const unknown = failures.find(({ law }) => law === "kind");
  if (unknown !== undefined) throw new InputError(unknown.message);
  writeEvidence(() => ({ csv: analysisCsv(name, report), report: analysisText(name, report) }), args, io);
  if (args.has("json")) {
    const failed = failures.map(({ law, name, seed, program, input, message, line }) => ({
      law,
      name,
      seed,
      program,
      input,
      message: line > 0 ? `line ${line}: ${message}` : message,
    }));
    printJson(io, { standing, programs: rows.length, seed, failures: failed, pass: name, tests } satisfies CheckJson);
  } else {
    printProblems(file, tests, io);
    for (const [i, failure] of failures.entries()) {
      io.out(`FAIL ${failure.name}, ${failure.law}: ${failure.message}\n`);
      if (i === 0) io.out(`${failure.program}\n`);
    }
    const { mark, same, blocks } = analysisFigures(report);
    const agrees = of === null ? "ends everywhere" : `agrees with our ${of} everywhere`;
    const said = { held: agrees, failed: `${failures.length} failed`, untested: `not tested, because ${NO_PROGRAM}` }[standing];
    io.out(`${name}: ${rows.length} programs from seed ${seed}: ${said}\n`);
    if (mark !== null) io.out(`  ${same} of ${blocks} blocks agree; (right − spurious) / wanted: ${mark.toFixed(3)}\n`);
    printTests(tests, io);
  }
  return exitOf(standing, rows.length, tests);
}
