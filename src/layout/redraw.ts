/** If a drawing's worker ends, the drawing is sent to another worker once, and rejected with a message if that one ends too. */

const MOST_ENDS = 2;

export const ENDED = "ELK, which lays it out, could not be loaded, or has ended.";

interface Drawing {
  readonly reject: (error: Error) => void;
  /** How many workers have ended before they finished it. */
  ends: number;
}

/** Counts another ended worker; false: the drawing was rejected. */
export function mayRedraw(drawing: Drawing): boolean {
  if (++drawing.ends < MOST_ENDS) return true;
  drawing.reject(new Error(ENDED));
  return false;
}
