/** `check --pass`: a pass of one's own, written in TypeScript, on given and on random programs. */

import { BRIL } from "../../engine/api/bril.ts";
import { compareAnalysis } from "../../engine/api/pass-analysis.ts";
import { passProgram, passPrograms } from "../../engine/api/pass-check.ts";
import { EngineSession } from "../../engine/api/session.ts";
import { type CheckReport, checkPass } from "../../ownpass/check.ts";
import { compilePass } from "../../ownpass/compile.ts";
import { brenchCsv, evidenceOf, evidenceText } from "../../ownpass/evidence.ts";
import { type FileTestResult, runFileTests } from "../../ownpass/file-tests.ts";
import type { Described } from "../../ownpass/requests.ts";
import type { Args } from "../args.ts";
import { type ExitCode, InputError, type Io } from "../io.ts";
import { printDiagnostics, printJson } from "../program.ts";
import type { CheckJson } from "../shapes.ts";
import { PassChild, permissionFlag } from "./child.ts";

export interface CheckFileOptions {
  readonly file: string;
  readonly count: number;
  readonly seed: number;
  readonly ms: number;
  readonly memory: number;
}

/** Compiles a pass; what is wrong with it ends the command. */
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
export async function describeFile(file: string, code: string, child: PassChild, ms: number, io: Io): Promise<Described> {
  const described = await child.ask({ ask: "describe", code, ms });
  if ("ended" in described || "failed" in described) {
    const { message, line } = "failed" in described ? described.failed : { message: described.message, line: 0 };
    io.err(`${line > 0 ? `${file}:${line}` : file}: error: ${message}\n`);
    throw new InputError("");
  }
  return described;
}

export async function checkFile(options: CheckFileOptions, args: Args, io: Io): Promise<ExitCode> {
  const { file, ms, memory } = options;
  const { code } = compileFile(file, io);
  if (permissionFlag() === null)
    io.err("oriscope check: this version of Node has no permission model: a pass that breaks out of its context could use your files\n");
  const child = new PassChild({ ms, memory });
  try {
    const described = await describeFile(file, code, child, ms, io);
    const analysis = described.kind === "analysis";
    const tests = await runFileTests({ runner: child, code, ms }, described.tests, analysis ? described : undefined);
    if (analysis) return await checkAnalysis({ described, code, child, tests }, options, args, io);
    const report = await checkPass(
      { runner: child, code, ms },
      {
        given: args.values("program").map((path) => ({ name: path, text: programText(path, io) })),
        count: options.count,
        seed: options.seed,
        shrink: !args.has("no-shrink"),
        now: io.now,
      },
    );
    writeEvidence(described.name, report, args, io);
    print(options, described, report, tests, args, io);
    return report.failures.length === 0 && tests.every((t) => t.problem === null) ? 0 : 1;
  } finally {
    child.end();
  }
}

/** A program that is given: as it stands, or what its import makes of it. */
function programText(path: string, io: Io): string {
  const text = io.readText(path);
  const session = new EngineSession({ now: io.now, readers: { bril: BRIL } });
  const { ok, format, kernels, diagnostics } = session.open(1, text, null);
  if (format === "ori") return text;
  printDiagnostics(io, path, diagnostics);
  if (!ok) throw new InputError("");
  return session.headerText() + kernels.map(({ name }) => session.kernelText(name)).join("");
}

function writeEvidence(name: string, report: CheckReport, args: Args, io: Io): void {
  const write = (option: string, text: string): void => {
    const path = args.value(option);
    if (path === null) return;
    if (io.files === undefined) throw new InputError(`--${option} needs files to write to`);
    io.files.write(path, text);
  };
  write("csv", brenchCsv(name, report));
  write("report", evidenceText(name, report));
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
    const value: CheckJson = { programs, seed, failures, pass: described.name, evidence: evidenceOf(report), tests };
    printJson(io, value);
    return;
  }
  printProblems(options.file, tests, io);
  for (const [i, { law, seed: at, message, input, program, rewrite, line }] of failures.entries()) {
    io.out(`FAIL ${at === 0 ? "a given program" : `seed ${at}`}, ${law}: ${line > 0 ? `${options.file}:${line}: ` : ""}${message}\n`);
    if (rewrite !== null) io.out(`  wrong from rewrite ${rewrite.n} of ${rewrite.of} on: ${rewrite.said}\n`);
    if (input !== null) io.out(`  on ${input.replaceAll("\n", "\n  ")}\n`);
    // One program is enough to begin with; --json has them all.
    if (i === 0) io.out(`${program}\n`);
  }
  const e = evidenceOf(report);
  const held = failures.length === 0 ? "all held" : `${failures.length} failed`;
  io.out(`${described.name}: ${programs} programs from seed ${seed}: ${held}\n`);
  io.out(
    `  ${e.equal} equal, ${e.different} different, ${e.undecided} undecided, ${e.failed} failed otherwise; ${e.rewrites} rewrites in ${e.changed} programs\n`,
  );
  io.out(`  instructions ${e.size[0]} to ${e.size[1]}, executed ${e.executed[0]} to ${e.executed[1]}\n`);
  printTests(tests, io);
}

function printProblems(file: string, tests: readonly FileTestResult[], io: Io): void {
  for (const { name, line, problem } of tests) {
    if (problem !== null) io.out(`FAIL ${file}:${line}: test '${name}': ${problem}\n`);
  }
}

function printTests(tests: readonly FileTestResult[], io: Io): void {
  if (tests.length > 0) io.out(`  ${tests.filter((t) => t.problem === null).length} of ${tests.length} tests of the file hold\n`);
}

const MOST_FAILURES = 10;

/** An analysis is compared with ours, block by block. */
async function checkAnalysis(
  { described, code, child, tests }: Readonly<{ described: Described; code: string; child: PassChild; tests: readonly FileTestResult[] }>,
  options: CheckFileOptions,
  args: Args,
  io: Io,
): Promise<ExitCode> {
  const failures: Omit<CheckJson["failures"][number], never>[] = [];
  const texts = [
    ...args.values("program").map((path) => ({ seed: 0, text: programText(path, io) })),
    ...Array.from({ length: options.count }, (_, i) => ({ seed: options.seed + i, text: passProgram(options.seed + i).text })),
  ];
  let programs = 0;
  for (const { seed, text } of texts) {
    const found = passPrograms(text);
    const failed = (law: string, program: string, message: string): void => {
      failures.push({ law, seed, program, input: null, message });
    };
    for (const { program } of typeof found === "string" ? [] : found) {
      programs++;
      const answer = await child.ask({ ask: "analyze", code, ms: options.ms, program, source: [] });
      if ("ended" in answer) failed("ends", program.text, answer.message);
      else if ("failed" in answer)
        failed("throws", program.text, `${answer.failed.line > 0 ? `line ${answer.failed.line}: ` : ""}${answer.failed.message}`);
      else {
        const rows = compareAnalysis(described.of, program.text, answer.blocks);
        if (typeof rows === "string") throw new InputError(rows);
        const first = rows.find((row) => !row.same);
        if (first !== undefined)
          failed("agrees", program.text, `${described.of} of ${first.block} is ${first.ours}, and the analysis says ${first.theirs}`);
      }
    }
    if (typeof found === "string") failed("program", text, found);
    if (failures.length >= MOST_FAILURES) break;
  }
  if (args.has("json")) printJson(io, { programs, seed: options.seed, failures, pass: described.name, tests } satisfies CheckJson);
  else {
    printProblems(options.file, tests, io);
    for (const [i, { seed, law, message, program }] of failures.entries()) {
      io.out(`FAIL ${seed === 0 ? "a given program" : `seed ${seed}`}, ${law}: ${message}\n`);
      if (i === 0) io.out(`${program}\n`);
    }
    const held = failures.length === 0 ? `agrees with our ${described.of} everywhere` : `${failures.length} failed`;
    io.out(`${described.name}: ${programs} programs from seed ${options.seed}: ${held}\n`);
    printTests(tests, io);
  }
  return failures.length === 0 && tests.every((t) => t.problem === null) ? 0 : 1;
}
