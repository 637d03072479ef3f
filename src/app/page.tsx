/** The page, once it is loaded. */
import type { Answered } from "../worker/first-answers.ts";
import type { SpawnedEngine } from "../worker/spawn.ts";
import type { Started } from "./share/startup.ts";
import { Shell } from "./shell/shell.tsx";
import { startOn } from "./start-page.tsx";

export function startPage(engine: SpawnedEngine, started: Started, known: readonly Answered[]): void {
  startOn(engine, started, <Shell />, known);
}
