/** Restores a maximized pane. */

import { IconButton } from "../ui/button.tsx";
import { useActions, useSession } from "./hooks.ts";
import type { Pane } from "./state.ts";

const NAMES: Readonly<Record<Pane, string>> = { editor: "the program", graph: "the graph", inspectors: "the explanation" };

export function LargeButton({ pane }: { readonly pane: Pane }) {
  const large = useSession((s) => s.view.large === pane);
  const embed = useSession((s) => s.view.embed);
  const { view } = useActions();
  // A pane is maximized by the key, the menu or the palette; this button shows it and restores the pane.
  if (embed || !large) return null;
  return <IconButton icon="small" label={`Restore ${NAMES[pane]}`} keys="Z" onClick={() => view.toggleLarge(pane)} />;
}
