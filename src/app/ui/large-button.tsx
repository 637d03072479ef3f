/** Gives a pane the room of all, and takes it back. */

import { useActions, useSession } from "../session/hooks.ts";
import type { Pane } from "../session/state.ts";
import { IconButton } from "./button.tsx";

const NAMES: Readonly<Record<Pane, string>> = { editor: "the program", graph: "the graph", inspectors: "the explanation" };

export function LargeButton({ pane }: { readonly pane: Pane }) {
  const large = useSession((s) => s.view.large === pane);
  const embed = useSession((s) => s.view.embed);
  const { view } = useActions();
  if (embed) return null;
  return (
    <IconButton
      icon={large ? "small" : "large"}
      label={large ? `Restore ${NAMES[pane]}` : `Maximize ${NAMES[pane]}`}
      keys="Z"
      onClick={() => view.toggleLarge(pane)}
    />
  );
}
