/** Parameters of every generated program, what the entry block computes from them, and the sizes of the memory that they point to. */

/** What a program works on. */
export interface Frame {
  /** RD: read-only words, `IN_WORDS` of them. */
  readonly input: string;
  /** RD: this thread's own bytes, `OWN_BYTES` of them. */
  readonly own: string;
  /** RD: words that only commutative reductions touch. */
  readonly sums: string;
  /** R: a value that differs between lanes, and one that is the same for a launch. */
  readonly thread: string;
  readonly size: string;
  /** R: this thread's own bytes in shared memory, `OWN_SHARED` of them. */
  readonly shared: string;
}

export const IN_WORDS = 64;
export const OWN_BYTES = 64;
export const OWN_SHARED = 16;
export const SUM_WORDS = 16;
export const LOCAL_BYTES = 32;
