/** Where a pass's code runs, as the page sees it: requests and answers are texts, and none of them is believed. */

import type { Ended } from "../../ownpass/check.ts";
import type { PassRequest } from "../../ownpass/requests.ts";

export interface PassSandbox {
  /** The answer as text, to be read by `readAnswer`; or why there is none. One question at a time, the others wait. Never rejects. */
  ask(request: PassRequest): Promise<string | Ended>;
  /** Ends the current request and those that wait; their answers report it. The next request has a fresh sandbox. */
  stop(): void;
}

/** Starts one when it is first asked. */
export type MakeSandbox = () => Promise<PassSandbox>;
