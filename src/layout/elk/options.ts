/** ELK's options: its layered algorithm, with its own decisions replaced by the positions given with the graph. */

import type { Spacing } from "../types.ts";
import type { LayoutOptions } from "./elk.ts";

/** ELK sees cards this much wider on either side: its compaction separates cards of different rows by only half the distance of two lines. */
export const PAD = 6;

export function optionsFor(spacing: Spacing, compact: boolean): LayoutOptions {
  const layered = (names: Record<string, string>): LayoutOptions =>
    Object.fromEntries(Object.entries(names).map(([name, value]) => [`elk.layered.${name}`, value]));
  return {
    "elk.algorithm": "layered",
    "elk.direction": "DOWN",
    "elk.edgeRouting": "ORTHOGONAL",
    "elk.separateConnectedComponents": "false",
    "elk.padding": "[top=0,left=0,bottom=0,right=0]",
    ...layered({
      // Decided by the hints: which edges lead back, the rows, the order from left to right.
      "cycleBreaking.strategy": "INTERACTIVE",
      "layering.strategy": "INTERACTIVE",
      "crossingMinimization.strategy": "INTERACTIVE",
      // Decided by ELK: coordinates, with straight edges vertical; then everything moves up as far as possible. `BALANCED` breaks fall-throughs,
      // `RIGHTDOWN` doubles the width, the network simplex takes 30 s for 500 blocks.
      "nodePlacement.strategy": "BRANDES_KOEPF",
      "nodePlacement.bk.fixedAlignment": "RIGHTUP",
      "compaction.postCompaction.strategy": compact ? "LEFT" : "NONE",
      "spacing.nodeNodeBetweenLayers": `${spacing.layer}`,
      "spacing.edgeNodeBetweenLayers": `${spacing.edge}`,
      "spacing.edgeEdgeBetweenLayers": `${spacing.edge}`,
    }),
    "elk.spacing.nodeNode": `${spacing.node - 2 * PAD}`,
    "elk.spacing.edgeNode": `${spacing.edgeNode - PAD}`,
    "elk.spacing.edgeEdge": `${spacing.edge}`,
  };
}

/**
 * The priority of a line's straightness in ELK; less than 0: the line does not influence the alignment of cards. ELK throws on a line of
 * several rows with such a priority, so that line begins with a node of no size.
 */
export function straightness(value: number): { readonly layoutOptions: LayoutOptions } {
  return { layoutOptions: { "elk.layered.priority.straightness": `${value}` } };
}
