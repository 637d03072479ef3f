/** What the parts of the two handlers answer. */

/** What one half of a handler did. */
export interface Part {
  readonly matches: number;
  readonly rewrites: number;
  /** Why it changed nothing. */
  readonly why: string;
}
