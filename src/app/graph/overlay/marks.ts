/** What the user has marked, on the cards, with any overlay. */

import { useMemo } from "react";
import { useSession } from "../../session/hooks.ts";
import { selectGraph } from "../../session/selectors.ts";
import type { NodeOverlay, OverlayData } from "./overlay.ts";

const NONE: OverlayData = { kind: "none", nodes: new Map(), links: [], values: null, legend: [], note: null };

export function useMarks(overlay: OverlayData | null): OverlayData | null {
  const marks = useSession((s) => s.graph.marks);
  const graph = useSession(selectGraph);
  return useMemo(() => {
    if (marks === null || graph === null) return overlay;
    const base = overlay ?? NONE;
    const nodes = new Map<number, NodeOverlay>(base.nodes);
    for (const { id, label } of graph.blocks) {
      const text = marks.get(label);
      if (text === undefined) continue;
      const { tone = null, chips = [] } = nodes.get(id) ?? {};
      nodes.set(id, { tone, chips: [{ text, title: `Your mark: ${text}`, place: "top" }, ...chips] });
    }
    return { ...base, nodes };
  }, [overlay, marks, graph]);
}
