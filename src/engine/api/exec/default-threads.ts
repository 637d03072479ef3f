/** The default number of threads of a program. */

import { threadsFor } from "../../ir/one-thread.ts";
import { parseModule } from "../../text/parser.ts";

export const DEFAULT_THREADS = 32;

/** Of canonical Ori: one where it came from Bril and prints or allocates. */
export const defaultThreads = (ori: string): number => threadsFor(parseModule(ori).module, DEFAULT_THREADS);
