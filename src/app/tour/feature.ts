/** The guided tour: marks that point at the page, each with something to do. */

import type { Feature } from "../session/feature.ts";
import { resumeTour, startTour } from "./actions.ts";

export const TOUR: Feature = {
  id: "tour",
  before: "general",
  commands: [
    {
      id: "help.tour",
      title: "Guided tour (one minute)",
      menu: "help",
      keys: [],
      enabled: (s) => !s.view.embed,
      run: (session) => void startTour(session),
    },
  ],
  opened: resumeTour,
};
