/** What futures show in the page. */

import type { Feature } from "../session/feature.ts";
import { EditDialog } from "./edit-dialog.tsx";
import { FUTURES } from "./feature.ts";
import { StepMenu } from "./menu/step-menu.tsx";
import { ValueDialog } from "./value-dialog.tsx";

export const FUTURES_PAGE: Feature = { ...FUTURES, overlays: { EditDialog, ValueDialog, StepMenu } };
