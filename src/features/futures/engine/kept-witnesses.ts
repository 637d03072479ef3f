/** The programs among the passes' witnesses, for an engine that has no files. The list is data, written by `npm run bless -- witnesses`. */

import kept from "./kept-witnesses.json" with { type: "json" };

export interface KeptWitness {
  readonly family: string;
  /** Its file's. */
  readonly name: string;
  readonly phase: string;
  /** All phases of the family at which it shows what it shows, its own among them. */
  readonly phases: readonly string[];
  /** Conditions that are dropped together: without them the phase changes the meaning, or makes no valid program. */
  readonly drops: readonly string[];
  readonly caught: "meaning" | "verifier";
  readonly target: string | null;
  readonly level: number;
  readonly policy: string;
  readonly knobs: readonly string[];
  readonly text: string;
}

export const KEPT_WITNESSES: readonly KeptWitness[] = kept.map((one) => ({
  ...one,
  caught: one.caught === "verifier" ? "verifier" : "meaning",
}));
