/** Dominator and post-dominator trees: an arrow from each block to what it immediately (post-)dominates. */

import type { Analyses } from "../../../engine/api/types.ts";
import type { MomentState } from "../../session/moment.ts";
import { labelOf, type NodeOverlay, type OverlayData } from "./overlay.ts";

export function treeOverlay(
  moment: MomentState,
  rows: Analyses["idom"],
  which: "dominators" | "post-dominators",
): Omit<OverlayData, "kind"> {
  const short = which === "dominators" ? "idom" : "ipdom";
  const nodes = new Map<number, NodeOverlay>();
  const links: [number, number][] = [];
  const parent = new Map(rows);
  for (const [block, up] of rows) {
    if (up === null) {
      const title =
        which === "dominators" ? "Only the block itself dominates it." : "No other block is on every path from here to an exit.";
      nodes.set(block, { tone: "root", chips: [{ text: "root", title, place: "top" }] });
      continue;
    }
    links.push([up, block]);
    const chain: string[] = [];
    // The depth of the tree can be the number of blocks: a few names are enough for a tooltip.
    for (let at: number | null = up; at !== null && chain.length < 12; at = parent.get(at) ?? null) chain.push(labelOf(moment.blocks, at));
    const title = `${which === "dominators" ? "Dominated by" : "Post-dominated by"} ${chain.join(", ")}${chain.length === 12 ? ", …" : ""}`;
    nodes.set(block, { tone: null, chips: [{ text: `${short} ${labelOf(moment.blocks, up)}`, title, place: "top" }] });
  }
  return {
    nodes,
    links,
    values: null,
    legend: [
      {
        id: "link",
        swatch: { kind: "link" },
        text: which === "dominators" ? "immediate dominator → block" : "immediate post-dominator → block",
      },
      { id: "root", swatch: { kind: "tone", tone: "root" }, text: "root of the tree" },
    ],
    note: null,
  };
}
