import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { deserialize, serialize } from "node:v8";
import { expect, test } from "vitest";
import { DEFAULT_PIPELINE } from "../engine/api/defaults.ts";
import type { BlockView, StateDelta } from "../engine/api/types.ts";
import { localEngine } from "./local.ts";
import { columnsOf, isPacked, packDelta, unpackDelta } from "./packed-view.ts";

/** As the page's thread gets it. */
function overTheWire(delta: StateDelta): StateDelta {
  const packed: unknown = deserialize(serialize(packDelta(delta)));
  if (!isPacked(packed)) throw new Error("it is not known as packed");
  return unpackDelta(packed);
}

const plain = ({ blocks, ...delta }: StateDelta): StateDelta => ({
  ...delta,
  blocks: blocks.map((block: BlockView) => ({
    ...block,
    insts: block.insts.map(({ id, text, tokens, op, effect, line }) => ({ id, text, tokens, op, effect, line })),
  })),
});

const EXAMPLES = ["examples/page/ori", "examples/page/ptx", "sass/page/listings"].flatMap((folder) => {
  const path = join(import.meta.dirname, "../features", folder);
  return readdirSync(path)
    .filter((name) => /\.(?:ori|ptx|sass\.txt)$/.test(name))
    .slice(0, 12)
    .map((name) => [name, readFileSync(join(path, name), "utf8")] as const);
});

test.each(EXAMPLES)("states of %s arrive as they were sent", (_name, text) => {
  const engine = localEngine();
  const { kernels } = engine.open(1, text, null);
  const { phases } = engine.run(1, kernels[0]?.name ?? "", DEFAULT_PIPELINE);
  for (const run of [0, phases.length >> 1, phases.length - 1]) {
    const steps = engine.trace(run)?.steps ?? 0;
    for (const [step, have] of [
      [-1, null],
      [steps - 1, null],
      [steps >> 1, -1],
    ] as const) {
      const delta = engine.view(run, step, have);
      expect(plain(overTheWire(delta))).toEqual(plain(delta));
    }
  }
});

test("instructions that differ in names only share what is sent of them, and the rest moves instead of being copied", () => {
  const lines = Array.from({ length: 200 }, (_, i) => `    IADD R${10 + (i % 80)}, R${20 + (i % 70)}, ${10 + (i % 90)}`);
  const engine = localEngine();
  engine.open(1, [".kernel k()", "BB0:", ...lines, "    EXIT", ""].join("\n"), null);
  engine.run(1, "k", DEFAULT_PIPELINE);
  const packed = packDelta(engine.view(0, -1, null));
  expect(packed.columns.ids.length).toBe(201);
  expect(packed.columns.forms.length).toBe(2);
  expect(columnsOf(packed).every((buffer) => buffer.byteLength > 0)).toBe(true);
});
