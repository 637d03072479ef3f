/** Commands about engines other than the page's own. */

import type { Command } from "../session/command.ts";

export const ENGINE_COMMANDS: readonly Command[] = [
  {
    id: "engine.compare",
    title: "Compare with the link's engine…",
    menu: "phase",
    keys: [],
    enabled: (state) => state.engine.linked !== null && state.engine.chosen === null && !state.view.embed,
    run: (session) => session.actions.view.set({ dialog: "engines" }),
  },
];
