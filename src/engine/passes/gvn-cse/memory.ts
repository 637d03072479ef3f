/** Memory as variables: which spaces an instruction changes, and which a load depends on. */

import type { Variable } from "../../analysis/merges.ts";
import type { Inst } from "../../ir/types.ts";
import { effectOf, spaceOf } from "../../ir/visit.ts";

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

/** Spaces whose version is part of a load's number; none for constant banks. */
export function readSpaces(inst: Inst): readonly Variable[] {
  return effectOf(inst) === "load" ? ofSpace(inst) : NONE;
}
