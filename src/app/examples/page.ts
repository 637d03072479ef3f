/** What the examples show in the page. */

import type { Feature } from "../session/feature.ts";
import { EXAMPLE_PROGRAMS } from "./feature.ts";
import { Gallery } from "./gallery.tsx";
import { Task } from "./task.tsx";

export const EXAMPLES_PAGE: Feature = { ...EXAMPLE_PROGRAMS, overlays: { Gallery }, overText: { Task } };
