/** Overlays: what each adds to the cards, the lines between them, and its legend. Pure: from analyses, a run's report, or events. */

import type { Analyses, BlockView, ExecReport } from "../../../engine/api/types.ts";
import type { MomentState } from "../../session/moment.ts";
import type { Overlay, SessionState } from "../../session/state.ts";
import type { ValueNumbers } from "../../session/value-numbers.ts";
import { countShade, divergenceOverlay, heatOverlay, weightOverlay } from "./heat.ts";
import { loopOverlay } from "./loops.ts";
import { valueOverlay } from "./values.ts";

/** A fill with a pattern or word, never colour alone. `heat-0` to `heat-4` grow. */
export type Tone =
  | "loop-both"
  | "loop-interval"
  | "loop-natural"
  | "divergent"
  | "differs"
  | "root"
  | "heat-0"
  | "heat-1"
  | "heat-2"
  | "heat-3"
  | "heat-4";

export interface Chip {
  readonly text: string;
  /** The whole of it, where the text is cut. */
  readonly title: string;
  /** Above the card or below it. */
  readonly place: "top" | "bottom";
}

export interface NodeOverlay {
  readonly tone: Tone | null;
  readonly chips: readonly Chip[];
}

export interface LegendItem {
  readonly id: string;
  readonly swatch:
    | { readonly kind: "tone"; readonly tone: Tone }
    | { readonly kind: "link" }
    | { readonly kind: "value"; readonly value: number }
    | null;
  readonly text: string;
}

export interface OverlayData {
  /** Its id. */
  readonly kind: string;
  readonly nodes: ReadonlyMap<number, NodeOverlay>;
  /** Arrows between blocks that are no edges of the program. */
  readonly links: readonly (readonly [from: number, to: number])[];
  readonly values: ValueNumbers | null;
  readonly legend: readonly LegendItem[];
  /** What is missing, and how to get it. */
  readonly note: string | null;
}

export type Drawn = Omit<OverlayData, "kind">;

/** An overlay that a feature brings. */
export interface BroughtOverlay {
  readonly id: string;
  readonly title: string;
  /** For the shown program. The same object as long as nothing in it changed. */
  draw(state: SessionState): Drawn;
}

declare module "../../session/feature.ts" {
  interface Feature {
    readonly graphOverlay?: BroughtOverlay;
  }
}

export interface OverlaySources {
  readonly moment: MomentState;
  /** Of the moment, or of one before with the same program; null: not there yet. */
  readonly analyses: Analyses | null;
  /** The last run's report, and what was run. */
  readonly report: { readonly report: ExecReport; readonly where: string } | null;
  readonly values: ValueNumbers | null;
}

/** Which sources an overlay needs from the engine. */
export function needsAnalyses(overlay: string): boolean {
  return (
    overlay === "dominators" || overlay === "post-dominators" || overlay === "loops" || overlay === "liveness" || overlay === "divergence"
  );
}

export function overlayData(kind: Overlay, sources: OverlaySources): OverlayData | null {
  const { moment, analyses, report } = sources;
  if (kind === "none" || (needsAnalyses(kind) && analyses === null)) return null;
  const parts = ((): Drawn | null => {
    switch (kind) {
      case "dominators":
        return analyses === null ? null : treeOverlay(moment, analyses.idom, "dominators");
      case "post-dominators":
        return analyses === null ? null : treeOverlay(moment, analyses.ipdom, "post-dominators");
      case "loops":
        return analyses === null ? null : loopOverlay(moment, analyses);
      case "liveness":
        return analyses === null ? null : livenessOverlay(analyses);
      case "divergence":
        return analyses === null ? null : divergenceOverlay(analyses, report);
      case "heat":
        return heatOverlay(report);
      case "weights":
        return weightOverlay(moment);
      case "values":
        return valueOverlay(sources.values);
    }
  })();
  return parts === null ? null : { kind, ...parts };
}

export const NO_LINKS: OverlayData["links"] = [];
export const NO_NODES: OverlayData["nodes"] = new Map();

/** The block's label, or its number. */
export function labelOf(blocks: ReadonlyMap<number, BlockView>, id: number): string {
  return blocks.get(id)?.label ?? `#${id}`;
}

/** Registers of a chip. */
const SHOWN = 6;

/** Liveness: registers live at a block's start above its card, at its end below; how many, as a shade that is seen at every zoom. */
function livenessOverlay(analyses: Analyses): Omit<OverlayData, "kind"> {
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

/** Dominator and post-dominator trees: an arrow from each block to what it immediately (post-)dominates. */
function treeOverlay(moment: MomentState, rows: Analyses["idom"], which: "dominators" | "post-dominators"): Omit<OverlayData, "kind"> {
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
