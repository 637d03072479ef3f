/** The programs of a lab for one student, opened and run once, and the tasks' queries about them. */

import { type FlowFacts, flowFacts } from "../../../engine/api/analysis/flow-facts.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import type { Diagnostic, PhaseRun, PipelineOptions, RunResult, SourceFormat } from "../../../engine/api/types.ts";
import type { TraceEvent } from "../../../engine/trace/event.ts";
import { generateProgram, pipelineOf } from "./generate/generate.ts";
import type { Judged } from "./kinds/kind.ts";
import type { At, Lab, ProgramSource } from "./lab.ts";
import { atText } from "./read/at.ts";

/** A task that cannot be judged, by no fault of the student: the message is for the teacher. */
export class BrokenTask extends Error {
  override readonly name = "BrokenTask";
}

export interface Program {
  readonly name: string;
  readonly text: string;
  readonly format: SourceFormat;
  /** Canonical Ori of the whole module. */
  readonly ori: string;
  readonly kernel: string;
}

/** A run of the pipeline on a program. */
export interface Run {
  readonly session: EngineSession;
  readonly result: RunResult;
}

/** A step of a phase: -1 its start, null its end; run -1 is the input. */
export interface Spot {
  readonly run: number;
  readonly step: number | null;
}

export class Stage {
  readonly lab: Lab;
  readonly seed: number;
  /** What the code that students wrote is worth, where it has been run (`tried.ts`). */
  readonly tried = new Map<string, Judged>();
  private readonly programs = new Map<string, Program>();
  private readonly runs = new Map<string, Run>();
  private readonly facts = new Map<string, FlowFacts>();

  constructor(lab: Lab, seed: number) {
    this.lab = lab;
    this.seed = seed;
  }

  /** The lab's default options for its tasks. */
  get pipeline(): PipelineOptions {
    return pipelineOf(this.lab.front);
  }

  /** `variant`: how often the student got another program. */
  program(name: string, variant = 0): Program {
    const key = `${name}/${variant}`;
    const known = this.programs.get(key);
    if (known !== undefined) return known;
    const source = this.lab.programs.find((p) => p.name === name);
    if (source === undefined) throw new BrokenTask(`there is no program '${name}'`);
    const { text, format } = this.textOf(source, variant);
    const opened = new EngineSession().open(1, text, format);
    const kernel = opened.kernels[0]?.name;
    if (!opened.ok || kernel === undefined) throw new BrokenTask(`the program '${name}' has errors: ${firstError(opened.diagnostics)}`);
    const program = { name, text, format: opened.format, ori: opened.ori, kernel };
    this.programs.set(key, program);
    return program;
  }

  run(program: Program, options: PipelineOptions): Run {
    const key = `${program.text}\n${JSON.stringify(options)}`;
    const known = this.runs.get(key);
    if (known !== undefined) return known;
    const run = runText(program.text, program.format, program.kernel, options);
    if (typeof run === "string") throw new BrokenTask(`the program '${program.name}' cannot be run: ${run}`);
    this.runs.set(key, run);
    return run;
  }

  factsAt(program: Program, options: PipelineOptions, at: At): FlowFacts {
    const key = `${program.text}\n${JSON.stringify([options, at])}`;
    const known = this.facts.get(key);
    if (known !== undefined) return known;
    const facts = factsOfText(
      at.kind === "input" ? program.ori : this.textAt(program, options, at),
      at.kind === "input" ? program.kernel : null,
    );
    this.facts.set(key, facts);
    return facts;
  }

  /** The whole module, with the kernel as it is at a place of its run. */
  textAt(program: Program, options: PipelineOptions, at: At): string {
    const run = this.run(program, options);
    return run.session.moduleText(spotOf(run, at));
  }

  private textOf(source: ProgramSource, variant: number): { readonly text: string; readonly format: SourceFormat | null } {
    if (source.kind === "written") return source;
    const made = generateProgram(source, this.lab.front, source.fixed ? 0 : this.seed, variant);
    if (made.text === null) throw new BrokenTask(made.message);
    return { text: made.text, format: "ori" };
  }
}

/** A program of a student's own, in any language that is read here, as canonical Ori; or what is wrong with it. */
export function asOri(text: string): { readonly ori: string } | { readonly diagnostics: readonly Diagnostic[] } {
  const { ok, ori, diagnostics } = new EngineSession().open(1, text, null);
  return ok ? { ori } : { diagnostics };
}

/** Opens and runs a text; a string says why that is impossible. */
export function runText(text: string, format: SourceFormat | null, kernel: string | null, options: PipelineOptions): Run | string {
  const session = new EngineSession();
  const opened = session.open(1, text, format);
  const name = kernel ?? opened.kernels[0]?.name;
  if (!opened.ok) return firstError(opened.diagnostics);
  if (name === undefined) return "the text contains no kernel";
  const result = session.run(1, name, options);
  const failed = result.diagnostics.find((d) => d.severity === "error");
  return failed === undefined ? { session, result } : failed.message;
}

export function factsOfText(text: string, kernel: string | null): FlowFacts {
  const read = flowFacts(text, kernel);
  if (!read.ok) throw new BrokenTask(`the program cannot be analysed: ${firstError(read.diagnostics)}`);
  return read.facts;
}

export function firstError(diagnostics: readonly Diagnostic[]): string {
  const found = diagnostics.find((d) => d.severity === "error");
  return found === undefined ? "it cannot be read" : `line ${found.line}: ${found.message}`;
}

/** The first run of a phase by number, id, name or `rN`. */
export function phaseOf({ session, result }: Run, phase: string): PhaseRun {
  const byIndex = /^r(\d{1,4})$/.exec(phase)?.[1];
  if (byIndex !== undefined) {
    const found = result.phases[Number(byIndex)];
    if (found !== undefined) return found;
    throw new BrokenTask(`there is no run ${phase}`);
  }
  const found = session.lookupPhase(phase);
  if (!found.ok) throw new BrokenTask(found.message);
  const run = result.phases.find((p) => found.ids.includes(p.id));
  if (run === undefined) throw new BrokenTask(`phase ${phase} is not among those that run`);
  return run;
}

export function spotOf(run: Run, at: At): Spot {
  if (at.kind === "input") return { run: -1, step: null };
  const phase = phaseOf(run, at.phase);
  if (at.kind === "start") return { run: phase.run, step: -1 };
  if (at.kind === "end") return { run: phase.run, step: null };
  const step = at.kind === "when" ? stepWhen(run, phase, at.when, at.nth) : at.step;
  const info = run.session.trace(phase.run);
  if (info === null) throw new BrokenTask(`phase ${at.phase} does not run here: ${phase.reason ?? "it is not modelled"}`);
  if (step >= info.steps) throw new BrokenTask(`phase ${at.phase} has ${info.steps} steps; there is no step ${step}`);
  return { run: phase.run, step };
}

function stepWhen(run: Run, phase: PhaseRun, when: string, nth: number): number {
  if (run.session.trace(phase.run) === null)
    throw new BrokenTask(`phase ${phase.name} does not run here: ${phase.reason ?? "it is not modelled"}`);
  const steps = run.session.breakpointTicks(phase.run, [{ kind: "condition", text: when }]);
  const step = steps[nth - 1];
  if (step === undefined)
    throw new BrokenTask(
      `phase ${phase.name} has ${steps.length} ${steps.length === 1 ? "event" : "events"} with ${when}; there is no number ${nth}`,
    );
  return step;
}

/** All steps of a phase that meet a condition. */
export function stepsWhen(run: Run, phase: string, when: string): readonly number[] {
  const found = phaseOf(run, phase);
  if (run.session.trace(found.run) === null)
    throw new BrokenTask(`phase ${phase} does not run here: ${found.reason ?? "it is not modelled"}`);
  return [...run.session.breakpointTicks(found.run, [{ kind: "condition", text: when }])];
}

export interface Seen {
  readonly event: TraceEvent;
  readonly run: number;
  readonly step: number;
  readonly label: (block: number) => string;
}

export function eventAt(run: Run, at: At): Seen {
  const { run: index, step } = spotOf(run, at);
  const event = step === null || step < 0 ? undefined : run.session.events(index, step, 1)[0];
  if (event === undefined || step === null) throw new BrokenTask(`there is no event at ${atText(at)}`);
  return { event, run: index, step, label: run.session.labelsOf(index) };
}
