/** The engine's version: links, hand-ins and run results say which engine made them. */

/** The package's version (a test compares): raised where a program has another result, or a phase other steps, than in the release before. */
export const ENGINE_VERSION = "0.3.0";
