/** ELK on this thread, for Node: the package is loaded when the first picture is drawn. */
import type { ELK } from "elkjs/lib/elk-api.js";
import type { ElkNode } from "./elk.ts";

let loaded: Promise<ELK> | null = null;

export async function nodeElk(graph: ElkNode): Promise<ElkNode> {
  loaded ??= import("elkjs").then(({ default: Engine }) => new Engine({ algorithms: ["layered"] }));
  return (await loaded).layout(graph);
}
