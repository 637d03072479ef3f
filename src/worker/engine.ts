/** What answers the questions: a program or a recorded trace, with parts that are loaded on first use. */

import { CoreSession, type SessionOptions } from "../engine/api/core-session.ts";
import type { FutureQuestions } from "../engine/api/futures/questions.ts";
import { ownBlocks } from "../engine/api/ownpass/analysis-results.ts";
import type { Readers } from "../engine/api/read/readers.ts";
import type {
  Ahead,
  Diagnostic,
  FirstResult,
  Moment,
  OpenResult,
  OwnCompared,
  OwnSaid,
  PipelineOptions,
  RunResult,
  SourceFormat,
} from "../engine/api/types.ts";
import { readAnswer } from "../ownpass/requests.ts";
import { looksRecorded } from "../publish/looks-recorded.ts";
import type { Published, PublishRequest } from "../publish/publish.ts";
import type { EnginePool } from "./engine-pool.ts";
import { PlayedSession } from "./played-session.ts";
import type { Recordings } from "./recordings.ts";

/** Parts of which most visits need at most one. A question that needs a missing part reports it. */
export type Parts = { -readonly [K in keyof Readers]: Readers[K] } & {
  futures?: typeof FutureQuestions;
  recordings?: Recordings;
};

export type Part = keyof Parts;

export class Engine {
  /** The open program, or the recorded trace that is open instead. */
  session: CoreSession;
  readonly parts: Parts;
  private readonly program: CoreSession;
  private readonly pool: EnginePool | null;
  private result: RunResult | null = null;

  /** `parts` may be added later. `pool`: runs kernels that are not chosen yet. */
  constructor(options: SessionOptions = {}, parts: Parts = {}, pool: EnginePool | null = null) {
    this.parts = parts;
    this.program = new CoreSession({ ...options, readers: parts });
    this.session = this.program;
    this.pool = pool;
  }

  open(revision: number, text: string, format: SourceFormat | null): OpenResult {
    this.pool?.stop();
    if (format === null && looksRecorded(text)) return this.openRecorded(revision, text);
    this.session = this.program;
    return this.program.open(revision, text, format);
  }

  openFirst(revision: number, text: string, format: SourceFormat | null, kernel: string | null): FirstResult {
    this.pool?.stop();
    if (format === null && looksRecorded(text)) {
      const answer = this.openRecorded(revision, text);
      const shown = answer.kernels.find(({ name }) => name === kernel) ?? answer.kernels[0];
      return { ...answer, shown: answer.ok ? (shown?.name ?? null) : null, left: 0 };
    }
    this.session = this.program;
    return this.program.openFirst(revision, text, format, kernel);
  }

  private openRecorded(revision: number, text: string): OpenResult {
    const base = { revision, format: "ori" as const, ori: text };
    const { recordings } = this.parts;
    if (recordings === undefined) return { ...base, ok: false, kernels: [], diagnostics: [WITHOUT_RECORDINGS] };
    const read = recordings.read(text);
    if (!read.ok) return { ...base, ok: false, kernels: [], diagnostics: [message(read.line, "error", "TRC001", read.message)] };
    const recorded = read.documents.map((document) => recordings.session(document));
    this.session = new PlayedSession(recorded, this.parts);
    const said = "This is a recorded trace: you can step through it as recorded, but options and knobs have no effect.";
    const notes = read.notes.map((note) => message(1, "warning", "TRC002", note));
    return {
      ...base,
      ok: true,
      recorded: true,
      kernels: recorded.map((one) => one.kernel()),
      diagnostics: [...notes, message(1, "info", "TRC003", said)],
    };
  }

  run(revision: number, kernel: string, options: PipelineOptions): RunResult {
    this.result = this.session.run(revision, kernel, options);
    return this.result;
  }

  /** Runs the other kernels of a long text elsewhere; null: there is nothing to run, no additional engine, or the text has changed. */
  async ahead(revision: number, options: PipelineOptions): Promise<Ahead | null> {
    const { pool, program } = this;
    if (pool === null) return null;
    return pool.ahead(JSON.stringify([revision, options]), () => {
      const kernels = program.others(revision, options);
      if (kernels.length === 0 || (options.own ?? null) !== null) return null;
      return {
        kernels,
        options,
        give: (kernel) => program.alone(kernel),
        take: (kernel, run) => {
          if (run !== null) program.adoptRun(kernel, options, run);
        },
      };
    });
  }

  /** The answer of a sandbox to a question of `ownAsk`, as it came. */
  lendOwn(id: number, answer: string): OwnSaid {
    const read = readAnswer("run", answer);
    const found = typeof read === "string" ? { failed: { message: read, line: 0 } } : read;
    if ("failed" in found) {
      const said = { changed: false, rewrites: 0, why: null, problem: found.failed };
      this.session.answerOwn(id, { script: [], said });
      return said;
    }
    const { script, thrown, changed, rewrites, why } = found;
    const said = { changed, rewrites, why, problem: thrown };
    this.session.answerOwn(id, { script, said });
    return said;
  }

  /** A sandbox's answer about the program at a moment, block by block, next to what the built-in analysis `of` reports (null: none). */
  ownCompared(moment: Moment, of: string | null, answer: string): OwnCompared {
    const read = readAnswer("analyze", answer);
    if (typeof read === "string") return { blocks: [], problem: { message: read, line: 0 } };
    if ("failed" in read) return { blocks: [], problem: read.failed };
    const program = this.session.ownProgram(moment);
    const blocks = program === null ? [] : ownBlocks(program, of, read.blocks);
    return typeof blocks === "string" ? { blocks: [], problem: { message: blocks, line: 0 } } : { blocks, problem: null };
  }

  get futures(): FutureQuestions {
    const { futures } = this.parts;
    if (futures === undefined) throw new Error("The code that answers questions about futures could not be loaded. Reload the page.");
    return new futures(this.session);
  }

  async publish(request: PublishRequest): Promise<Published | null> {
    const { recordings } = this.parts;
    if (recordings === undefined) throw new Error("The code that writes files could not be loaded. Reload the page.");
    return this.result === null || this.result.phases.length === 0 ? null : recordings.publish(this.session, this.result, request);
  }
}

const message = (line: number, severity: Diagnostic["severity"], code: string, text: string): Diagnostic => ({
  line,
  column: 1,
  length: 0,
  severity,
  code,
  message: text,
  suggestion: null,
});

const WITHOUT_RECORDINGS: Diagnostic = {
  ...message(1, "error", "TRC004", "The code that reads recorded traces could not be loaded."),
  suggestion: "Reload the page.",
};
