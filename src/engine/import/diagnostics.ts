/** Collects located messages while a foreign text is read: capped, ordered by position, one per place and code. */

import type { Diagnostic } from "../ir/diagnostic.ts";

export type Severity = Diagnostic["severity"];

/** A row of an importer's table of codes. */
export interface CodeInfo {
  readonly severity: Severity;
  /** One line for people: what the code means. */
  readonly title: string;
}

/** Where a message points: 1-based line and column, length in characters. */
export interface Place {
  readonly line: number;
  readonly column: number;
  readonly length: number;
}

export const START: Place = { line: 1, column: 1, length: 0 };

/** Receives the problems of a text. */
export interface Reporter<Code extends string> {
  /** `once`: a later report with the same word in this text is left out. */
  report(code: Code, at: Place, message: string, suggestion?: string | null, once?: string | null): void;
  /** How many errors were reported, also those that are not kept. */
  readonly errors: number;
}

/** Keeps the messages about a part of a text that is read before its turn, to report them in order. */
export class ReportTape<Code extends string> implements Reporter<Code> {
  private readonly codes: Readonly<Record<Code, CodeInfo>>;
  private readonly said: (readonly [code: Code, at: Place, message: string, suggestion: string | null, once: string | null])[] = [];
  private readonly told = new Set<string>();
  errors = 0;

  constructor(codes: Readonly<Record<Code, CodeInfo>>) {
    this.codes = codes;
  }

  report(code: Code, at: Place, message: string, suggestion: string | null = null, once: string | null = null): void {
    if (once !== null && this.told.has(once)) return;
    if (once !== null) this.told.add(once);
    if (this.codes[code].severity === "error") this.errors++;
    this.said.push([code, at, message, suggestion, once]);
  }

  playTo(reporter: Reporter<Code>): void {
    for (const report of this.said) reporter.report(...report);
  }
}

/**
 * Keeps the first `cap` errors and warnings and the first `cap` infos; the rest is counted and reported in one line at the end. An error takes the
 * place of the last warning, so that a text full of warnings is never read as one without errors.
 * A code reported twice at one place is kept once.
 */
export class DiagnosticSink<Code extends string> implements Reporter<Code> {
  private readonly codes: Readonly<Record<Code, CodeInfo>>;
  private readonly cutCode: Code;
  private readonly cap: number;
  private readonly kept: Diagnostic[] = [];
  private readonly seen = new Set<string>();
  private readonly told = new Set<string>();
  private readonly used = new Set<Code>();
  private problems = 0;
  private infos = 0;
  private dropped = 0;
  errors = 0;

  constructor(codes: Readonly<Record<Code, CodeInfo>>, cutCode: Code, cap: number) {
    this.codes = codes;
    this.cutCode = cutCode;
    this.cap = cap;
  }

  report(code: Code, at: Place, message: string, suggestion: string | null = null, once: string | null = null): void {
    if (once !== null && this.told.has(once)) return;
    if (once !== null) this.told.add(once);
    const { severity } = this.codes[code];
    if (severity === "error") this.errors++;
    const key = `${at.line}:${at.column}:${code}`;
    if (this.seen.has(key)) return;
    this.used.add(code);
    const room = severity === "info" ? this.infos++ < this.cap : this.problems++ < this.cap;
    if (!room) {
      this.dropped++;
      if (severity !== "error" || !this.evictWarning()) return;
    }
    this.seen.add(key);
    this.kept.push({ line: at.line, column: at.column, length: at.length, severity, code, message, suggestion });
  }

  private evictWarning(): boolean {
    const last = this.kept.findLastIndex((d) => d.severity === "warning");
    if (last >= 0) this.kept.splice(last, 1);
    return last >= 0;
  }

  /** Whether this was reported for any position, even if it is not kept. */
  reported(code: Code): boolean {
    return this.used.has(code);
  }

  /** True when an error was reported; of several, one at least is kept. */
  hasErrors(): boolean {
    return this.kept.some((d) => d.severity === "error");
  }

  /** Everything kept, by position. */
  finish(): Diagnostic[] {
    const sorted = this.kept.slice().sort((a, b) => a.line - b.line || a.column - b.column);
    if (this.dropped > 0) {
      const { severity } = this.codes[this.cutCode];
      const last = sorted[sorted.length - 1] ?? { line: 1, column: 1 };
      sorted.push({
        line: last.line,
        column: last.column,
        length: 0,
        severity,
        code: this.cutCode,
        message: `${this.dropped} more messages were left out`,
        suggestion: null,
      });
    }
    return sorted;
  }
}
