/** The name that each statement of a compiled pass calls with its line. */
export const PROBE = "__line";
