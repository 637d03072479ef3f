/** What an open lab shows in the page. */

import type { Feature } from "../../../app/session/feature.ts";
import { LABS } from "./feature.ts";
import { LabDock } from "./lab-dock.tsx";
import { closeLab } from "./open-lab.ts";

export const LABS_PAGE: Feature = {
  ...LABS,
  beside: {
    id: "lab",
    title: "Lab",
    Pane: LabDock,
    isOpen: ({ lab }) => lab.source !== null,
    isFront: ({ lab }) => lab.front,
    setFront: ({ patch }, front) => patch("lab", { front }),
    close: closeLab,
  },
};
