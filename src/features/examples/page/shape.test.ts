/** The shape read from a text is the graph that the engine reads. */

import { describe, expect, it } from "vitest";
import { examplesOf } from "../../../app/session/example.ts";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import { FEATURES } from "../../page.ts";
import { PHASE_EXAMPLES } from "./by-phase.ts";
import { type Shape, shapeOf } from "./shape.ts";

const EXAMPLES = examplesOf({ features: FEATURES });

/** A guarded EXIT and a JMX: the text is read as one block. */
const DIFFERS = "fixture:do-switch-opt-first/near-categories";

const written = ({ blocks, edges }: Shape): string => `${blocks}: ${[...new Set(edges.map(([a, b]) => `${a}>${b}`))].sort().join(" ")}`;

describe("the shape of a program", () => {
  it("has the blocks and the edges that the engine reads", async () => {
    const session = new EngineSession({ now: () => 0 });
    for (const example of [...EXAMPLES, ...PHASE_EXAMPLES].filter(({ id, format }) => format === "ori" && id !== DIFFERS)) {
      const text = await example.load();
      session.open(1, text, "ori");
      const name = (/^\.kernel (\w+)/m.exec(text) ?? /^\.func (\w+)/m.exec(text))?.[1] ?? "";
      session.run(1, name, { ...DEFAULT_PIPELINE, level: 0 });
      const { blocks } = session.view(0, -1, null);
      const at = new Map(blocks.map(({ id }, i) => [id, i]));
      const edges = blocks.flatMap(({ succs }, from) => succs.map((to): [number, number] => [from, at.get(to) ?? -1]));
      const shape = shapeOf(text);
      expect.soft(shape === null ? null : written(shape), example.id).toBe(written({ blocks: blocks.length, edges }));
    }
  });

  it("is that of one kernel, in PTX and Bril too, and of no listing without labels", async () => {
    const blocksOf = async (id: string): Promise<number | undefined> => {
      const example = EXAMPLES.find((e) => e.id === id);
      return shapeOf((await example?.load()) ?? "", example?.kernel)?.blocks;
    };
    expect(await blocksOf("bril-sum")).toBeGreaterThan(2);
    expect(await blocksOf("04_diamond.sm_90")).toBeGreaterThan(2);
    expect(shapeOf(".kernel k()\n    BRA 0x40\n    EXIT\n")).toBeNull();
  });
});
