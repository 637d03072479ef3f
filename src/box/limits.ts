/** What a stranger's code may use for one request. Nothing here is a time: the same code ends at the same place on every machine. */

export interface BoxLimits {
  /** Turns of loops, calls and copies of 64 bytes inside the engine that runs the code. */
  readonly steps: number;
  /** Bytes of everything that the code makes. */
  readonly memory: number;
}

const MEBIBYTE = 1024 * 1024;

/** An estimate: the largest template takes 7 million steps on a random program. 500 million take a core two to four seconds. */
export const BOX_LIMITS: BoxLimits = { steps: 500_000_000, memory: 128 * MEBIBYTE };

/** The meter counts in 32 bits. */
export const MOST_STEPS = 2_000_000_000;
export const MOST_MEMORY = 1024 * MEBIBYTE;
