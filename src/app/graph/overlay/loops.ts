/** Loops: the RPO interval that carries IN_LOOP against the natural loops, and the blocks that are in only one of them. */

import type { Analyses } from "../../../engine/api/types.ts";
import type { MomentState } from "../../session/moment.ts";
import { plural } from "../../ui/plural.ts";
import { IN_LOOP } from "../node/flags.ts";
import { type Chip, labelOf, NO_LINKS, type NodeOverlay, type OverlayData } from "./overlay.ts";

/** Loops around a block that are named; of deeper nests the inner ones. */
const MOST_NAMES = 8;

export function loopOverlay(moment: MomentState, analyses: Analyses): Omit<OverlayData, "kind"> {
  const innermost = new Map(analyses.innermost);
  const parents = new Map(analyses.loops.map((l) => [l.header, l.parent]));
  const depths = new Map<number, number>();
  // Outer loops come first.
  for (const { header, parent } of analyses.loops) depths.set(header, 1 + (parent === null ? 0 : (depths.get(parent) ?? 0)));
  const around = (header: number): string => {
    const names: string[] = [];
    for (let at: number | null = header; at !== null && names.length < MOST_NAMES; at = parents.get(at) ?? null) {
      names.push(labelOf(moment.blocks, at));
    }
    const more = (depths.get(header) ?? 0) - names.length;
    return `${names.toReversed().join(", ")}${more > 0 ? `, and ${more} more around them` : ""}`;
  };
  const tagged = [...moment.blocks.values()].some((b) => (b.flags & IN_LOOP) !== 0);
  const nodes = new Map<number, NodeOverlay>();
  let intervalOnly = 0;
  let naturalOnly = 0;
  for (const block of moment.blocks.values()) {
    const interval = (block.flags & IN_LOOP) !== 0;
    const header = innermost.get(block.id);
    const natural = header !== undefined;
    if (!interval && !natural) continue;
    const chips: Chip[] = [];
    if (natural) chips.push({ text: `depth ${depths.get(header) ?? 0}`, title: `In the natural loops of ${around(header)}`, place: "top" });
    if (interval && !natural) {
      intervalOnly++;
      const title = "IN_LOOP is set because its RPO number is between those of a header and its latch, but it is in no natural loop.";
      chips.push({ text: "interval only", title, place: "top" });
    } else if (natural && !interval && tagged) {
      naturalOnly++;
      chips.push({ text: "natural only", title: "In a natural loop, but its RPO number is in no tagged interval.", place: "top" });
    }
    nodes.set(block.id, { tone: interval && natural ? "loop-both" : interval ? "loop-interval" : "loop-natural", chips });
  }
  const differ = intervalOnly + naturalOnly;
  return {
    nodes,
    links: NO_LINKS,
    values: null,
    legend: [
      { id: "both", swatch: { kind: "tone", tone: "loop-both" }, text: "in a natural loop and tagged IN_LOOP" },
      {
        id: "interval",
        swatch: { kind: "tone", tone: "loop-interval" },
        text: `RPO interval only${intervalOnly > 0 ? ` (${intervalOnly})` : ""}`,
      },
      {
        id: "natural",
        swatch: { kind: "tone", tone: "loop-natural" },
        text: `natural loop only${naturalOnly > 0 ? ` (${naturalOnly})` : ""}`,
      },
    ],
    note: !tagged
      ? "No block is tagged IN_LOOP at this step: AnalyzeControlFlow sets the tags."
      : differ > 0
        ? `${plural(differ, "block is", "blocks are")} in one and not in the other.`
        : analyses.irreducible
          ? "The graph is irreducible: a cycle has more than one entry and so is not a natural loop."
          : null,
  };
}
