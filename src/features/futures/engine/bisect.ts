/** Finds the first rewrite after which a program no longer means what it did. */

import type { Light, RewritePrefixes } from "./prefixes.ts";

export interface Bisected {
  /** All rewrites of the run. */
  readonly rewrites: number;
  /** No examined prefix is right after a wrong one. */
  readonly monotone: boolean;
  /** The smallest red prefix that was found; the wrong rewrite is between it and the one before. */
  readonly first: number | null;
  /** Why there is no answer; null if there is one. */
  readonly undecided: string | null;
  /** Number of prefixes examined. */
  readonly looked: number;
}

/**
 * `search`: halves the distance, log2 of the rewrites; it is right where the light stays red once it is. `scan`: examines every light from the start.
 * A grey light counts as not red.
 */
export function bisect(prefixes: Pick<RewritePrefixes, "rewrites" | "light">, how: "search" | "scan"): Bisected {
  const { rewrites } = prefixes;
  const seen = new Map<number, Light["colour"]>();
  const red = (n: number): boolean => {
    const { colour } = prefixes.light(n);
    seen.set(n, colour);
    return colour === "red";
  };
  const start = prefixes.light(0);
  let first: number | null = null;
  if (how === "scan") {
    for (let n = 1; n <= rewrites; n++) if (red(n)) first ??= n;
  } else if (rewrites > 0 && red(rewrites)) {
    let low = 0;
    let high = rewrites;
    while (high - low > 1) {
      const middle = (low + high) >> 1;
      if (red(middle)) high = middle;
      else low = middle;
    }
    first = high;
  }
  const monotone = first === null || [...seen].every(([n, colour]) => n < (first ?? 0) || colour !== "green");
  // If some results of the program itself are not known, the others can still show a wrong rewrite.
  const undecided = first === null && start.colour === "grey" ? start.reason : null;
  return { rewrites, monotone, first, undecided, looked: seen.size + 1 };
}
