/** Where a pass's code runs, as the page sees it: requests and answers are texts, and none of them is believed. */

import type { Ended } from "../engine/check/check.ts";
import type { PassRequest } from "../engine/check/requests.ts";

export interface PassSandbox {
  /** The answer as text, to be read by `readAnswer`; or why there is none. One question at a time, the others wait. Never rejects. */
  ask(request: PassRequest): Promise<string | Ended>;
  /** Ends the current request and those that wait; their answers report it. The next request has a fresh sandbox. */
  stop(): void;
}

/** What the engine reads: the answer, or that the pass failed. */
export const answerText = (answer: string | Ended): string =>
  typeof answer === "string" ? answer : JSON.stringify({ failed: { message: answer.message, line: answer.line ?? 0 } });

export type MakeSandbox = () => Promise<PassSandbox>;

/** A sandbox that is started by the first request. If that fails, `ask` rejects, and the next request tries again. */
export function lateSandbox(make: MakeSandbox): PassSandbox {
  let made: Promise<PassSandbox> | null = null;
  let started: PassSandbox | null = null;
  return {
    async ask(request) {
      made ??= make();
      try {
        started = await made;
      } catch (error) {
        made = null;
        throw error;
      }
      return started.ask(request);
    },
    stop: () => started?.stop(),
  };
}
