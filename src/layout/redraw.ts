/** A drawing whose worker ends is given to another once, and refused with a sentence if that ends as well. */

const MOST_ENDS = 2;

export const ENDED = "ELK, which lays it out, could not be loaded, or has ended.";

interface Drawing {
  readonly reject: (error: Error) => void;
  /** Workers that ended while they drew it, or before. */
  ends: number;
}

/** Counts another end; false: the drawing is refused. */
export function mayRedraw(drawing: Drawing): boolean {
  if (++drawing.ends < MOST_ENDS) return true;
  drawing.reject(new Error(ENDED));
  return false;
}
