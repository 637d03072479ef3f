/**
 * How long the two layout engines take, and how good their pictures are, on the stored graphs in one run:
 * `node scripts/run-ts.mjs bench/layout.ts [FILTER] [--no-elk]`. Times are the best of several calls after a warm-up, in Node, in one
 * thread; the ratio is what to compare between machines.
 */

import { fromElk } from "../src/layout/from-elk.ts";
import { linearLayout } from "../src/layout/linear.ts";
import { inProcessElk } from "../src/layout/testing/in-process-elk.ts";
import { type Quality, quality, total } from "../src/layout/testing/quality.ts";
import { toElk } from "../src/layout/to-elk.ts";
import type { GraphInput, GraphLayout } from "../src/layout/types.ts";
import { readGraphs } from "./graphs/format.ts";

const withElk = !process.argv.includes("--no-elk");
const filter = process.argv.slice(2).find((a) => !a.startsWith("--")) ?? "";
const elk = withElk ? await inProcessElk() : null;
const { graphs } = readGraphs();
const chosen = graphs.filter(({ name }) => name.includes(filter));
const warm = graphs.find(({ input }) => input.nodes.length > 90)?.input ?? graphs[0]?.input;
if (warm !== undefined) for (let i = 0; i < 30; i++) linearLayout(warm);

console.log(
  "engine graph                        cards |      ms | cross |  fall | kinks | bends |  tall | white | loop | text |      w × h",
);
const sums = new Map<string, { readonly group: string; readonly of: Quality[] }>();
for (const { name, group, input } of chosen) {
  await show("linear", name, group, input, async () => linearLayout(input));
  // ELK takes over ten seconds where very many long lines lead into one block.
  if (elk !== null && name.indexOf("148") < 0)
    await show("elk", name, group, input, async () => fromElk(input, await elk.layout(toElk(input))));
}
for (const [engine, { of }] of sums) {
  const t = total(of);
  console.log(
    `\n${engine}: ${of.length} graphs, crossings ${t.crossings} (${((1000 * t.crossings) / t.edges).toFixed(1)} ‰, in ${of.filter((q) => q.crossings > 0).length}), fall ${(t.vertical / t.falls).toFixed(3)}, kinks ${(t.kinks / t.forward).toFixed(3)}, bends ${(t.bends / t.edges).toFixed(2)}, tall ${t.tall.toFixed(2)} (worst ${t.worstTall.toFixed(2)}), white ${t.white.toFixed(2)}, strangers a loop ${(t.strangers / t.loops).toFixed(2)}, length ${Math.round(t.length / 1000)}k`,
  );
}

async function show(engine: string, name: string, group: string, input: GraphInput, run: () => Promise<GraphLayout>): Promise<void> {
  const { ms, layout } = await best(run);
  const q = quality(input, layout);
  const key = `${engine} ${group}`;
  const known = sums.get(key) ?? { group, of: [] };
  sums.set(key, known);
  known.of.push(q);
  console.log(
    [
      `${engine.padEnd(6)} ${name.slice(0, 28).padEnd(28)} ${String(input.nodes.length).padStart(4)}`,
      ms.toFixed(1).padStart(7),
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

async function best(run: () => Promise<GraphLayout>): Promise<{ ms: number; layout: GraphLayout }> {
  let ms = Number.POSITIVE_INFINITY;
  let layout = await run();
  const began = performance.now();
  for (let i = 0; i < 7 && (i < 2 || performance.now() - began < 1_000); i++) {
    const start = performance.now();
    layout = await run();
    ms = Math.min(ms, performance.now() - start);
  }
  return { ms, layout };
}
