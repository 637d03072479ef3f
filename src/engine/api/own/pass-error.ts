/** What stops a user's pass. */

/** A call that cannot be: the sentence is for the one who writes the pass. */
export class PassError extends Error {
  override readonly name = "PassError";
}

/** An edit outside of a rewrite was refused: the pass ends there, with what it has. */
export class PassEnds extends Error {
  override readonly name = "PassEnds";
}
