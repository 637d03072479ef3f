/** The guided tour: marks that point at the page, each with something to do. */

import type { Feature } from "../../../app/session/feature.ts";
import { resumeTour, startTour } from "./actions.ts";

declare module "../../../app/session/state.ts" {
  interface SessionState {
    /** The number of the mark that is shown; null: none is. */
    readonly tour: { readonly mark: number | null };
  }
}

export const TOUR: Feature = {
  id: "tour",
  before: "general",
  slices: { tour: { mark: null } },
  commands: [
    {
      id: "help.tour",
      title: "Guided tour (one minute)",
      found: "tutorial, introduction, help, getting started",
      menu: "help",
      keys: [],
      enabled: (s) => !s.view.embed,
      run: (session) => void startTour(session),
    },
  ],
  opened: resumeTour,
};
