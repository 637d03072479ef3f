import { describe, expect, it } from "vitest";
import { nodeElk } from "./elk/node.ts";
import { elkLayout } from "./elk-layout.ts";
import { STEPS } from "./hints/hints.ts";
import { inColumns } from "./in-columns.ts";
import { checkLayout } from "./testing/check-layout.ts";
import { laidOut } from "./testing/draw.ts";
import { quality } from "./testing/quality.ts";
import { irreducibleCfg, ladderCfg, nestedCfg, randomCfg, structuredCfg, switchCfg } from "./testing/random-cfg.ts";
import { defaultSpacing, type GraphInput } from "./types.ts";

function graph(entry: string, edges: readonly [string, string][], more: readonly string[] = []): GraphInput {
  const ids = [...new Set([entry, ...edges.flat(), ...more])];
  const ports = new Map<string, number>();
  return {
    entry,
    nodes: ids.map((id) => ({ id, kind: "block", width: 100, height: 40 })),
    edges: edges.map(([from, to], i) => {
      const port = ports.get(from) ?? 0;
      ports.set(from, port + 1);
      return { id: `e${i}`, from, to, kind: "taken", port };
    }),
  };
}

const shapes: readonly [name: string, make: (seed: number) => GraphInput][] = [
  ["structured, 12 blocks", (seed) => structuredCfg(seed, 12)],
  ["structured, 60 blocks", (seed) => structuredCfg(seed, 60)],
  ["irreducible with unreachable blocks, 40 blocks", (seed) => irreducibleCfg(seed, 40)],
  ["any edges, 8 blocks", (seed) => randomCfg(seed, 8, 14)],
  ["any edges, 40 blocks", (seed) => randomCfg(seed, 40, 90)],
  ["a ladder with three exits, 50 blocks", (seed) => ladderCfg(seed, 50, 3)],
  ["a switch of 60 cases", (seed) => switchCfg(seed, 60)],
  ["nested jumps, 40 blocks", (seed) => nestedCfg(seed, 40)],
];

const SEEDS = 3;

describe("a layout by ELK", () => {
  for (const [name, make] of shapes) {
    it(`draws ${name} without overlap, forward edges down, lines from port to port, and so in columns`, async () => {
      for (let seed = 1; seed <= SEEDS; seed++) {
        const input = make(seed);
        const layout = await laidOut(input);
        expect(checkLayout(input, layout), `seed ${seed}`).toEqual([]);
        expect(checkLayout(input, inColumns(layout), { columns: true }), `seed ${seed}`).toEqual([]);
      }
    });
  }

  it("draws once more without compaction where that lets lines lie on each other", async () => {
    const input = randomCfg(38, 8, 14);
    let drawings = 0;
    const layout = await elkLayout(input, (root) => {
      drawings++;
      return nodeElk(root);
    });
    expect(drawings).toBe(2);
    expect(checkLayout(input, layout)).toEqual([]);
  });

  it("stands the arm of an if under its branch, and the join under the arm, where the way around the arm is a jump or falls as well", async () => {
    const input = graph("if", [
      ["if", "arm"],
      ["if", "join"],
      ["arm", "join"],
    ]);
    // The last is a union of two steps: the branch fell through into the arm and, once the arm was removed, into the join.
    for (const kinds of [
      ["taken", "else", "fall"],
      ["fall", "taken", "fall"],
      ["taken", "fall", "fall"],
    ] as const) {
      const { nodes } = await laidOut({ ...input, edges: input.edges.map((e, i) => ({ ...e, kind: kinds[i] ?? "jump" })) });
      expect(new Set(nodes.map((n) => n.x + n.width / 2)).size, kinds.join()).toBe(1);
    }
  });

  it("gives the same picture for the same input", async () => {
    expect(await laidOut(irreducibleCfg(1, 40))).toEqual(await laidOut(irreducibleCfg(1, 40)));
  });

  it("takes the empty graph, one block, a self loop, doubled edges and edges to nowhere", async () => {
    expect((await laidOut({ nodes: [], edges: [], entry: "" })).nodes).toEqual([]);
    const one = graph("a", [["a", "a"]]);
    expect(checkLayout(one, await laidOut(one))).toEqual([]);
    const doubled = graph("a", [
      ["a", "b"],
      ["a", "b"],
      ["b", "a"],
      ["b", "a"],
    ]);
    expect(checkLayout(doubled, await laidOut(doubled))).toEqual([]);
    const broken: GraphInput = { ...one, edges: [{ id: "x", from: "a", to: "gone", kind: "taken", port: 0 }] };
    expect((await laidOut(broken)).edges).toEqual([]);
  });

  it("puts the first successor left of the second", async () => {
    const layout = await laidOut(
      graph("a", [
        ["a", "then"],
        ["a", "else"],
        ["then", "z"],
        ["else", "z"],
      ]),
    );
    const at = new Map(layout.nodes.map((n) => [n.id, n]));
    expect(at.get("then")!.x).toBeLessThan(at.get("else")!.x);
    expect(Math.abs(at.get("then")!.y - at.get("else")!.y)).toBeLessThan(defaultSpacing.layer);
  });

  it("puts what follows a loop below all of the loop, and the back edge on the right of it", async () => {
    const layout = await laidOut(
      graph("a", [
        ["a", "head"],
        ["head", "after"],
        ["head", "b1"],
        ["b1", "b2"],
        ["b2", "b3"],
        ["b3", "head"],
        ["after", "z"],
      ]),
    );
    const at = new Map(layout.nodes.map((n) => [n.id, n]));
    expect(at.get("after")!.y).toBeGreaterThan(at.get("b3")!.y);
    const back = layout.edges.filter((e) => e.back);
    expect(back.map((e) => e.id)).toEqual(["e5"]);
    const right = Math.max(...["head", "b1", "b2", "b3"].map((id) => at.get(id)!.x + at.get(id)!.width));
    expect(Math.max(...back[0]!.points.map((p) => p[0]))).toBeGreaterThan(right);
  });

  it("runs straight through a line of blocks", async () => {
    const layout = await laidOut(
      graph("a", [
        ["a", "b"],
        ["b", "c"],
        ["c", "d"],
      ]),
    );
    expect(layout.edges.map((e) => e.points.length)).toEqual([2, 2, 2]);
  });

  it("turns branches where that means fewer crossings", async () => {
    const asGiven = STEPS.filter(({ name }) => name !== "turns");
    let [before, after] = [0, 0];
    for (let seed = 1; seed <= 6; seed++) {
      const input = structuredCfg(seed, 40);
      before += quality(input, await elkLayout(input, nodeElk, { steps: asGiven })).crossings;
      after += quality(input, await laidOut(input)).crossings;
    }
    expect(after).toBeLessThan(0.8 * before);
  });

  it("takes any selection of its steps: each can be left out to see what it is worth", async () => {
    const input = structuredCfg(3, 40);
    for (const { name } of STEPS) {
      const layout = await elkLayout(input, nodeElk, { steps: STEPS.filter((step) => step.name !== name) });
      expect(layout.nodes, name).toHaveLength(input.nodes.length);
    }
  });
});
