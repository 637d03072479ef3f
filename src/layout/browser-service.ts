/** The layout service of the page: large graphs are drawn in a worker, smaller ones that take a while in a task of their own. */

import { createLayoutService, type LayoutService, type LayoutServiceOptions } from "./layout-service.ts";
import { createWorkerRunner } from "./worker-runner.ts";

export function createBrowserLayoutService(options: Omit<LayoutServiceOptions, "runner"> = {}): LayoutService {
  return createLayoutService({
    ...options,
    pause: { above: 40, end: () => new Promise((resolve) => setTimeout(resolve, 0)) },
    runner: createWorkerRunner(() => new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" })),
  });
}
