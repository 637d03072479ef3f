/** What the engine's worker loads on first use, each a separate script; and the texts that a part opens instead of reading a program. */

import type { TextOpener } from "../engine/api/read/opener.ts";
import { RECORDED_TEXTS } from "./publish/engine/looks-recorded.ts";
import { READERS } from "./readers.ts";

/** `local-parts.ts` is the list for code that has all of them loaded. */
export const PARTS = {
  ...READERS,
  futures: async () => (await import("./futures/engine/questions.ts")).FutureQuestions,
  own: async () => await import("./ownpass/engine/answers.ts"),
  recordings: async () => (await import("./publish/engine/page-recordings.ts")).RECORDINGS,
};

/** Those that are there. Most visits need at most one; a question that needs a missing one says so. */
export type Parts = { -readonly [K in keyof typeof PARTS]?: Awaited<ReturnType<(typeof PARTS)[K]>> };

export const OPENERS: Readonly<Record<string, TextOpener<Parts>>> = {
  recordings: RECORDED_TEXTS,
};
