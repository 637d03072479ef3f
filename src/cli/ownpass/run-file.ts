/** `--pass FILE[@after:RUN]` of `run` and `trace`: a pass of one's own alone, or at a place of the pipeline. */

import { ownBlocks } from "../../engine/api/pass-analysis.ts";
import { passPrograms } from "../../engine/api/pass-check.ts";
import { judgePass } from "../../engine/api/pass-judge.ts";
import { ownPassId, replayOn, type TraceEvent } from "../../engine/api/pass-replay.ts";
import type { OwnProgram, PhaseRun, PipelineOptions, RunResult } from "../../engine/api/types.ts";
import type { AnswerTo, Described, Ran } from "../../ownpass/requests.ts";
import type { Args } from "../args.ts";
import { type ExitCode, InputError, type Io, UsageError } from "../io.ts";
import { type PassPlace, splitPass } from "../pass-place.ts";
import { type Program, refuseErrors } from "../program.ts";
import type { OwnAnalysisJson, RunPhaseJson } from "../shapes.ts";
import { compileFile, describeFile } from "./check-file.ts";
import { type Ended, PassChild } from "./child.ts";

const MS = 2000;
const MEMORY = 256 * 1024 * 1024;
/** Steps of the trace that are lines of the source. */
const LINES = 100_000;

/** What one kernel became. */
export interface OwnRun {
  /** Of the pipeline around the pass; of no phases when it is alone. */
  readonly result: RunResult;
  /** The pass as a phase, and after how many phases it stands. */
  readonly row: RunPhaseJson;
  readonly at: number;
  /** The result's text where no phase comes after the pass; null: the pipeline's. */
  readonly text: string | null;
  readonly code: ExitCode;
}

export class FilePass {
  private readonly file: string;
  private readonly place: PassPlace | null;
  private readonly code: string;
  private readonly source: readonly string[];
  private readonly child: PassChild;
  private readonly described: Described;

  private constructor(file: string, place: PassPlace | null, made: ReturnType<typeof compileFile>, child: PassChild, described: Described) {
    this.file = file;
    this.place = place;
    this.code = made.code;
    this.source = made.source;
    this.child = child;
    this.described = described;
  }

  /** `FILE`, `FILE@after:RUN` or `FILE@before:RUN`. End it. */
  static async open(text: string, io: Io): Promise<FilePass> {
    const { file, place } = splitPass(text);
    const made = compileFile(file, io);
    const child = new PassChild({ ms: MS, memory: MEMORY });
    try {
      const described = await describeFile(file, made.code, child, MS, io);
      return new FilePass(file, place, made, child, described);
    } catch (error) {
      child.end();
      throw error;
    }
  }

  end(): void {
    this.child.end();
  }

  /** Runs the pipeline with the pass in it, or the pass alone. */
  async run(program: Program, kernel: string, options: PipelineOptions, args: Args, io: Io): Promise<OwnRun> {
    const { session, file } = program;
    const given = this.place === null ? { ...options, phases: [], interventions: [] } : options;
    const first = session.run(1, kernel, given);
    refuseErrors(io, file, first.diagnostics);
    const at = this.place === null ? 0 : this.findPlace(first, this.place, program);
    const header = session.headerText(args.has("target") ? first.target : null);
    const before = header + (at === 0 ? session.kernelText(kernel) : session.text({ run: at - 1, step: null }).text);
    const { after, row, code } = await this.apply(before, args, io);
    const next = first.phases[at];
    const base = { row, at, code };
    if (next === undefined || !row.changed)
      return { ...base, result: first, text: row.changed ? after : next === undefined ? before : null };
    const edit = { kind: "edit", run: next.address, text: after } as const;
    const result = session.run(1, kernel, { ...options, interventions: [...(options.interventions ?? []), edit] });
    refuseErrors(io, file, result.diagnostics);
    // The pass's result came in as an edit: that is how it is done, and not what was asked for.
    return { ...base, result: { ...result, interventions: result.interventions.slice(0, -1) }, text: null };
  }

  /** Options in which it is a phase of the pipeline, or the only one: its code has run on what is handed to it there. */
  async among(program: Program, kernel: string, options: PipelineOptions): Promise<PipelineOptions> {
    const { session } = program;
    const { source, place } = this;
    const { name, summary } = this.described;
    let at: PassPlace | null = null;
    if (place !== null) {
      // Runs are named here as everywhere on the command line; the engine knows their addresses.
      const { phases } = session.run(1, kernel, options);
      const index = this.findPlace({ phases }, place, program) - (place.side === "after" ? 1 : 0);
      at = { side: place.side, run: phases[index]?.address ?? place.run };
    }
    const placed: PipelineOptions = { ...options, own: { name, summary, source: source.join("\n"), at } };
    const ask = session.ownAsk(kernel, placed);
    if (ask === null || !("id" in ask)) return placed;
    const { program: handed, skips, fuel } = ask;
    const { code, child } = this;
    const answer = this.answered(
      await child.ask({ ask: "run", code, ms: MS, program: handed, source, skips: [...skips], fuel, record: true, lines: 0, twice: false }),
    );
    if (answer.thrown !== null) throw new InputError(`${this.at(answer.thrown.line)}: ${answer.thrown.message}`);
    const { script, changed, rewrites, why } = answer;
    session.lendScript(ask.id, { script, said: { changed, rewrites, why, problem: null } });
    return placed;
  }

  /** Its steps on a program. */
  async trace(
    program: Program,
    kernel: string,
    options: PipelineOptions,
    args: Args,
    io: Io,
  ): Promise<{ readonly events: readonly TraceEvent[]; readonly label: (block: number) => string }> {
    const { session, file } = program;
    const before = this.place === null ? { ...options, phases: [], interventions: [] } : options;
    const first = session.run(1, kernel, before, this.place === null ? [] : [this.place.run]);
    refuseErrors(io, file, first.diagnostics);
    const at = this.place === null ? 0 : this.findPlace(first, this.place, program);
    const header = session.headerText(args.has("target") ? first.target : null);
    const text = header + (at === 0 ? session.kernelText(kernel) : session.text({ run: at - 1, step: null }).text);
    const answer = await this.ask(text, true, args.has("lines") ? LINES : 0);
    const replay = {
      name: this.described.name,
      summary: this.described.summary,
      source: this.source,
      script: answer.script,
      thrown: answer.thrown?.message ?? null,
    };
    const done = replayOn(text, replay);
    if (!done.ok) throw new InputError(done.message);
    if (done.error !== null) io.err(`${this.at(answer.thrown?.line ?? 0)}: error: ${done.error}\n`);
    const info = done.steps.trace(0);
    return { events: done.steps.events(0, 0, info?.steps ?? 0), label: done.steps.label };
  }

  /** The file defines an analysis, which changes nothing. */
  get isAnalysis(): boolean {
    return this.described.kind === "analysis";
  }

  /** What the analysis says of a program, beside ours. */
  async analyze(kernel: string, handed: OwnProgram): Promise<OwnAnalysisJson> {
    const { code, source, child } = this;
    const { name, of } = this.described;
    const { text, nextReg } = handed;
    const answer = await child.ask({ ask: "analyze", code, ms: MS, program: { text, nextReg }, source });
    if ("ended" in answer) throw new InputError(`${this.file}: ${answer.message}`);
    if ("failed" in answer) throw new InputError(`${this.at(answer.failed.line)}: ${answer.failed.message}`);
    const blocks = ownBlocks(handed, of, answer.blocks);
    if (typeof blocks === "string") throw new InputError(`${this.file}: ${blocks}`);
    return { kernel, name, of, blocks };
  }

  private at(line: number): string {
    return line > 0 ? `${this.file}:${line}` : this.file;
  }

  private findPlace(result: Pick<RunResult, "phases">, { side, run }: PassPlace, { session }: Program): number {
    const found = session.lookupPhase(run);
    const index = result.phases.findIndex((p: PhaseRun) => p.address === run || (found.ok && found.ids.includes(p.id)));
    if (index < 0) throw new UsageError(found.ok ? `${run} is not one of the phases that run` : found.message);
    return side === "before" ? index : index + 1;
  }

  private async ask(text: string, record: boolean, lines: number) {
    const found = passPrograms(text);
    const [one] = typeof found === "string" ? [] : found;
    if (one === undefined) throw new InputError(typeof found === "string" ? found : "the program contains no kernel");
    const { code, source, child } = this;
    const answer = await child.ask({
      ask: "run",
      code,
      ms: MS,
      program: one.program,
      source,
      skips: [],
      fuel: null,
      record,
      lines,
      twice: false,
    });
    return this.answered(answer);
  }

  private answered(answer: AnswerTo<"run"> | Ended): Ran {
    if ("ended" in answer) throw new InputError(`${this.file}: ${answer.message}`);
    if ("failed" in answer) throw new InputError(`${this.at(answer.failed.line)}: ${answer.failed.message}`);
    return answer;
  }

  private async apply(
    before: string,
    args: Args,
    io: Io,
  ): Promise<{ readonly after: string; readonly row: RunPhaseJson; readonly code: ExitCode }> {
    const answer = await this.ask(before, false, 0);
    if (answer.thrown !== null) throw new InputError(`${this.at(answer.thrown.line)}: ${answer.thrown.message}`);
    const inputs = args.count("check", 0, 0);
    // Whatever comes back is verified, asked for or not.
    const verdict = judgePass(before, answer.text, { seed: 1, inputs });
    if (verdict.law !== null && verdict.law !== "meaning") throw new InputError(`${this.file}: ${verdict.law}: ${verdict.message}`);
    const wrong = verdict.law === "meaning";
    if (wrong) io.err(`${this.file}: error: ${this.described.name} changed the meaning: ${verdict.input ?? verdict.message}\n`);
    const blocks = (text: string): number => text.split("\n").filter((line) => /^[A-Za-z_$.][\w$.]*:/.test(line)).length;
    const row: RunPhaseJson = {
      run: -1,
      phase: null,
      id: ownPassId(this.described.name),
      name: this.described.name,
      ran: true,
      reason: answer.changed ? null : answer.why,
      changed: answer.changed,
      blocks: [blocks(before), blocks(answer.text)],
      instructions: verdict.size,
      matches: answer.rewrites,
      rewrites: answer.rewrites,
      ms: 0,
      check: inputs === 0 ? null : { inputs, ok: !wrong, counterexample: verdict.input },
      verifyErrors: [],
      address: `${ownPassId(this.described.name)}+1`,
      asked: answer.rewrites,
      refused: 0,
      dropped: [],
    };
    return { after: answer.text, row, code: wrong ? 1 : 0 };
  }
}
