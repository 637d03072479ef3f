/** Which panel is open below the pass. */

import { createStore } from "zustand/vanilla";

export const PANELS = ["messages", "blocks", "tests", "check", "compare", "templates"] as const;
export type PanelId = (typeof PANELS)[number];

export const panelChoice = createStore<{ readonly open: PanelId }>()(() => ({ open: "messages" }));

export function showPanel(open: PanelId): void {
  panelChoice.setState({ open });
}
