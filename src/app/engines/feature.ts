/** Engines of earlier releases that links name. */

import type { Feature } from "../session/feature.ts";
import { keepEngine } from "./keep-engine.ts";
import { sayEngine } from "./of-link.ts";

export const ENGINES: Feature = {
  id: "engines",
  commands: [
    {
      id: "engine.compare",
      title: "Compare with the link's engine…",
      menu: "phase",
      keys: [],
      enabled: (state) => state.engine.linked !== null && state.engine.chosen === null && !state.view.embed,
      run: (session) => session.actions.view.set({ dialog: "engines" }),
    },
  ],
  beforeOpening: keepEngine,
  linkOpened: (session, data, digest) => void sayEngine(session, data, digest),
  dialogs: () => import("./engines-dialog.tsx"),
};
