/** Loads the program a command works on, prints its diagnostics, and holds what commands share. */

import { BRIL } from "../engine/api/bril.ts";
import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import { EngineSession } from "../engine/api/session.ts";
import type { Diagnostic, KernelInfo, OpenResult, PipelineOptions, SourceFormat } from "../engine/api/types.ts";
import { closest } from "../engine/api/words.ts";
import type { Args, OptionSpec } from "./args.ts";
import { InputError, type Io, UsageError } from "./io.ts";

export interface Program {
  readonly session: EngineSession;
  readonly file: string;
  readonly text: string;
  readonly opened: OpenResult;
}

export const FROM_OPTION: OptionSpec = {
  name: "from",
  value: "FORMAT",
  oneOf: ["ori", "ptx", "sass", "bril"],
  doc: "Format of FILE; left out, it is recognised.",
};
export const KERNEL_OPTION: OptionSpec = { name: "kernel", value: "NAME", doc: "Only this kernel." };

export const NO_PHIS_OPTION: OptionSpec = {
  name: "no-phis",
  doc: "First replace every PHI by copies on the ways into its block; what was done goes to stderr.",
};

/** Options that say how the pipeline runs. */
export const PIPELINE_OPTIONS: readonly OptionSpec[] = [
  { name: "target", value: "SM", doc: "Target, such as sm_80; default: the text's, else sm_90." },
  { name: "level", short: "O", value: "N", doc: "Optimization level, 0 to 4; default 3." },
  { name: "phases", value: "LIST", doc: "Run these positions (numbers or names) in this order: 3,15,30." },
  { name: "named-phases", value: "NAMES", doc: "Run these named phases or sub-passes alone: OriCopyProp." },
  { name: "no-phase", value: "NAME", many: true, doc: "Skip a phase." },
  { name: "knob", value: "NAME=V", many: true, doc: "Set a knob." },
  { name: "policy", value: "POLICY", oneOf: ["notes", "measured"], doc: "Whose rules decide; default notes." },
  { name: "until", value: "N", doc: "Stop before this position." },
  { name: "fuel", value: "N", doc: "At most this many rewrites over all phases." },
];

export function pipelineOptions(args: Args): PipelineOptions {
  if (args.has("phases") && args.has("named-phases"))
    throw new UsageError("--phases and --named-phases both say what runs: give one of them");
  const list = (name: string): string[] => args.values(name).flatMap((text) => text.split(",").map((part) => part.trim()));
  const policy = args.value("policy");
  return {
    target: args.value("target"),
    level: args.count("level", 0, DEFAULT_PIPELINE.level),
    policy: policy === "notes" || policy === "measured" ? policy : DEFAULT_PIPELINE.policy,
    knobs: args.values("knob"),
    noPhases: list("no-phase"),
    namedPhases: list("named-phases"),
    phases: args.has("phases") ? list("phases") : null,
    until: args.value("until"),
    verify: args.has("verify"),
    check: args.count("check", 0, 0),
    fuel: args.has("fuel") ? args.count("fuel", 0, 0) : null,
  };
}

/** Reads FILE (`-`: standard input) and opens it. Diagnostics go to stderr. */
export function loadProgram(args: Args, io: Io): Program {
  const file = args.positionals[0] ?? "-";
  const session = new EngineSession({ now: io.now, bril: BRIL });
  const text = io.readText(file);
  const opened = session.open(1, text, args.value("from") as SourceFormat | null);
  printDiagnostics(io, file, opened.diagnostics);
  return { session, file, text, opened };
}

/** As `loadProgram`; a text with errors ends the command with exit code 1. */
export function loadGood(args: Args, io: Io): Program {
  const program = loadProgram(args, io);
  if (!program.opened.ok) throw new InputError("");
  if (isEmpty(program.opened)) refuseEmpty(io, program.file);
  return args.has(NO_PHIS_OPTION.name) ? withoutPhis(program, args, io) : program;
}

/** The program with the PHIs of the chosen kernels taken out. */
function withoutPhis(program: Program, args: Args, io: Io): Program {
  const { session } = program;
  let { opened, text } = program;
  for (const { name } of chosenKernels(program, args)) {
    const free = session.phiFree(name);
    if (free === null || free.phis === 0) continue;
    if (!free.ok) throw new InputError(free.sentence);
    io.err(`oriscope: ${free.sentence}\n`);
    text = free.text;
    opened = session.open(1, text, "ori");
  }
  return { ...program, text, opened };
}

/** Nothing but space and comments. A module that only declares is not empty: it says itself that it has nothing to run. */
export function isEmpty({ ok, kernels, diagnostics }: OpenResult): boolean {
  return ok && kernels.length === 0 && !diagnostics.some((d) => d.code === "API005");
}

export function refuseEmpty(io: Io, file: string): never {
  const message = "The text holds no kernel.";
  printDiagnostics(io, file, [{ line: 1, column: 1, length: 0, severity: "error", code: "API004", message, suggestion: null }]);
  throw new InputError("");
}

/** The kernels a command works on: the one named, or all. */
export function chosenKernels({ opened, file }: Program, args: Args): readonly KernelInfo[] {
  const name = args.value("kernel");
  if (name === null) return opened.kernels;
  const found = opened.kernels.filter((k) => k.name === name);
  if (found.length > 0) return found;
  const names = opened.kernels.map((k) => k.name);
  if (names.length === 0) throw new InputError(`${file} has no kernel ${name}`);
  const guess = closest(name, names);
  throw new UsageError(
    `${file} has no kernel ${name}${guess === null ? `; it has ${names.slice(0, 20).join(", ")}` : `; did you mean ${guess}?`}`,
  );
}

/** The one kernel that a command works on: the one named, or the first. */
export function chosenKernel(program: Program, args: Args): KernelInfo {
  const [kernel] = chosenKernels(program, args);
  if (kernel === undefined) throw new InputError(`${program.file} has nothing to run`);
  return kernel;
}

/** As `file:line:col: error ORI012: …`, one a line; what has no place in the text goes without. */
export function printDiagnostics(io: Io, file: string, diagnostics: readonly Diagnostic[]): void {
  for (const { line, column, severity, code, message, suggestion } of diagnostics) {
    const place = line > 0 ? `${file}:${line}:${column}` : "oriscope";
    io.err(`${place}: ${severity} ${code}: ${message}${suggestion === null ? "" : ` [${suggestion}]`}\n`);
  }
}

/** Problems of the options end the command with exit code 2; other errors with 1. */
export function refuseErrors(io: Io, file: string, diagnostics: readonly Diagnostic[]): void {
  printDiagnostics(io, file, diagnostics);
  const error = diagnostics.find((d) => d.severity === "error");
  if (error === undefined) return;
  if (/^(?:PIPE00|KNOB)/.test(error.code)) throw new UsageError("");
  throw new InputError("");
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value)}\n`);
}
