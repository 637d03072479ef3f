/** The name of the object to whose index 0 each statement of a compiled pass writes its line. */
export const PROBE = "__line";
