import { describe, expect, it } from "vitest";
import { examplesOf } from "../../../app/session/example.ts";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import { FEATURES } from "../../page.ts";
import { generateKernel } from "./generate.ts";

const EXAMPLES = examplesOf({ features: FEATURES });

const OPTIONS = { ...DEFAULT_PIPELINE, verify: true };

describe("examples", () => {
  it("have unique names and cover every group", () => {
    expect(new Set(EXAMPLES.map((e) => e.id)).size).toBe(EXAMPLES.length);
    expect(EXAMPLES.filter((e) => e.format === "ori").length).toBeGreaterThanOrEqual(12);
  });

  it.each(EXAMPLES.map((e) => [e.id, e] as const))("%s opens without errors, runs, and names a phase that runs", async (_id, example) => {
    const session = new EngineSession({ now: () => 0 });
    const opened = session.open(1, await example.load(), example.format);
    expect(opened.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    const kernel = example.kernel === undefined ? opened.kernels[0] : opened.kernels.find((k) => k.name === example.kernel);
    expect(kernel).toBeDefined();
    // A kernel of one block is of little use if another one has more.
    if (kernel?.blocks === 1) expect(Math.max(...opened.kernels.map((k) => k.blocks))).toBe(1);
    const result = session.run(1, kernel!.name, OPTIONS);
    expect(result.diagnostics.filter((d) => d.severity === "error")).toEqual([]);
    expect(result.phases.flatMap((p) => p.verifyErrors.map((e) => `${p.id}: ${e.message}`))).toEqual([]);
    if (example.phase === null) expect(result.phases.some((p) => p.ran && p.changed)).toBe(true);
    else expect(result.phases.filter((p) => p.ran).map((p) => p.id)).toContain(example.phase);
  });
});

describe("generateKernel", () => {
  it.each([5, 50, 100, 500, 3000])("makes %i blocks, or up to two fewer", (size) => {
    const session = new EngineSession({ now: () => 0 });
    for (const seed of [7, size]) {
      const kernel = session.open(1, generateKernel("k", size, seed), "ori").kernels[0];
      expect(kernel!.blocks).toBeGreaterThanOrEqual(size - 2);
      expect(kernel!.blocks).toBeLessThanOrEqual(size);
    }
  });
});
