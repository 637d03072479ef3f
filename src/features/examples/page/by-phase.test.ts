import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import type { PipelineOptions } from "../../../engine/api/types.ts";
import { PHASE_EXAMPLES } from "./by-phase.ts";

const OPTIONS: PipelineOptions = { ...DEFAULT_PIPELINE, verify: true };

describe("examples by phase", () => {
  it("are there, with twins", () => {
    const groups = new Set(PHASE_EXAMPLES.map((e) => e.group));
    expect(groups.size).toBeGreaterThan(10);
    for (const group of ["ori-branch-opt", "branch-folding", "gvn-cse", "optimize-nested-cond-branches"]) {
      const own = PHASE_EXAMPLES.filter((e) => e.group === group);
      expect(own.some((e) => e.fires)).toBe(true);
      expect(own.some((e) => !e.fires)).toBe(true);
    }
  });

  it("fire or not as they say, with the options they bring", async () => {
    const wrong: string[] = [];
    for (const example of PHASE_EXAMPLES) {
      const session = new EngineSession({ now: () => 0 });
      const opened = session.open(1, await example.load(), "ori");
      const kernel = opened.kernels[0];
      if (kernel === undefined) {
        wrong.push(`${example.id}: no kernel`);
        continue;
      }
      const result = session.run(1, kernel.name, { ...OPTIONS, ...example.options });
      const run = result.phases.findLast((p) => p.id === example.phase);
      if (run === undefined || run.changed !== example.fires) wrong.push(`${example.id}: changed is ${run?.changed}`);
    }
    expect(wrong).toEqual([]);
  });
});
