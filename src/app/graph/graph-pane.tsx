/** The graph of the open phase. It reads everything from the session. */

import { useSession } from "../session/hooks.ts";
import { selectGraph } from "../session/selectors.ts";
import { EmptyState } from "../ui/empty-state.tsx";

export function GraphPane() {
  const graph = useSession(selectGraph);
  if (graph === null) return <EmptyState title="Nothing has run yet." />;
  return <EmptyState title={`Graph of ${graph.blocks.length} blocks and ${graph.edges.length} edges.`}>See the outline.</EmptyState>;
}
