/** Short names of kernels, for lists of them; what makes them is loaded with the first name that is not short itself. */

import { useEffect, useState } from "react";
import { messageOf } from "../ui/failure.ts";
import { useActions } from "./hooks.ts";

/** Longest name that is shown as it is. */
const MOST = 36;
const NONE: ReadonlyMap<string, string> = new Map();

/** By name; names without an entry are shown as they are. `names` stays the same object while nothing changes. */
export function useShortNames(names: readonly string[]): ReadonlyMap<string, string> {
  const { notify } = useActions();
  const [made, setMade] = useState({ names, short: NONE });
  useEffect(() => {
    if (!names.some((name) => name.length > MOST || name.startsWith("_Z"))) return;
    let over = false;
    import("../names/kernels.ts").then(
      ({ shortNames }) => {
        if (!over) setMade({ names, short: shortNames(names) });
      },
      (error: unknown) =>
        notify("warning", `Kernels are listed by their whole names, for shorter ones could not be loaded: ${messageOf(error)}`),
    );
    return () => {
      over = true;
    };
  }, [names, notify]);
  return made.names === names ? made.short : NONE;
}
