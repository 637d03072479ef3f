/** A frame in another page, once it is loaded: without all that only the whole page shows. */

import { FRAME_FEATURES } from "../features/frame.ts";
import type { SpawnedEngine } from "../worker/spawn.ts";
import type { Started } from "./opening/startup.ts";
import { EmbedShell } from "./shell/embed-shell.tsx";
import { startOn } from "./start-page.tsx";

export function startPage(engine: SpawnedEngine, started: Started): void {
  startOn(engine, started, <EmbedShell />, FRAME_FEATURES);
}
