/** What the page and the frame of its sandbox say to each other, over a private port. */

import type { Ended } from "../../engine/check/check.ts";
import type { PassRequest } from "../../engine/check/requests.ts";

export type ToFrame =
  /** First of all: the program of the worker. */
  | { readonly kind: "worker"; readonly script: string }
  | { readonly kind: "ask"; readonly id: number; readonly request: PassRequest }
  /** Ends the worker with its current request. */
  | { readonly kind: "end" };

export type FromFrame = { readonly kind: "ready" } | { readonly kind: "answer"; readonly id: number; readonly answer: string | Ended };
