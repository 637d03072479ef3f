import { expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../engine/api/defaults.ts";
import { localEngine } from "../../worker/local.ts";
import { diffCounts } from "../graph/model/states.ts";
import { applyDelta, type MomentState } from "../session/moment.ts";
import { inNumbersOf } from "./match-blocks.ts";

const text = (blocks: readonly string[]): string => `.kernel k(n: R0, out: RD2)\n${blocks.join("\n")}\n`;
const A = "A:\n    ISETP.GE P0, R0, 5\n@P0 BRA C";
const B = "B:\n    IADD R0, R0, 1";
const NEW = "N:\n    IADD R0, R0, 2";
const C = "C:\n    STG [RD2], R0\n    EXIT";

async function momentOf(source: string): Promise<MomentState> {
  const engine = localEngine();
  await engine.open(1, source, "ori");
  await engine.run(1, "k", { ...DEFAULT_PIPELINE, phases: ["analyze-control-flow"] });
  return applyDelta(null, await engine.view(0, -1, null));
}

it("blocks of one label have one number, also after other blocks", async () => {
  const [base, head] = [await momentOf(text([A, B, C])), await momentOf(text([A, NEW, B, C]))];
  const matched = inNumbersOf(base, head);
  expect(diffCounts(base, matched)).toMatchObject({ added: 1, removed: 0, same: 2 });
  const labels = new Map([...matched.blocks.values()].map((b) => [b.label, b]));
  expect(labels.get("B")?.id).toBe([...base.blocks.values()].find((b) => b.label === "B")?.id);
  for (const block of matched.blocks.values()) {
    for (const to of block.succs) expect(matched.blocks.get(to)?.preds).toContain(block.id);
  }
  expect(matched.layout).toHaveLength(4);
  expect(inNumbersOf(base, base)).toBe(base);
});
