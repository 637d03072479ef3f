/**
 * How long the two layout engines take, and how good their pictures are, on the same graphs in one run:
 * `node scripts/run-ts.mjs bench/layout.ts [--large]`. Times are the best of several calls after a warm-up, in Node, in one
 * thread; the ratio is what to compare between machines.
 */
import { fromElk } from "../src/layout/from-elk.ts";
import { linearLayout } from "../src/layout/linear.ts";
import { defaultLayoutLimits, layerSpan } from "../src/layout/plan.ts";
import { inProcessElk } from "../src/layout/testing/in-process-elk.ts";
import { type Quality, quality } from "../src/layout/testing/quality.ts";
import { irreducibleCfg, ladderCfg, nestedCfg, structuredCfg, switchCfg } from "../src/layout/testing/random-cfg.ts";
import { toElk } from "../src/layout/to-elk.ts";
import type { GraphInput, GraphLayout } from "../src/layout/types.ts";

const large = process.argv.includes("--large");
const cases: [name: string, input: GraphInput, elk: boolean][] = [
  ...[10, 50, 100, 300].map((n): [string, GraphInput, boolean] => [`structured ${n}`, structuredCfg(1, n), true]),
  ["structured 1000", structuredCfg(1, 1000), large],
  ["structured 3000", structuredCfg(1, 3000), false],
  ["structured 10000", structuredCfg(1, 10_000), false],
  ["irreducible 100", irreducibleCfg(1, 100), true],
  ["switch of 64", switchCfg(1, 64), true],
  ["switch of 256", switchCfg(1, 256), large],
  ["ladder 300", ladderCfg(1, 300), large],
  ["ladder 3000, 3 exits", ladderCfg(1, 3000, 3), false],
  ["nested 3000", nestedCfg(1, 3000), false],
];

const elk = await inProcessElk();
await elk.layout(toElk(structuredCfg(9, 30)));
linearLayout(structuredCfg(9, 30));

console.log("graph                 | linear ms |    elk ms |  ratio | crossings lin/elk | bends lin/elk | area lin:elk | layer span");
for (const [name, input, withElk] of cases) {
  const ends = new Map(input.edges.map((e) => [e.id, e]));
  const linear = await best(async () => linearLayout(input));
  const byElk = withElk ? await best(async () => fromElk(input, await elk.layout(toElk(input)))) : null;
  // Counting crossings is slower than laying out; past this size only times are shown.
  const countable = input.nodes.length <= 1000;
  const p = countable ? quality(linear.layout, ends) : null;
  const q = countable && byElk !== null ? quality(byElk.layout, ends) : null;
  const span = layerSpan(input);
  console.log(
    [
      name.padEnd(21),
      linear.ms.toFixed(1).padStart(9),
      (byElk?.ms.toFixed(1) ?? "-").padStart(9),
      (byElk === null ? "-" : (byElk.ms / linear.ms).toFixed(1)).padStart(6),
      pair(p, q, (x) => x.crossings).padStart(17),
      pair(p, q, (x) => x.bends).padStart(13),
      (p !== null && q !== null ? ((p.width * p.height) / (q.width * q.height)).toFixed(2) : "-").padStart(12),
      `${span}${span > defaultLayoutLimits.elkSpan ? " (not given to ELK)" : ""}`,
    ].join(" | "),
  );
}

function pair(p: Quality | null, q: Quality | null, value: (x: Quality) => number): string {
  return `${p === null ? "-" : value(p)}/${q === null ? "-" : value(q)}`;
}

async function best(run: () => Promise<GraphLayout>): Promise<{ ms: number; layout: GraphLayout }> {
  let ms = Number.POSITIVE_INFINITY;
  let layout = await run();
  const began = performance.now();
  for (let i = 0; i < 7 && (i < 2 || performance.now() - began < 2_000); i++) {
    const start = performance.now();
    layout = await run();
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, layout };
}
