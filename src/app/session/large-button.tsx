/** Takes back the room of all that a pane was given. */

import { IconButton } from "../ui/button.tsx";
import { useActions, useSession } from "./hooks.ts";
import type { Pane } from "./state.ts";

const NAMES: Readonly<Record<Pane, string>> = { editor: "the program", graph: "the graph", inspectors: "the explanation" };

export function LargeButton({ pane }: { readonly pane: Pane }) {
  const large = useSession((s) => s.view.large === pane);
  const embed = useSession((s) => s.view.embed);
  const { view } = useActions();
  // Made large by the key, the menu and the palette: such a pane shows it, and is restored here.
  if (embed || !large) return null;
  return <IconButton icon="small" label={`Restore ${NAMES[pane]}`} keys="Z" onClick={() => view.toggleLarge(pane)} />;
}
