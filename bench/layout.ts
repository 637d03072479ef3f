/**
 * How long the layout takes, and how good its pictures are, on the stored graphs: `npx tsx bench/layout.ts [FILTER]`.
 * Times are processor time, the best of several calls after a warm-up, in Node. `--hints` instead leaves out one step after the other, and shows
 * what each is worth; `--large` draws graphs of a thousand blocks and more as the page does, with regions.
 */

import { nodeElk } from "../src/layout/elk/node.ts";
import { elkLayout } from "../src/layout/elk-layout.ts";
import { STEPS, type Step } from "../src/layout/hints/hints.ts";
import { defaultCardMetrics } from "../src/layout/measure.ts";
import { defaultLayoutLimits, drawGraph, type LayoutLimits } from "../src/layout/plan.ts";
import { checkLayout } from "../src/layout/testing/check-layout.ts";
import { type Quality, quality, total } from "../src/layout/testing/quality.ts";
import { irreducibleCfg, ladderCfg, nestedCfg, randomCfg, structuredCfg } from "../src/layout/testing/random-cfg.ts";
import { defaultSpacing, type GraphInput, type GraphLayout } from "../src/layout/types.ts";
import { readGraphs } from "./graphs/format.ts";

const BLOCK_BY_BLOCK: LayoutLimits = {
  collapseAbove: Number.POSITIVE_INFINITY,
  placesAbove: Number.POSITIVE_INFINITY,
  mostPlaces: Number.POSITIVE_INFINITY,
};
const filter = process.argv.slice(2).find((word) => !word.startsWith("--")) ?? "";
const { graphs } = readGraphs();
const chosen = graphs.filter(({ name }) => name.includes(filter));

if (process.argv.includes("--hints")) await hints();
else {
  await warmUp();
  await (process.argv.includes("--large") ? large() : pictures());
}

/** The first drawings take ten times as long. */
async function warmUp(): Promise<void> {
  for (let i = 0; i < 40; i++) await draw(structuredCfg(1, 50));
}

async function pictures(): Promise<void> {
  console.log(
    "graph                        cards |      ms | µs/card | cross |  fall | kinks | bends |  tall | white | loop | text |      w × h",
  );
  const groups = new Map<string, Quality[]>();
  for (const { name, group, input } of chosen) {
    const { ms, layout } = await best(() => draw(input));
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
  for (const [group, all] of groups) console.log(`\n${group}: ${all.length} graphs, ${summary(all)}`);
}

async function large(): Promise<void> {
  const inputs: readonly (readonly [string, GraphInput])[] = [
    ["structured 1,000", structuredCfg(1, 1_000)],
    ["structured 3,000", structuredCfg(1, 3_000)],
    ["ladder 1,000", ladderCfg(1, 1_000)],
    ["ladder 1,000, 2 exits", ladderCfg(1, 1_000, 2)],
    ["ladder 1,000, 3 exits", ladderCfg(1, 1_000, 3)],
    ["nested jumps 1,000", nestedCfg(1, 1_000)],
    ["irreducible 1,000", irreducibleCfg(1, 1_000)],
    ["irreducible 3,000", irreducibleCfg(1, 3_000)],
    ["any edges 140", randomCfg(1, 140, 300)],
    ["any edges 1,000", randomCfg(1, 1_000, 2_000)],
  ];
  for (const [name, input] of inputs) {
    const { ms, layout } = await best(() => draw(input, defaultLayoutLimits));
    const broken = checkLayout(layout.simplified?.graph ?? input, layout).length;
    console.log(`${name.padEnd(24)} ${ms.toFixed(0).padStart(6)} ms, ${layout.simplified?.summary ?? "as it is"}, laws broken ${broken}`);
  }
}

/** All graphs without tags, with all steps and without one of them at a time. */
async function hints(): Promise<void> {
  const variants: readonly (readonly [string, readonly Step[]])[] = [
    ["all", STEPS],
    ...STEPS.map((left) => [`without ${left.name}`, STEPS.filter((step) => step !== left)] as const),
  ];
  for (const group of ["real", "generated", "shape"]) {
    for (const [name, steps] of variants) {
      const all: Quality[] = [];
      for (const { input } of chosen.filter((g) => g.group === group)) all.push(quality(input, await elkLayout(input, nodeElk, { steps })));
      if (all.length > 0) console.log(`${group}, ${name}: ${summary(all)}`);
    }
  }
}

function summary(all: readonly Quality[]): string {
  const t = total(all);
  return [
    `crossings ${t.crossings} (${((1000 * t.crossings) / t.edges).toFixed(1)} ‰, in ${all.filter((q) => q.crossings > 0).length})`,
    `fall ${(t.vertical / Math.max(1, t.falls)).toFixed(3)}`,
    `kinks ${(t.kinks / t.forward).toFixed(4)}`,
    `bends ${(t.bends / t.edges).toFixed(2)}`,
    `tall ${t.tall.toFixed(2)} (worst ${t.worstTall.toFixed(2)})`,
    `width ${t.width.toFixed(0)}`,
    `white ${t.white.toFixed(2)}`,
    `strangers a loop ${(t.strangers / Math.max(1, t.loops)).toFixed(2)}`,
    `length ${Math.round(t.length / 1000)}k`,
  ].join(", ");
}

/** As the page draws it, long lines in tags, but block by block. */
function draw(input: GraphInput, limits: LayoutLimits = BLOCK_BY_BLOCK): Promise<GraphLayout> {
  return drawGraph(input, { limits, metrics: defaultCardMetrics, spacing: defaultSpacing, opened: new Set() }, nodeElk);
}

async function best(run: () => Promise<GraphLayout>): Promise<{ ms: number; layout: GraphLayout }> {
  let ms = Number.POSITIVE_INFINITY;
  let layout = await run();
  const began = performance.now();
  for (let i = 0; i < 9 && (i < 2 || performance.now() - began < 1_000); i++) {
    const start = process.cpuUsage();
    layout = await run();
    const { user, system } = process.cpuUsage(start);
    ms = Math.min(ms, (user + system) / 1000);
  }
  return { ms, layout };
}
