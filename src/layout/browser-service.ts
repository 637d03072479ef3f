/** The layout service of the page: large graphs are drawn in a worker. */

import { createLayoutService, type LayoutService, type LayoutServiceOptions } from "./layout-service.ts";
import { createWorkerRunner } from "./worker-runner.ts";

export function createBrowserLayoutService(options: Omit<LayoutServiceOptions, "runner"> = {}): LayoutService {
  return createLayoutService({
    ...options,
    runner: createWorkerRunner(() => new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" })),
  });
}
