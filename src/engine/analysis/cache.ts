/** Keeps analysis results until the function they belong to is edited. */

import { type Origin, originOf } from "../ir/edit-op.ts";
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
    const fn = validity === "cfg" ? sharedOrigin(asked, sameCfg) : sharedOrigin(asked, sameVersion);
    const version = validity === "cfg" ? fn.cfgVersion : fn.version;
    const found = results.get(fn);
    if (found !== undefined && found.version === version) return found.value;
    const value = compute(fn);
    results.set(fn, { version, value });
    return value;
  };
}

const sameCfg = (clone: Func, origin: Origin): boolean => clone.cfgVersion === origin.cfgVersion;
const sameVersion = (clone: Func, origin: Origin): boolean => clone.version === origin.version;

/** The oldest function that is still alive and that `fn` is an unchanged copy of, as `same` sees it. */
function sharedOrigin(fn: Func, same: (clone: Func, origin: Origin) => boolean): Func {
  for (let at = fn; ; ) {
    const origin = originOf(at);
    const from = origin?.fn.deref();
    if (origin === null || from === undefined || !same(at, origin) || !same(from, origin)) return at;
    at = from;
  }
}
