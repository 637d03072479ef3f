/** The engine's version: links, hand-ins and run results say which engine made them. */

/** The package's version (a test compares). */
export const ENGINE_VERSION = "0.1.0";
