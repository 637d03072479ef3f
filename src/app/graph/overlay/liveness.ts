/** Liveness: registers live at a block's start above its card, at its end below; how many, as a shade that is seen at every zoom. */

import type { Analyses } from "../../../engine/api/types.ts";
import { countShade } from "./heat.ts";
import { type Chip, NO_LINKS, type NodeOverlay, type OverlayData } from "./overlay.ts";

const SHOWN = 6;

export function livenessOverlay(analyses: Analyses): Omit<OverlayData, "kind"> {
  const chips = new Map<number, Chip[]>();
  const add = (rows: Analyses["liveIn"], place: Chip["place"]): void => {
    const word = place === "top" ? "in" : "out";
    for (const [block, regs] of rows) {
      const some = regs.slice(0, SHOWN).join(" ");
      const text = regs.length === 0 ? `${word} –` : `${word} ${some}${regs.length > SHOWN ? ` +${regs.length - SHOWN}` : ""}`;
      const title = regs.length === 0 ? `Nothing is live ${word}.` : `Live ${word} (${regs.length}): ${regs.join(" ")}`;
      chips.set(block, [...(chips.get(block) ?? []), { text, title, place }]);
    }
  };
  add(analyses.liveIn, "top");
  add(analyses.liveOut, "bottom");
  const counts = new Map(analyses.liveIn.map(([block, regs]) => [block, regs.length]));
  const most = [...counts.values()].reduce((a, b) => Math.max(a, b), 0);
  return {
    nodes: new Map(
      [...chips].map(([block, list]): [number, NodeOverlay] => [block, { tone: countShade(counts.get(block) ?? 0, most), chips: list }]),
    ),
    links: NO_LINKS,
    values: null,
    legend: [
      { id: "in", swatch: null, text: "above a block: registers live in" },
      { id: "out", swatch: null, text: "below a block: registers live out" },
      { id: "few", swatch: { kind: "tone", tone: "heat-1" }, text: "few live-in" },
      { id: "most", swatch: { kind: "tone", tone: "heat-4" }, text: `most (${most})` },
    ],
    note:
      analyses.liveCut === null ? null : `Only the first ${analyses.liveCut} blocks are shown: the lists of all blocks would be too long.`,
  };
}
