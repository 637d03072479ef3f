/** What futures show in the page. */

import type { Feature } from "../session/feature.ts";
import { Carry } from "./carry/carry.tsx";
import { EditDialog } from "./edit-dialog.tsx";
import { FUTURES } from "./feature.ts";
import { FuturesBar } from "./futures-bar.tsx";
import { StepMenu } from "./menu/step-menu.tsx";
import { ValueDialog } from "./value-dialog.tsx";

export const FUTURES_PAGE: Feature = {
  ...FUTURES,
  onStrip: Carry,
  overStrip: { FuturesBar },
  overlays: { EditDialog, ValueDialog, StepMenu },
};
