/** Collects a text's diagnostics: sorted, capped, one error a statement. */

import type { Diagnostic } from "../ir/diagnostic.ts";
import type { OriCode } from "./codes.ts";

/** At most this many diagnostics are reported, and one more for the rest. */
export const MAX_DIAGNOSTICS = 100;

export class Diagnostics {
  private readonly list: Diagnostic[] = [];
  private dropped = 0;

  add(
    code: OriCode,
    line: number,
    column: number,
    length: number,
    message: string,
    suggestion: string | null = null,
    severity: "error" | "warning" = "error",
  ): void {
    if (this.list.length >= MAX_DIAGNOSTICS) {
      this.dropped++;
      // An error takes the place of the last warning: a text full of warnings must not pass for one without errors.
      const last = severity === "error" ? this.list.findLastIndex((d) => d.severity === "warning") : -1;
      if (last < 0) return;
      this.list.splice(last, 1);
    }
    this.list.push({ line, column, length, severity, code, message, suggestion });
  }

  /** False once the cap is reached: costly suggestions need no longer be computed. */
  get open(): boolean {
    return this.list.length < MAX_DIAGNOSTICS;
  }

  finish(): Diagnostic[] {
    const sorted = this.list.sort((a, b) => a.line - b.line || a.column - b.column);
    const last = sorted[sorted.length - 1];
    if (this.dropped > 0 && last !== undefined) {
      sorted.push({ ...last, length: 0, code: "ORI099", message: `${this.dropped} more diagnostics are not shown.`, suggestion: null });
    }
    return sorted;
  }
}
