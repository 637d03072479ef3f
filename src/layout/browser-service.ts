/** The layout service of the page: ELK in its own worker; planning in the layout worker. */

import { createElkRunner, type ElkHandle } from "./elk-runner.ts";
import { takeElk } from "./elk-worker.ts";
import { createLayoutService, type LayoutService, type LayoutServiceOptions } from "./layout-service.ts";
import { createPlanRunner } from "./plan-runner.ts";

export function createBrowserLayoutService(options: Omit<LayoutServiceOptions, "elk" | "planner"> = {}): LayoutService {
  return createLayoutService({
    ...options,
    elk: createElkRunner({ spawn: spawnElk }),
    planner: createPlanRunner(() => new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" })),
  });
}

async function spawnElk(): Promise<ElkHandle> {
  const { worker, death } = takeElk();
  const { default: Elk } = await import("elkjs/lib/elk-api.js");
  const elk = new Elk({ workerFactory: () => worker });
  // Its first answer: it is loaded.
  await Promise.race([elk.knownLayoutAlgorithms(), death]);
  return { layout: (graph) => Promise.race([elk.layout(graph), death]), terminate: () => elk.terminateWorker() };
}
