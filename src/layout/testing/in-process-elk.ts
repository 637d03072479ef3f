/** ELK on the calling thread, for tests and benchmarks in Node. */
import type { ElkHandle } from "../elk-runner.ts";

export async function inProcessElk(): Promise<ElkHandle> {
  const { default: Elk } = await import("elkjs/lib/elk.bundled.js");
  const elk = new Elk();
  return { layout: (graph) => elk.layout(graph), terminate: () => undefined };
}
