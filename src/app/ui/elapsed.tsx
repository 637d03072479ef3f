/** Counts the seconds since something began. */

import { useEffect, useState } from "react";

/** `since` is by `performance.now()`; give it as the key, too. */
export function Elapsed({ since }: { readonly since: number }) {
  const [seconds, setSeconds] = useState(() => passed(since));
  useEffect(() => {
    const timer = setInterval(() => setSeconds(passed(since)), 1_000);
    return () => clearInterval(timer);
  }, [since]);
  // Not read out: a number a second would drown everything else.
  return <span aria-hidden="true">{seconds} s</span>;
}

const passed = (since: number): number => Math.floor((performance.now() - since) / 1_000);
