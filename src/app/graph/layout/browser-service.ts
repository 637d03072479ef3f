/** The layout service of the page: ELK in its own worker, loaded when first needed; planning in the layout worker. */
import { createElkRunner, type ElkHandle } from "./elk-runner.ts";
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
  const [{ default: Elk }, { default: ElkWorker }] = await Promise.all([
    import("elkjs/lib/elk-api.js"),
    import("elkjs/lib/elk-worker.min.js?worker"),
  ]);
  const elk = new Elk({ workerFactory: () => new ElkWorker() });
  return { layout: (graph) => elk.layout(graph), terminate: () => elk.terminateWorker() };
}
