/** Divergence, execution heat and profile weights: numbers per block, as a chip and as a shade of five. */

import type { Analyses, ExecReport } from "../../../engine/api/types.ts";
import type { MomentState } from "../../session/moment.ts";
import { plural } from "../../ui/plural.ts";
import { type LegendItem, NO_LINKS, NO_NODES, type NodeOverlay, type OverlayData, type Tone } from "./overlay.ts";

type Report = { readonly report: ExecReport; readonly where: string } | null;

const SHADES = ["heat-0", "heat-1", "heat-2", "heat-3", "heat-4"] as const satisfies readonly Tone[];
const RUN_FIRST = "Run the program with What if …? > Run on inputs to see this.";

/** Logarithmic: executions differ by orders of magnitude. */
export function shadeOf(value: number, most: number): Tone {
  if (value <= 0 || most <= 0) return SHADES[0];
  if (most === 1) return SHADES[4];
  return SHADES[Math.min(4, 1 + Math.floor((3.999 * Math.log(value)) / Math.log(most)))] ?? SHADES[4];
}

/** In proportion: counts of one kind of thing in a block. */
export function countShade(value: number, most: number): Tone {
  if (value <= 0 || most <= 0) return SHADES[0];
  return SHADES[1 + Math.floor((3 * value) / most)] ?? SHADES[4];
}

function shadeLegend(most: number, what: string): readonly LegendItem[] {
  return [
    { id: "none", swatch: { kind: "tone", tone: "heat-0" }, text: `${what}: 0` },
    { id: "few", swatch: { kind: "tone", tone: "heat-1" }, text: "few" },
    { id: "most", swatch: { kind: "tone", tone: "heat-4" }, text: `most (${most})` },
  ];
}

export function heatOverlay(run: Report): Omit<OverlayData, "kind"> {
  if (run === null) return { nodes: NO_NODES, links: NO_LINKS, values: null, legend: [], note: RUN_FIRST };
  const most = Math.max(0, ...run.report.heat.map((h) => h.executions));
  const nodes = new Map<number, NodeOverlay>();
  for (const { block, executions } of run.report.heat) {
    const title = `Executed ${plural(executions, "time")} by a warp (${run.where}).`;
    nodes.set(block, { tone: shadeOf(executions, most), chips: [{ text: `× ${executions}`, title, place: "top" }] });
  }
  return { nodes, links: NO_LINKS, values: null, legend: shadeLegend(most, "executions"), note: `From the run of: ${run.where}.` };
}

export function weightOverlay(moment: MomentState): Omit<OverlayData, "kind"> {
  const weighed = [...moment.blocks.values()].filter((b) => b.weight !== null);
  if (weighed.length === 0)
    return {
      nodes: NO_NODES,
      links: NO_LINKS,
      values: null,
      legend: [],
      note: "No profile. Set weights in the text, for example .weight BB3 900.",
    };
  const most = Math.max(...weighed.map((b) => b.weight ?? 0));
  const nodes = new Map<number, NodeOverlay>();
  for (const { id, weight } of weighed) {
    nodes.set(id, {
      tone: shadeOf(weight ?? 0, most),
      chips: [{ text: `weight ${weight}`, title: `Profile weight ${weight}`, place: "top" }],
    });
  }
  return { nodes, links: NO_LINKS, values: null, legend: shadeLegend(most, "weight"), note: null };
}

/** Where lanes may part (from the analysis), and where they did (from the last run). */
export function divergenceOverlay(analyses: Analyses, run: Report): Omit<OverlayData, "kind"> {
  const may = new Set(analyses.divergent);
  const did = new Map((run?.report.heat ?? []).map((h) => [h.block, h]));
  const nodes = new Map<number, NodeOverlay>();
  for (const [block] of analyses.idom) {
    const measured = did.get(block);
    if (!may.has(block) && (measured?.divergences ?? 0) === 0) continue;
    const times = measured === undefined ? "" : ` ${measured.divergences}/${measured.executions}`;
    const title =
      measured === undefined
        ? "Lanes may diverge at the branch that ends this block."
        : `Lanes diverged at ${measured.divergences} of ${measured.executions} executions (${run?.where ?? ""}).`;
    nodes.set(block, { tone: "divergent", chips: [{ text: `diverges${times}`, title, place: "bottom" }] });
  }
  const counts =
    nodes.size === 0
      ? "No branch can diverge."
      : run === null
        ? `Counts: ${RUN_FIRST.toLowerCase()}`
        : `Counts from the run of: ${run.where}.`;
  const capped = "The regions of divergent branches are too large to analyse, so every branch counts as divergent. ";
  return {
    nodes,
    links: NO_LINKS,
    values: null,
    legend: [{ id: "divergent", swatch: { kind: "tone", tone: "divergent" }, text: "lanes of a warp may diverge here" }],
    note: `${analyses.divergenceCapped ? capped : ""}${counts}`,
  };
}
