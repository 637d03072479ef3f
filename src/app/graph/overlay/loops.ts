/** Loops: the RPO interval that carries IN_LOOP against the natural loops, and the blocks that are in only one of them. */

import type { Analyses } from "../../../engine/api/types.ts";
import type { MomentState } from "../../session/moment.ts";
import { plural } from "../../ui/plural.ts";
import { IN_LOOP } from "../node/flags.ts";
import { type Chip, labelOf, NO_LINKS, type NodeOverlay, type OverlayData } from "./overlay.ts";

export function loopOverlay(moment: MomentState, analyses: Analyses): Omit<OverlayData, "kind"> {
  const headers = new Map<number, string[]>();
  const depth = new Map<number, number>();
  for (const loop of analyses.loops) {
    if (!loop.natural) continue;
    for (const block of loop.blocks) {
      headers.set(block, [...(headers.get(block) ?? []), labelOf(moment.blocks, loop.header)]);
      depth.set(block, (depth.get(block) ?? 0) + 1);
    }
  }
  const tagged = [...moment.blocks.values()].some((b) => (b.flags & IN_LOOP) !== 0);
  const nodes = new Map<number, NodeOverlay>();
  let intervalOnly = 0;
  let naturalOnly = 0;
  for (const block of moment.blocks.values()) {
    const interval = (block.flags & IN_LOOP) !== 0;
    const natural = headers.has(block.id);
    if (!interval && !natural) continue;
    const chips: Chip[] = [];
    if (natural) {
      const names = headers.get(block.id) ?? [];
      chips.push({ text: `depth ${depth.get(block.id) ?? 0}`, title: `In the natural loops of ${names.join(", ")}`, place: "top" });
    }
    if (interval && !natural) {
      intervalOnly++;
      const title = "IN_LOOP is set because its RPO number lies between a header's and its latch's, but it is in no natural loop.";
      chips.push({ text: "interval only", title, place: "top" });
    } else if (natural && !interval && tagged) {
      naturalOnly++;
      chips.push({ text: "natural only", title: "In a natural loop, but its RPO number lies in no tagged interval.", place: "top" });
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
          ? "The graph is irreducible: a cycle has more than one entry and is no natural loop."
          : null,
  };
}
