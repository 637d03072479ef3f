/** Keeps analysis results until the function they belong to is edited. */

import { forgetIdentity, identityOf } from "../ir/edit-op.ts";
import type { Func } from "../ir/types.ts";

/** Which edits make a result stale: `cfg` only those of blocks and edges, `all` every one of the code; what phases note down (block fields, weights, flags) never does. */
export type Validity = "cfg" | "all";

/**
 * Wraps an analysis so that a second call for an unchanged function costs nothing. Results belong to a state of the function (`identityOf`): an editor's
 * function may be analysed again after every edit, and clones share what they have not changed, from phase to phase. A result therefore describes the function as
 * it was at the call and never reads it again.
 */
export function cached<T>(validity: Validity, compute: (fn: Func) => T): (fn: Func) => T {
  const results = new WeakMap<object, { readonly value: T }>();
  return (fn) => {
    const identity = identityOf(fn);
    const key = validity === "cfg" ? identity.cfg : identity.all;
    const found = results.get(key);
    if (found !== undefined) return found.value;
    const value = compute(fn);
    results.set(key, { value });
    return value;
  };
}

/**
 * Drops the results for a function that a phase has replaced. Runs keep the programs between their phases, and the analyses of
 * those take many times their memory; a request about an earlier program computes them again.
 */
export const forgetAnalyses = (fn: Func): void => forgetIdentity(fn);
