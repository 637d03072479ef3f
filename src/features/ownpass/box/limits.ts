/** What untrusted code may use. No limit is a time: the same code ends at the same point on every machine. */

export interface BoxLimits {
  /** Loop iterations, calls and copies of 64 bytes inside the engine that runs the code. */
  readonly steps: number;
  /** Steps of all requests for a hand-in's task together. */
  readonly together: number;
  /** Bytes that the code may allocate for one request. */
  readonly memory: number;
}

const MEBIBYTE = 1024 * 1024;

/** An estimate: the largest template takes 7 million steps on a random program. 500 million take a core two to four seconds. */
export const BOX_LIMITS: BoxLimits = { steps: 500_000_000, together: 2_000_000_000, memory: 128 * MEBIBYTE };

/** The meter counts in 32 bits. */
export const MOST_STEPS = 2_000_000_000;
export const MOST_MEMORY = 1024 * MEBIBYTE;
