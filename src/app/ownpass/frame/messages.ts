/** What the page and the frame of its sandbox say to each other, over a port that nobody else has. */

export type ToFrame =
  /** First of all: the program of the worker. */
  | { readonly kind: "guest"; readonly script: string }
  /** `fresh`: in a worker that ran nothing yet. `most`: characters of the answer. */
  | { readonly kind: "ask"; readonly id: number; readonly request: string; readonly fresh: boolean; readonly most: number }
  /** Ends the worker and what it is at. */
  | { readonly kind: "end" };

export type FromFrame =
  | { readonly kind: "ready" }
  /** The worker has the question: its time begins. */
  | { readonly kind: "begun"; readonly id: number }
  | { readonly kind: "answer"; readonly id: number; readonly text: string }
  | { readonly kind: "ended"; readonly id: number; readonly why: "size" | "crash"; readonly message: string };
