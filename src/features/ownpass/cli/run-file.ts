/** `--pass FILE[@after:RUN]`: a user's pass as a phase, alone or at a position of the pipeline. */

import { InputError, type Io } from "../../../cli/io.ts";
import type { FilePass as OpenedPass } from "../../../cli/pass-option.ts";
import { type PassPlace, splitPass } from "../../../cli/pass-place.ts";
import type { Program } from "../../../cli/program.ts";
import type { OwnAnalysisJson } from "../../../cli/shapes.ts";
import type { OwnProgram, PipelineOptions } from "../../../engine/api/types.ts";
import { boxRunner } from "../box/runner.ts";
import { ownBlocks } from "../engine/analysis-results.ts";
import { answerOwn } from "../engine/answers.ts";
import type { Ended, PassRunner } from "../engine/check/check.ts";
import type { AnswerTo, Described, Ran, Thrown } from "../engine/check/requests.ts";
import { ownPassId } from "../engine/replay.ts";
import { compileFile, describeFile } from "./check-file.ts";

/** Steps of the trace that are lines of the source. */
const LINES = 100_000;

export class FilePass implements OpenedPass {
  private readonly file: string;
  private readonly place: PassPlace | null;
  private readonly code: string;
  private readonly source: readonly string[];
  private readonly runner: PassRunner;
  private readonly described: Described;

  private constructor(
    file: string,
    place: PassPlace | null,
    made: ReturnType<typeof compileFile>,
    runner: PassRunner,
    described: Described,
  ) {
    this.file = file;
    this.place = place;
    this.code = made.code;
    this.source = made.source;
    this.runner = runner;
    this.described = described;
  }

  /** `FILE`, `FILE@after:RUN` or `FILE@before:RUN`. */
  static async open(text: string, io: Io): Promise<FilePass> {
    const { file, place } = splitPass(text);
    const made = compileFile(file, io);
    const runner = boxRunner();
    return new FilePass(file, place, made, runner, await describeFile(file, made.code, runner, io));
  }

  async among(program: Program, kernel: string, options: PipelineOptions): Promise<PipelineOptions> {
    const { placed, thrown } = await this.played(program, kernel, options, false);
    if (thrown !== null) throw new InputError(`${this.at(thrown.line)}: ${thrown.message}`);
    return placed;
  }

  async played(
    { session }: Program,
    kernel: string,
    options: PipelineOptions,
    everyLine: boolean,
  ): Promise<{ readonly placed: PipelineOptions; readonly id: string; readonly thrown: Thrown | null }> {
    const { code, source, runner, place: at } = this;
    const { name, summary } = this.described;
    const id = ownPassId(name);
    const own = { name, summary, source: source.join("\n"), at, ...(everyLine ? { lines: null } : {}) };
    const placed: PipelineOptions = { ...options, own };
    const ask = session.ownAsk(kernel, placed);
    if (ask === null || !("id" in ask)) return { placed, id, thrown: null };
    const { program, skips, fuel } = ask;
    const lines = everyLine ? LINES : 0;
    const answer = this.answered(
      await runner.ask({ ask: "run", code, program, source, skips: [...skips], fuel, record: true, lines, twice: false }),
    );
    const { script, changed, rewrites, why, thrown } = answer;
    answerOwn(session, ask.id, script, { changed, rewrites, why, problem: thrown });
    return { placed, id, thrown };
  }

  at(line: number): string {
    return line > 0 ? `${this.file}:${line}` : this.file;
  }

  get isAnalysis(): boolean {
    return this.described.kind === "analysis";
  }

  async analyze(kernel: string, handed: OwnProgram): Promise<OwnAnalysisJson> {
    const { code, source, runner } = this;
    const { name, of } = this.described;
    const { text, nextReg } = handed;
    const answer = await runner.ask({ ask: "analyze", code, program: { text, nextReg }, source });
    if ("ended" in answer) throw new InputError(`${this.at(answer.line ?? 0)}: ${answer.message}`);
    if ("failed" in answer) throw new InputError(`${this.at(answer.failed.line)}: ${answer.failed.message}`);
    const blocks = ownBlocks(handed, of, answer.blocks);
    if (typeof blocks === "string") throw new InputError(`${this.file}: ${blocks}`);
    return { kernel, name, of, blocks };
  }

  private answered(answer: AnswerTo<"run"> | Ended): Ran {
    if ("ended" in answer) throw new InputError(`${this.at(answer.line ?? 0)}: ${answer.message}`);
    if ("failed" in answer) throw new InputError(`${this.at(answer.failed.line)}: ${answer.failed.message}`);
    return answer;
  }
}
