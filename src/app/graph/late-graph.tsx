/** The graph pane, in its own chunk: rendered with the page if the chunk is already loaded, lazily otherwise. */

import { type ComponentType, lazy, useState } from "react";

const load = async (): Promise<{ readonly default: ComponentType }> => ({ default: (await import("./graph-pane.tsx")).GraphPane });
const Late = lazy(load);
let here: ComponentType | null = null;

/** Resolves once the script is there, or cannot be had: the pane tries again, and reports it. */
export async function loadGraph(): Promise<void> {
  here = await load().then(
    ({ default: Pane }) => Pane,
    () => null,
  );
}

export function LateGraph() {
  // Chosen once per mount: switching to another component would remount the pane.
  const [Pane] = useState(() => here ?? Late);
  return <Pane />;
}
