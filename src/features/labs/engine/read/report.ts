/** Collects located messages while a lab is read. */

import type { Diagnostic } from "../../../../engine/api/types.ts";
import type { Place } from "../lab.ts";

/** Limit on the messages that are kept: a damaged file repeats the same one many times. */
const MOST = 200;

export class Report {
  readonly diagnostics: Diagnostic[] = [];
  private left = 0;

  error(place: Place, code: string, message: string, suggestion: string | null = null): void {
    this.add("error", place, code, message, suggestion);
  }

  warning(place: Place, code: string, message: string, suggestion: string | null = null): void {
    this.add("warning", place, code, message, suggestion);
  }

  get failed(): boolean {
    return this.diagnostics.some((d) => d.severity === "error");
  }

  /** In the order of the file. */
  sorted(): readonly Diagnostic[] {
    const sorted = [...this.diagnostics].sort((a, b) => a.line - b.line || a.column - b.column);
    if (this.left === 0) return sorted;
    const message = `${this.left} more ${this.left === 1 ? "message was" : "messages were"} left out.`;
    return [...sorted, { line: 1, column: 1, length: 0, severity: "info", code: "LAB000", message, suggestion: null }];
  }

  private add(
    severity: "error" | "warning",
    { line, column, length }: Place,
    code: string,
    message: string,
    suggestion: string | null,
  ): void {
    if (this.diagnostics.length >= MOST) this.left++;
    else this.diagnostics.push({ line, column, length, severity, code, message, suggestion });
  }
}
