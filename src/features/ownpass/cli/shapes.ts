/** The JSON that `check` prints. Other programs depend on it: fields may be added, none may change or be removed. */

import type { Evidence } from "../engine/check/evidence.ts";
import type { FileTestResult } from "../engine/check/file-tests.ts";
import type { Standing } from "../engine/check/standing.ts";

/** `check --json` */
export interface CheckJson {
  /** `untested`: nothing failed, but no program was changed, so nothing was tested (for an analysis: no program was tried). */
  readonly standing: Standing;
  /** Number of programs tried. */
  readonly programs: number;
  /** The seed of the first program. */
  readonly seed: number;
  readonly failures: readonly {
    /** `ends`, `program`, `signature`, `verifier`, `meaning` or `deterministic`; with `--pass` also `loads`, `throws` and, of an analysis, `agrees`. */
    readonly law: string;
    /** With `--pass`: the program's name. */
    readonly name?: string;
    /** 0 for a given program. */
    readonly seed: number;
    readonly program: string;
    readonly input: string | null;
    readonly message: string;
    /** With `--pass`: the first rewrite after which the program is wrong, and the line of the pass, 0 if not known. */
    readonly rewrite?: { readonly n: number; readonly of: number; readonly said: string } | null;
    readonly line?: number;
  }[];
  /** With `--pass-cmd`: programs that the command changed. */
  readonly changed?: number;
  /** With `--pass`: its name, what the check has shown, and the tests of the file. */
  readonly pass?: string;
  readonly evidence?: Evidence;
  readonly tests?: readonly FileTestResult[];
}
