/**
 * How long the layout takes, and how good its pictures are, on the stored graphs: `node scripts/run-ts.mjs bench/layout.ts [FILTER]`.
 * Times are processor time, the best of several calls after a warm-up, in Node, and by them what a call costs per card.
 */

import { defaultCardMetrics } from "../src/layout/measure.ts";
import { drawGraph } from "../src/layout/plan.ts";
import { type Quality, quality, total } from "../src/layout/testing/quality.ts";
import { defaultSpacing, type GraphInput, type GraphLayout } from "../src/layout/types.ts";
import { readGraphs } from "./graphs/format.ts";

const filter = process.argv[2] ?? "";
const { graphs } = readGraphs();
const chosen = graphs.filter(({ name }) => name.includes(filter));
const warm = graphs.find(({ input }) => input.nodes.length > 90)?.input ?? graphs[0]?.input;
if (warm !== undefined) for (let i = 0; i < 30; i++) draw(warm);

console.log(
  "graph                        cards |      ms | µs/card | cross |  fall | kinks | bends |  tall | white | loop | text |      w × h",
);
const groups = new Map<string, Quality[]>();
for (const { name, group, input } of chosen) {
  const { ms, layout } = best(() => draw(input));
  const q = quality(layout.simplified?.graph ?? input, layout);
  groups.set(group, [...(groups.get(group) ?? []), q]);
  console.log(
    [
      `${name.slice(0, 28).padEnd(28)} ${String(input.nodes.length).padStart(5)}`,
      ms.toFixed(1).padStart(7),
      ((1000 * ms) / input.nodes.length).toFixed(0).padStart(7),
      String(q.crossings).padStart(5),
      (q.vertical / Math.max(1, q.falls)).toFixed(2).padStart(5),
      (q.kinks / Math.max(1, q.forward)).toFixed(2).padStart(5),
      (q.bends / q.edges).toFixed(2).padStart(5),
      q.tall.toFixed(2).padStart(5),
      q.white.toFixed(2).padStart(5),
      (q.loops === 0 ? "-" : (q.strangers / q.loops).toFixed(1)).padStart(4),
      q.text.toFixed(1).padStart(4),
      `${q.width} × ${q.height}`,
    ].join(" | "),
  );
}
for (const [group, all] of groups) {
  const t = total(all);
  console.log(
    [
      `\n${group}: ${all.length} graphs`,
      `crossings ${t.crossings} (${((1000 * t.crossings) / t.edges).toFixed(1)} ‰, in ${all.filter((q) => q.crossings > 0).length})`,
      `fall ${(t.vertical / Math.max(1, t.falls)).toFixed(3)}`,
      `kinks ${(t.kinks / t.forward).toFixed(3)}`,
      `bends ${(t.bends / t.edges).toFixed(2)}`,
      `tall ${t.tall.toFixed(2)} (worst ${t.worstTall.toFixed(2)})`,
      `white ${t.white.toFixed(2)}`,
      `strangers a loop ${(t.strangers / Math.max(1, t.loops)).toFixed(2)}`,
      `length ${Math.round(t.length / 1000)}k`,
    ].join(", "),
  );
}

/** As the page draws it, long lines in tags, but block by block. */
function draw(input: GraphInput): GraphLayout {
  const limits = { collapseAbove: Number.POSITIVE_INFINITY };
  return drawGraph(input, { limits, metrics: defaultCardMetrics, spacing: defaultSpacing, opened: new Set() });
}

function best(run: () => GraphLayout): { ms: number; layout: GraphLayout } {
  let ms = Number.POSITIVE_INFINITY;
  let layout = run();
  const began = performance.now();
  for (let i = 0; i < 9 && (i < 2 || performance.now() - began < 1_000); i++) {
    const start = process.cpuUsage();
    layout = run();
    const { user, system } = process.cpuUsage(start);
    ms = Math.min(ms, (user + system) / 1000);
  }
  return { ms, layout };
}
