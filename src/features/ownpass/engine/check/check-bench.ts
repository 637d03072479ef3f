/** Check, Compare and the tests of a file, as the page requests them: texts and plain data in and out, so that a separate thread can do the work. */

import { type CheckReport, type CheckSubject, checkPass, type Ended, type GivenProgram, type PassRunner } from "./check.ts";
import { type AnalysisFigures, type AnalysisReport, analysisCsv, analysisFigures, analysisText, checkAnalysis } from "./check-analysis.ts";
import { type CompareReport, type Comparison, comparePass, comparisonOf } from "./compare.ts";
import { compareCsv, compareText } from "./compare-evidence.ts";
import { compilePass } from "./compile.ts";
import { brenchCsv, type Evidence, evidenceOf, evidenceText } from "./evidence.ts";
import { type FileTestResult, runFileTests } from "./file-tests.ts";
import { type Described, type PassRequest, readAnswer } from "./requests.ts";

/** Sends a request to the pass's code: returns its raw answer, or why there is none. */
export type Ask = (request: PassRequest) => Promise<string | Ended>;

export interface CheckJob {
  readonly source: string;
  /** Ori. */
  readonly given: readonly GivenProgram[];
  readonly count: number;
  readonly seed: number;
}

/** The file cannot be run at all. */
export interface Unusable {
  readonly kind: "unusable";
  readonly line: number;
  readonly message: string;
}

export interface Checked {
  readonly kind: "checked";
  readonly name: string;
  readonly report: Omit<CheckReport, "rows">;
  readonly evidence: Evidence;
  readonly markdown: string;
  readonly csv: string;
}

/** As `Checked`, for an analysis: compared with the built-in one block by block. */
export interface AnalysisChecked {
  readonly kind: "analysis";
  readonly name: string;
  readonly report: Omit<AnalysisReport, "rows">;
  readonly figures: AnalysisFigures;
  readonly markdown: string;
  readonly csv: string;
}

export interface Compared {
  readonly kind: "compared";
  readonly name: string;
  readonly report: Omit<CompareReport, "rows">;
  readonly comparison: Comparison;
  readonly markdown: string;
  readonly csv: string;
}

export interface Tested {
  readonly kind: "tested";
  readonly results: readonly FileTestResult[];
}

/** So far: programs done, and failures. */
export type Progress = (done: number, of: number, failures: number) => void;

/** Milliseconds between two reports of progress. */
const PROGRESS_MS = 100;

export class CheckBench {
  private readonly now: () => number;
  private cancelled = false;

  constructor(now: () => number) {
    this.now = now;
  }

  /** Ends the current work after its current program, with the results so far. */
  cancel(): void {
    this.cancelled = true;
  }

  async check(job: CheckJob, ask: Ask, progress: Progress): Promise<Checked | AnalysisChecked | Unusable> {
    const ready = await this.ready(job, ask);
    if (ready.kind === "unusable") return ready;
    const { subject, described } = ready;
    const { given, count, seed } = job;
    const tell = this.teller(given.length + count, progress);
    if (described.kind === "analysis") return this.checkAnalysis(subject, described, job, tell);
    const report = await checkPass(subject, {
      given,
      count,
      seed,
      progress: (rows, failures) => tell(rows.length, failures),
    });
    const { rows: _, ...rest } = report;
    const { name } = described;
    return {
      kind: "checked",
      name,
      report: rest,
      evidence: evidenceOf(report),
      markdown: evidenceText(name, report),
      csv: brenchCsv(name, report),
    };
  }

  private async checkAnalysis(
    subject: CheckSubject,
    { name, of }: Described,
    { given, count, seed }: CheckJob,
    progress: (programs: number, failures: number) => boolean,
  ): Promise<AnalysisChecked> {
    const report = await checkAnalysis(subject, { of, given, count, seed, progress });
    const { rows: _, ...rest } = report;
    return {
      kind: "analysis",
      name,
      report: rest,
      figures: analysisFigures(report),
      markdown: analysisText(name, report),
      csv: analysisCsv(name, report),
    };
  }

  async compare(job: CheckJob & { readonly against: string }, ask: Ask, progress: Progress): Promise<Compared | Unusable> {
    const ready = await this.ready(job, ask);
    if (ready.kind === "unusable") return ready;
    const { subject, described } = ready;
    if (described.kind === "analysis") return ANALYSIS;
    const { against, given, count, seed } = job;
    const tell = this.teller(given.length + count, progress);
    const report = await comparePass(subject, { given, count, seed, against, progress: (rows) => tell(rows.length, 0) });
    const { rows: _, ...rest } = report;
    const { name } = described;
    return {
      kind: "compared",
      name,
      report: rest,
      comparison: comparisonOf(report),
      markdown: compareText(name, report),
      csv: compareCsv(name, report),
    };
  }

  /** The tests inside the file. */
  async tests(job: Pick<CheckJob, "source">, ask: Ask): Promise<Tested | Unusable> {
    const ready = await this.ready(job, ask);
    if (ready.kind === "unusable") return ready;
    const { subject, described } = ready;
    const { kind, tests } = described;
    return { kind: "tested", results: await runFileTests(subject, tests, kind === "analysis" ? described : undefined) };
  }

  private teller(of: number, progress: Progress): (done: number, failures: number) => boolean {
    let told = 0;
    return (done, failures) => {
      if (this.now() - told >= PROGRESS_MS) {
        told = this.now();
        progress(done, of, failures);
      }
      return this.cancelled;
    };
  }

  private async ready(
    { source }: Pick<CheckJob, "source">,
    ask: Ask,
  ): Promise<{ readonly kind: "ready"; readonly subject: CheckSubject; readonly described: Described } | Unusable> {
    this.cancelled = false;
    const compiled = compilePass(source);
    if (!compiled.ok) return { kind: "unusable", line: compiled.problem.line, message: compiled.problem.message };
    const { code } = compiled;
    const runner = runnerOf(ask);
    const described = await runner.ask({ ask: "describe", code });
    if ("ended" in described) return { kind: "unusable", line: described.line ?? 0, message: described.message };
    if ("failed" in described) return { kind: "unusable", ...described.failed };
    return { kind: "ready", subject: { runner, code }, described };
  }
}

const ANALYSIS: Unusable = {
  kind: "unusable",
  line: 0,
  message:
    "The file defines an analysis, which changes nothing: there is no phase to compare it with. Check compares it with our analysis.",
};

/** Reads answers as strictly as the command line does. */
export function runnerOf(ask: Ask): PassRunner {
  return {
    async ask(request) {
      const answer = await ask(request);
      if (typeof answer !== "string") return answer;
      const read = readAnswer(request.ask, answer);
      return typeof read === "string" ? { ended: "answer", message: read } : read;
    },
  };
}
