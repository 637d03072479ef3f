import { expect, it } from "vitest";
import type { Elk } from "./elk/elk.ts";
import { estimate } from "./estimate.ts";
import { defaultLayoutLimits, drawGraph } from "./plan.ts";
import { requestFor } from "./testing/draw.ts";
import { irreducibleCfg, ladderCfg, loopChainCfg, nestedCfg, randomCfg, structuredCfg, switchCfg } from "./testing/random-cfg.ts";
import { defaultSpacing, type GraphInput, type GraphLayout } from "./types.ts";

/** The drawing of a graph, and how many cards ELK must place, without tags that hang under one. */
async function drawn(input: GraphInput, opened: ReadonlySet<string> = new Set()): Promise<GraphLayout & { readonly cards: number }> {
  let cards = 0;
  const elk: Elk = async ({ children = [], edges = [], ...root }) => {
    cards = children.filter(({ id }) => id.startsWith("n")).length;
    return { ...root, children: children.map((child) => ({ ...child, x: 0, y: 0 })), edges };
  };
  return { ...(await drawGraph(input, { ...requestFor(), opened }, elk)), cards };
}

const asked = async (input: GraphInput, opened?: ReadonlySet<string>): Promise<number> => (await drawn(input, opened)).cards;

it.each([
  ["structured 3,000", structuredCfg(1, 3_000)],
  ["ladder 1,000", ladderCfg(1, 1_000)],
  ["ladder 1,000 with two exits", ladderCfg(1, 1_000, 2)],
  ["nested jumps 1,000", nestedCfg(1, 1_000)],
  ["irreducible 3,000", irreducibleCfg(1, 3_000)],
  ["any edges 140", randomCfg(1, 140, 300)],
  ["any edges 1,000", randomCfg(1, 1_000, 2_000)],
])("%s is drawn as few enough cards, whatever its shape", async (_, input) => {
  expect(await asked(input)).toBeLessThan(450);
});

it.each([
  ["a chain of loops", loopChainCfg(1, 80)],
  ["a long chain of loops", loopChainCfg(1, 500)],
  ["a chain of loops in a loop", loopChainCfg(1, 80, true)],
  ["structured 500", structuredCfg(2, 500)],
  ["a switch", switchCfg(1, 300)],
])("%s: no single card contains most of the program", async (_, input) => {
  const { simplified } = await drawn(input);
  expect(simplified).not.toBeNull();
  const blocksIn = new Map<string, number>();
  for (const region of simplified?.shownAs.values() ?? []) blocksIn.set(region, (blocksIn.get(region) ?? 0) + 1);
  expect(Math.max(...blocksIn.values())).toBeLessThan(input.nodes.length / 8);
});

it("draws small graphs block by block", async () => {
  const input = structuredCfg(1, 60);
  expect(await asked(input)).toBe(input.nodes.length);
  expect(estimate(input, defaultSpacing).places).toBeLessThan(defaultLayoutLimits.placesAbove);
});

it("refuses what more opened regions would make too large, in a sentence", async () => {
  const input = irreducibleCfg(1, 3_000);
  const all = new Set<string>();
  let refused = "";
  for (let round = 0; round < 20 && refused === ""; round++) {
    await drawGraph(input, { ...requestFor(), opened: all }, async () => ({ id: "root" })).then(
      ({ simplified }) => {
        for (const region of simplified?.shownAs.values() ?? []) all.add(region);
      },
      (error: Error) => {
        refused = error.message;
      },
    );
  }
  expect(refused).toMatch(/^[\d,]+ cards and the lines between them are more than can be drawn\.$/);
});
