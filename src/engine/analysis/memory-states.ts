/** Memory as variables: which spaces an instruction changes, and which a load depends on. */

import type { Inst } from "../ir/types.ts";
import { effectOf, isNonCoherent, spaceOf } from "../ir/visit.ts";
import type { Variable } from "./merges.ts";

const GLOBAL: Variable = -1;
const SHARED: Variable = -2;
const LOCAL: Variable = -3;

const NONE: readonly Variable[] = [];
const EVERYTHING: readonly Variable[] = [GLOBAL, SHARED, LOCAL];
/** What other threads may have written when a barrier lets go. */
const BARRIER: readonly Variable[] = [GLOBAL, SHARED];

function ofSpace(inst: Inst): readonly Variable[] {
  switch (spaceOf(inst)) {
    case "global":
      return [GLOBAL];
    case "shared":
      return [SHARED];
    case "local":
      return [LOCAL];
    case "const":
      return NONE;
    case "generic":
    case null:
      return EVERYTHING;
  }
}

/** Spaces of which the instruction makes a new version. */
export function changedSpaces(inst: Inst): readonly Variable[] {
  switch (effectOf(inst)) {
    case "store":
    case "atomic":
      return ofSpace(inst);
    case "barrier":
      return inst.op === "OPAQUE" ? EVERYTHING : BARRIER;
    case "call":
      return EVERYTHING;
    case "sync":
      // Lanes that were elsewhere may have stored.
      return BARRIER;
    case "pure":
    case "load":
    case "warp":
    case "control":
    case "volatile":
      return NONE;
  }
}

/** Spaces whose version is part of a load's number; none for constant banks, and (`measured`) for what was there at launch. */
export function readSpaces(inst: Inst, measured: boolean): readonly Variable[] {
  return effectOf(inst) !== "load" || (measured && isNonCoherent(inst)) ? NONE : ofSpace(inst);
}
