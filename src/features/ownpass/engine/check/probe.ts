/** The name of that in which each statement of a compiled pass writes its line, at 0. */
export const PROBE = "__line";
