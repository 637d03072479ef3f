/** The page's layouts: one service for all graphs, with the first drawing known from the build. */

import { createLayoutService, type LayoutService } from "../../layout/layout-service.ts";
import { layoutWorker } from "../../layout/spawn.ts";
import type { GraphLayout } from "../../layout/types.ts";
import { createWorkerRunner } from "../../layout/worker-runner.ts";
import { whenQuiet } from "../ui/when-quiet.ts";
import { CARD } from "./model/metrics.ts";

/** A drawing that the build made, and what it is of. */
export interface KnownDrawing {
  readonly key: string;
  readonly layout: GraphLayout;
}

const known = new Map<string, GraphLayout>();
const runner = createWorkerRunner(layoutWorker);
let service: LayoutService | null = null;
let isWarm = false;

export function knowDrawing({ key, layout }: KnownDrawing): void {
  known.set(key, layout);
}

/** One for the page: its memory of layouts outlives the pane, and so does its worker. */
export function layoutService(): LayoutService {
  service ??= createLayoutService({ runner, metrics: CARD, known });
  return service;
}

/** Once a graph is on screen: the next drawing should appear sooner. */
export function warmUpLayout(): void {
  if (isWarm) return;
  isWarm = true;
  whenQuiet(() => runner.warmUp());
}
