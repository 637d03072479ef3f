/** Keeps analysis results until the function they belong to is edited. */

import { cfgOriginOf, originOf } from "../ir/edit-op.ts";
import type { Func } from "../ir/types.ts";

/** Which edits make a result stale: `cfg` only those of blocks and edges, `all` every one. */
export type Validity = "cfg" | "all";

/**
 * Wraps an analysis so that asking again for an unchanged function costs nothing. Results are keyed by the function object and its version, so an
 * editor's function may be asked again after every edit. While an editor's function is as it was when the editor was made, the function it was made from
 * is asked instead: phases that change nothing (or, for `cfg`, no edge) share results.
 */
export function cached<T>(validity: Validity, compute: (fn: Func) => T): (fn: Func) => T {
  const results = new WeakMap<Func, { readonly version: number; readonly value: T }>();
  return (asked) => {
    const fn = validity === "cfg" ? cfgOriginOf(asked) : originOf(asked);
    const version = validity === "cfg" ? fn.cfgVersion : fn.version;
    const found = results.get(fn);
    if (found !== undefined && found.version === version) return found.value;
    const value = compute(fn);
    results.set(fn, { version, value });
    return value;
  };
}
