/** What an example of the gallery is, and how one of the Ori programs is listed. */

import type { SourceFormat } from "../../engine/api/types.ts";

export interface Example {
  readonly id: string;
  readonly title: string;
  readonly group:
    | "First programs"
    | "From C"
    | "Loops"
    | "Branches"
    | "Switches"
    | "Redundancy"
    | "Tails and layout"
    | "Sizes"
    | "From CUDA";
  /** What it is. */
  readonly about: string;
  /** What to look at. */
  readonly look: string;
  /** Phase to open it at. */
  readonly phase: string | null;
  readonly format: SourceFormat;
  readonly load: () => Promise<string>;
}

/** A file of `ori/` by its name. `phase` is the one to open it at. */
export type OriRow = readonly [id: string, title: string, phase: string | null, about: string, look: string];
