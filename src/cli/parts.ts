/** What features do for the commands of the core: each is loaded when a command needs it. */

import type { Io } from "./io.ts";
import type { FilePass } from "./pass-option.ts";

export interface CliParts {
  /** Opens the pass of `--pass`. */
  readonly pass?: () => Promise<{ open(text: string, io: Io): Promise<FilePass> }>;
  /** Serves a thread that a command has started, of the kind `grader`. */
  readonly grader?: () => Promise<() => void>;
}
