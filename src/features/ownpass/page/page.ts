/** What the user's pass shows in the page. */

import type { Feature } from "../../../app/session/feature.ts";
import { ownPass } from "./feature.ts";
import { OWN_OVERLAY } from "./overlay.ts";
import { LatePassTab } from "./pane/late-pass-tab.tsx";

export const OWN_PASS_PAGE: Feature = {
  ...ownPass(),
  experiments: [{ command: "pass.write", group: "In this phase", title: "Write a pass", about: "and put it anywhere in the pipeline" }],
  editorTab: { id: "pass", title: "Pass", Content: LatePassTab, isOpen: ({ ownpass }) => ownpass.source !== null, runs: "pass.run" },
  graphOverlay: OWN_OVERLAY,
};
