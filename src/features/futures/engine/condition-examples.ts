/** A sentence of each condition as a run gives it, by family and name. Data that a test of the handbook finds and checks. */

import examples from "./condition-examples.json" with { type: "json" };

export const CONDITION_EXAMPLES: Readonly<Record<string, string>> = examples;
