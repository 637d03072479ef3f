/** Loads the program a command works on, prints its diagnostics, and contains what commands share. */

import { closest } from "../base/closest.ts";
import { FORMATS } from "../base/formats.ts";
import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import { INTERVENTION_FORMS, parseIntervention } from "../engine/api/run/interventions.ts";
import { EngineSession } from "../engine/api/session.ts";
import type {
  Diagnostic,
  Intervention,
  InterventionKind,
  InterventionResult,
  KernelInfo,
  OpenResult,
  PipelineOptions,
  RunResult,
  SourceFormat,
} from "../engine/api/types.ts";
import type { Args, OptionSpec } from "./args.ts";
import { InputError, type Io, UsageError } from "./io.ts";

/** Limit on kept runs, in instructions: a command returns only to runs of the same kernel, and modules have thousands of kernels. */
const KEPT = 200_000;
/** Of a command that returns to none. */
export const KEEP_NONE = 0;

export interface Program {
  readonly session: EngineSession;
  readonly file: string;
  readonly text: string;
  readonly opened: OpenResult;
}

export const FROM_OPTION: OptionSpec = {
  name: "from",
  value: "FORMAT",
  oneOf: FORMATS,
  doc: "Format of FILE; default: detected from the text.",
};
export const KERNEL_OPTION: OptionSpec = { name: "kernel", value: "NAME", doc: "Only this kernel." };

export const NO_PHIS_OPTION: OptionSpec = {
  name: "no-phis",
  doc: "First replace every PHI with copies in the predecessors of its block; a summary goes to stderr.",
};

/** Options that say how the pipeline runs. */
export const PIPELINE_OPTIONS: readonly OptionSpec[] = [
  { name: "target", value: "SM", doc: "Target, such as sm_80; default: the text's target, else sm_90." },
  { name: "level", short: "O", value: "N", doc: "Optimization level, 0 to 4; default 3." },
  { name: "phases", value: "LIST", doc: "Run these phases (numbers or names) in this order: 3,15,30." },
  { name: "named-phases", value: "NAMES", doc: "Run only these named phases or sub-passes: OriCopyProp." },
  { name: "no-phase", value: "NAME", many: true, doc: "Skip a phase." },
  { name: "knob", value: "NAME=V", many: true, doc: "Set a knob; NAME=V@RUN from a run on, NAME=V@RUN..RUN in a range of runs." },
  {
    name: "policy",
    value: "POLICY",
    oneOf: ["notes", "measured"],
    doc: "Whose rules apply: the reference's or measured ones; default notes.",
  },
  { name: "until", value: "N", doc: "Stop before this position." },
  {
    name: "fuel",
    value: "N",
    doc: "At most N rewrites over all phases; RUN#N: the phases before RUN, then its first N rewrites. RUN: 49, gvn-cse, or r7 by run index.",
  },
  { name: "rewrites", value: "N", doc: "Another name for --fuel." },
  { name: "skip", value: "RUN#N", many: true, doc: "Skip the N-th rewrite of a run." },
  { name: "leave-out", value: "RUN", many: true, doc: "Leave out one run." },
  { name: "insert", value: "ID@after:RUN", many: true, doc: "Run a phase once more, after or before: another run; its address is ID+1." },
  { name: "move", value: "RUN@after:RUN", many: true, doc: "Run it after or before: another run." },
  { name: "edit", value: "RUN=FILE", many: true, doc: "Replace the kernel with FILE (Ori) before RUN." },
  { name: "drop", value: "ID:CONDITION", many: true, doc: "Ignore a legality condition; `conditions` lists them." },
];

export const PASS_OPTION: OptionSpec = {
  name: "pass",
  value: "FILE[@after:RUN]",
  doc: "Your own pass, in TypeScript: alone, or after (before:) a run of the pipeline.",
};

/** For commands that work on a program as it was read, unless an option runs the pipeline first. */
export const AFTER_OPTION: OptionSpec = {
  name: "after",
  value: "RUN",
  doc: "Run the pipeline first and use the program after RUN, or after the last phase (`end`). An intervention alone implies `--after end`.",
};

/** `--fuel` of `exec` limits instructions. */
export const optionsBefore = (command: string, args: Args, io: Io): PipelineOptions =>
  pipelineOptions(args, io, command === "exec" ? ["rewrites"] : ["fuel", "rewrites"]);

/** The moment that `--after`, interventions and a user's pass name: before all phases if there is none. Runs the pipeline on the kernel. */
export function momentAfter(
  program: Program,
  kernel: string,
  command: string,
  args: Args,
  io: Io,
  options: PipelineOptions = optionsBefore(command, args, io),
): { readonly run: number; readonly step: null } {
  const asked = options.fuel !== null || (options.interventions ?? []).length > 0 || (options.own ?? null) !== null;
  const after = args.value("after") ?? (asked ? "end" : null);
  const ran = after === null ? { ...options, phases: [], fuel: null, interventions: [] } : options;
  const result = program.session.run(1, kernel, ran, after === null || after === "end" ? [] : [after]);
  refuseErrors(io, program.file, result.diagnostics);
  if (after === null) return { run: -1, step: null };
  printInterventions(io, command, kernel, result.interventions);
  if (after === "end") return { run: result.phases.length - 1, step: null };
  const found = program.session.lookupPhase(after);
  const phase =
    result.phases.find((p) => p.address === after || `r${p.run}` === after) ??
    result.phases.find((p) => found.ok && found.ids.includes(p.id));
  if (phase === undefined) throw new UsageError(found.ok ? `${after} is not one of the phases that run` : found.message);
  return { run: phase.run, step: null };
}

/** Interventions as given, including `--knob NAME=V@RUN` and `--fuel RUN#N`. */
function interventionsOf(args: Args, io: Io, fuelNames: readonly string[]): readonly Intervention[] {
  const read = (kind: InterventionKind, text: string): Intervention => {
    const found = parseIntervention(kind, text);
    if (found === null) throw new UsageError(`--${kind} takes ${INTERVENTION_FORMS[kind]}, not '${text.slice(0, 80)}'`);
    return found;
  };
  const given: Intervention[] = [];
  for (const kind of ["leave-out", "insert", "move", "skip", "drop"] as const)
    given.push(...args.values(kind).map((text) => read(kind, text)));
  for (const text of args.values("edit")) {
    const equals = text.indexOf("=");
    if (equals < 1) throw new UsageError(`--edit takes RUN=FILE, not '${text.slice(0, 80)}'`);
    given.push(read("edit", `${text.slice(0, equals)}=${io.readText(text.slice(equals + 1))}`));
  }
  for (const text of args.values("knob")) if (text.includes("@")) given.push(read("knob", text));
  for (const name of fuelNames) for (const text of args.values(name)) if (text.includes("#")) given.push(read("fuel", text));
  return given;
}

/** The number given to `--fuel` or `--rewrites`; null for none, or an address. */
function fuelOf(args: Args, names: readonly string[]): number | null {
  if (names.includes("fuel") && args.has("fuel") && args.has("rewrites"))
    throw new UsageError("--fuel and --rewrites are the same: give one of them");
  const name = args.has("rewrites") || !names.includes("fuel") ? "rewrites" : "fuel";
  const text = args.value(name);
  return text === null || text.includes("#") ? null : args.count(name, 0, 0);
}

/** `fuelNames`: the options that limit rewrites; `--fuel` of `exec` limits instructions. */
export function pipelineOptions(args: Args, io: Io, fuelNames: readonly string[] = ["fuel", "rewrites"]): PipelineOptions {
  if (args.has("phases") && args.has("named-phases"))
    throw new UsageError("--phases and --named-phases both select what runs: give one of them");
  const list = (name: string): string[] => args.values(name).flatMap((text) => text.split(",").map((part) => part.trim()));
  const policy = args.value("policy");
  return {
    target: args.value("target"),
    level: args.count("level", 0, DEFAULT_PIPELINE.level),
    policy: policy === "notes" || policy === "measured" ? policy : DEFAULT_PIPELINE.policy,
    knobs: args.values("knob").filter((text) => !text.includes("@")),
    noPhases: list("no-phase"),
    namedPhases: list("named-phases"),
    phases: args.has("phases") ? list("phases") : null,
    until: args.value("until"),
    verify: args.has("verify"),
    check: args.count("check", 0, 0),
    fuel: fuelOf(args, fuelNames),
    interventions: interventionsOf(args, io, fuelNames),
  };
}

/** Reads FILE (`-`: standard input) and opens it. Diagnostics go to stderr. */
export function loadProgram(args: Args, io: Io, keep = KEPT): Program {
  const file = args.positionals[0] ?? "-";
  const session = new EngineSession({ now: io.now, keep });
  const text = io.readText(file);
  const opened = session.open(1, text, args.value("from") as SourceFormat | null);
  printDiagnostics(io, file, opened.diagnostics);
  return { session, file, text, opened };
}

/** As `loadProgram`; a text with errors ends the command with exit code 1. */
export function loadGood(args: Args, io: Io, keep = KEPT): Program {
  const program = loadProgram(args, io, keep);
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

/** Only space and comments. A module with only declarations is not empty: its own message says that it has nothing to run. */
export function isEmpty({ ok, kernels, diagnostics }: OpenResult): boolean {
  return ok && kernels.length === 0 && !diagnostics.some((d) => d.code === "API005");
}

export function refuseEmpty(io: Io, file: string): never {
  const message = "The text contains no kernel.";
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

/** As `file:line:col: error ORI012: …`, one per line; without the position if it has none in the text. */
export function printDiagnostics(io: Io, file: string, diagnostics: readonly Diagnostic[]): void {
  for (const { line, column, severity, code, message, suggestion } of diagnostics) {
    const place = line > 0 ? `${file}:${line}:${column}` : "oriscope";
    io.err(`${place}: ${severity} ${code}: ${message}${suggestion === null ? "" : ` [${suggestion}]`}\n`);
  }
}

/** What did not apply, one line each. */
export function printInterventions(io: Io, command: string, kernel: string, results: readonly InterventionResult[]): void {
  for (const { text, applied, reason } of results)
    if (!applied) io.err(`oriscope ${command}: ${kernel}: ${text} does not apply: ${reason}\n`);
}

/** Addresses and places. */
const NAMES_NOTHING = /^PIPE01[134]$/;

/** Problems of the options end the command with exit code 2; other errors with 1. */
export function refuseErrors(io: Io, file: string, diagnostics: readonly Diagnostic[]): void {
  printDiagnostics(io, file, diagnostics);
  // What names nothing is only a warning to a page, which opens a link all the same.
  if (diagnostics.some((d) => NAMES_NOTHING.test(d.code))) throw new UsageError("");
  const error = diagnostics.find((d) => d.severity === "error");
  if (error === undefined) return;
  if (/^(?:PIPE00|KNOB)/.test(error.code)) throw new UsageError("");
  throw new InputError("");
}

/** The one kernel of a question about a run, run as the options say, and the effect of its interventions reported. */
export function runOne(
  args: Args,
  io: Io,
  command: string,
): { readonly program: Program; readonly kernel: KernelInfo; readonly result: RunResult } {
  const program = loadGood(args, io);
  const kernel = chosenKernel(program, args);
  const result = program.session.run(1, kernel.name, pipelineOptions(args, io));
  refuseErrors(io, program.file, result.diagnostics);
  printInterventions(io, command, kernel.name, result.interventions);
  return { program, kernel, result };
}

export function printJson(io: Io, value: unknown): void {
  io.out(`${JSON.stringify(value)}\n`, "json");
}
