/** The page, once it is loaded. */

import { FEATURES } from "../features/page.ts";
import type { SpawnedEngine } from "../worker/spawn.ts";
import type { Started } from "./opening/startup.ts";
import { Shell } from "./shell/shell.tsx";
import { type FirstVisit, startOn } from "./start-page.tsx";

export function startPage(engine: SpawnedEngine, started: Started, known: FirstVisit | null): void {
  startOn(engine, started, <Shell />, FEATURES, known);
}
