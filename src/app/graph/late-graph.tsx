/** The graph's pane, in a script of its own: drawn at once if that has come before the page begins. */

import { type ComponentType, lazy, useState } from "react";

const load = async (): Promise<{ readonly default: ComponentType }> => ({ default: (await import("./graph-pane.tsx")).GraphPane });
const Late = lazy(load);
let here: ComponentType | null = null;

/** Resolves once the script is there, or cannot be had: the pane tries again, and says so. */
export async function loadGraph(): Promise<void> {
  here = await load().then(
    ({ default: Pane }) => Pane,
    () => null,
  );
}

export function LateGraph() {
  // The same as long as it is shown: another component would begin anew.
  const [Pane] = useState(() => here ?? Late);
  return <Pane />;
}
