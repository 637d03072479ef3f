/** What the examples show in the page. */

import type { Feature } from "../../../app/session/feature.ts";
import { EXAMPLE_PROGRAMS } from "./feature.ts";
import { Task } from "./task.tsx";

export const EXAMPLES_PAGE: Feature = { ...EXAMPLE_PROGRAMS, dialogs: () => import("./gallery.tsx"), overText: { Task } };
