/** Keeps analysis results until the function they belong to is edited. */

import type { Func } from "../ir/types.ts";

/** Which edits make a result stale: `cfg` only those of blocks and edges, `all` every one. */
export type Validity = "cfg" | "all";

/**
 * Wraps an analysis so that asking again for an unchanged function costs nothing. Results are keyed by the function object and its version, so an
 * editor's function may be asked again after every edit.
 */
export function cached<T>(validity: Validity, compute: (fn: Func) => T): (fn: Func) => T {
  const results = new WeakMap<Func, { readonly version: number; readonly value: T }>();
  return (fn) => {
    const version = validity === "cfg" ? fn.cfgVersion : fn.version;
    const found = results.get(fn);
    if (found !== undefined && found.version === version) return found.value;
    const value = compute(fn);
    results.set(fn, { version, value });
    return value;
  };
}
