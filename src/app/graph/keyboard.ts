/** Moving through the graph by keys: down and up along edges, left and right among neighbouring blocks. */

import type { Drawing, DrawnEdge, DrawnNode } from "./model/drawing.ts";

export type Arrow = "up" | "down" | "left" | "right";

/**
 * The card that an arrow leads to, or null. Down follows the first existing edge, forward ones before back edges; a
 * path just followed up is followed down again: `trail` contains the visited cards, newest last.
 */
export function moveFrom(
  drawing: Drawing,
  from: string,
  arrow: Arrow,
  exists: (edge: DrawnEdge) => boolean,
  trail: readonly string[],
): string | null {
  const here = drawing.nodes.get(from);
  if (here === undefined) return null;
  switch (arrow) {
    case "down":
      return along(drawing.edgesFrom.get(from) ?? [], (e) => e.to, exists, trail);
    case "up":
      return along(drawing.edgesTo.get(from) ?? [], (e) => e.from, exists, trail);
    case "left":
    case "right":
      return beside(drawing, here, arrow);
  }
}

/** More than any drawing is wide. */
const ELSEWHERE = 1e9;

function along(
  edges: readonly DrawnEdge[],
  end: (edge: DrawnEdge) => string,
  exists: (edge: DrawnEdge) => boolean,
  trail: readonly string[],
): string | null {
  const usable = edges.filter(exists);
  const before = trail.findLast((id) => usable.some((e) => end(e) === id));
  if (before !== undefined) return before;
  const edge = usable.find((e) => !e.back) ?? usable[0];
  return edge === undefined ? null : end(edge);
}

/** The nearest card to one side: of those level with this one, else of all, where height counts three times. */
function beside(drawing: Drawing, here: DrawnNode, arrow: "left" | "right"): string | null {
  const middle = here.x + here.width / 2;
  let best: string | null = null;
  let least = Number.POSITIVE_INFINITY;
  for (const node of drawing.nodes.values()) {
    if (node === here) continue;
    const dx = (node.x + node.width / 2 - middle) * (arrow === "left" ? -1 : 1);
    if (dx <= 0) continue;
    const gap = Math.max(node.y - (here.y + here.height), here.y - (node.y + node.height), 0);
    const distance = dx + (gap > 0 ? ELSEWHERE + 3 * gap : 0);
    if (distance < least) {
      least = distance;
      best = node.id;
    }
  }
  return best;
}
