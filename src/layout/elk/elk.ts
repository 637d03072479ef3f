/** ELK, wherever it runs: a graph to the same graph with places and lines. Rejects with an error whose message is a sentence. */
import type { ElkNode } from "elkjs/lib/elk-api.js";

export type Elk = (graph: ElkNode) => Promise<ElkNode>;
