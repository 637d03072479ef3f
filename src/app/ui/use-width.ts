/** The window's width class. */

import { useSyncExternalStore } from "react";

export type WidthClass = "phone" | "narrow" | "wide";

const PHONE = 700;
const NARROW = 1180;

function subscribe(listener: () => void): () => void {
  window.addEventListener("resize", listener);
  return () => window.removeEventListener("resize", listener);
}

function read(): WidthClass {
  const { innerWidth } = window;
  return innerWidth < PHONE ? "phone" : innerWidth < NARROW ? "narrow" : "wide";
}

export function useWidth(): WidthClass {
  return useSyncExternalStore(subscribe, read, () => "wide");
}

/** Too low for panes above one another, as a window at 200 % zoom is. */
const LOW = 560;

export function useLow(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => window.innerHeight < LOW && read() !== "wide",
    () => false,
  );
}
