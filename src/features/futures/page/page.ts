/** What futures show in the page. */

import { lazy } from "react";
import type { Feature } from "../../../app/session/feature.ts";
import { whenQuiet } from "../../../app/ui/when-quiet.ts";
import { FUTURES } from "./feature.ts";
import { FuturesBar } from "./futures-bar.tsx";
import { StepMenu } from "./menu/step-menu.tsx";

export const FUTURES_PAGE: Feature = {
  ...FUTURES,
  experimentPanes: async () => (await import("./pane/panes.ts")).PANES,
  onStrip: lazy(async () => {
    await new Promise<void>((quiet) => whenQuiet(quiet, 2_000));
    return { default: (await import("./carry/carry.tsx")).Carry };
  }),
  overStrip: { FuturesBar },
  overlays: { StepMenu },
  dialogs: async () => ({ ...(await import("./edit-dialog.tsx")), ...(await import("./value-dialog.tsx")) }),
};
