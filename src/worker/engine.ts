/** What answers the questions: a program or a recorded trace, with parts that are loaded on first use. */

import { CoreSession, type SessionOptions } from "../engine/api/core-session.ts";
import type { TextOpener } from "../engine/api/read/opener.ts";
import type { Ahead, Diagnostic, FirstResult, OpenResult, PipelineOptions, RunResult, SourceFormat } from "../engine/api/types.ts";
import { OPENERS, type Parts } from "../features/parts.ts";
import type { EnginePool } from "./engine-pool.ts";

export type Part = keyof Parts;

export class Engine {
  /** The open program, or the recorded trace that is open instead. */
  session: CoreSession;
  readonly parts: Parts;
  private readonly program: CoreSession;
  private readonly pool: EnginePool | null;
  /** Of the last run. */
  result: RunResult | null = null;

  /** `parts` may be added later. `pool`: runs kernels that are not chosen yet. */
  constructor(options: SessionOptions = {}, parts: Parts = {}, pool: EnginePool | null = null) {
    this.parts = parts;
    this.program = new CoreSession({ ...options, readers: parts });
    this.session = this.program;
    this.pool = pool;
  }

  open(revision: number, text: string, format: SourceFormat | null): OpenResult {
    this.pool?.stop();
    const opener = openerOf(text, format);
    if (opener !== null) return this.openInstead(revision, text, opener);
    this.session = this.program;
    return this.program.open(revision, text, format);
  }

  openFirst(revision: number, text: string, format: SourceFormat | null, kernel: string | null): FirstResult {
    this.pool?.stop();
    const opener = openerOf(text, format);
    if (opener !== null) {
      const answer = this.openInstead(revision, text, opener);
      const shown = answer.kernels.find(({ name }) => name === kernel) ?? answer.kernels[0];
      return { ...answer, shown: answer.ok ? (shown?.name ?? null) : null, left: 0 };
    }
    this.session = this.program;
    return this.program.openFirst(revision, text, format, kernel);
  }

  private openInstead(revision: number, text: string, opener: TextOpener<Parts>): OpenResult {
    const base = { revision, format: "ori" as const, ori: text };
    const opened = opener.opening(this.parts)?.open(text, this.parts) ?? { session: null, diagnostics: [missing(opener.without)] };
    if (opened.session === null) return { ...base, ok: false, kernels: [], diagnostics: opened.diagnostics };
    const { session, kernels, diagnostics } = opened;
    this.session = session;
    return { ...base, ok: true, recorded: true, kernels, diagnostics };
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
}

/** What opens a text that is no program; null: it is read as one. */
export const openerOf = (text: string, format: SourceFormat | null): TextOpener<Parts> | null =>
  format === null ? (Object.values(OPENERS).find(({ isOne }) => isOne(text)) ?? null) : null;

const missing = (said: TextOpener<Parts>["without"]): Diagnostic => ({
  line: 1,
  column: 1,
  length: 0,
  severity: "error",
  ...said,
  suggestion: "Reload the page.",
});
