import { type RefObject, useEffect, useRef } from "react";

/**
 * For the region (`tabIndex` -1) that replaces what was pressed: the focus moves to it, each time `shown` changes, so that the keys go on there.
 * A page that opens with the region leaves the focus where it is.
 */
export function useArrival(shown: string): RefObject<HTMLDivElement | null> {
  const region = useRef<HTMLDivElement>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: shown: new content arrives again
  useEffect(() => {
    if (navigator.userActivation?.hasBeenActive === true) region.current?.focus({ preventScroll: true });
  }, [shown]);
  return region;
}
