import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../../../engine/api/defaults.ts";
import { EngineSession } from "../../../engine/api/session.ts";
import type { PhaseRun, PipelineOptions } from "../../../engine/api/types.ts";
import { compareFutures, type Future } from "./compare.ts";

const KERNEL = readFileSync(new URL("../../examples/page/ptx/05_loop_nest.sm_90.ptx", import.meta.url), "utf8");

/** A result, with a count of the requested texts. */
function future(options: Partial<PipelineOptions> = {}, phases = (list: readonly PhaseRun[]) => list): Future & { asked: () => number } {
  const session = new EngineSession();
  const kernel = session.open(1, KERNEL, null).kernels[0]!.name;
  const result = session.run(1, kernel, { ...DEFAULT_PIPELINE, ...options });
  let asked = 0;
  return {
    result: { ...result, phases: phases(result.phases) },
    textAfter: async (run) => {
      asked++;
      return session.text({ run, step: null }).text;
    },
    asked: () => asked,
  };
}

describe("two engines on the same program", () => {
  it("are the same phase by phase, and only what changed is asked for", async () => {
    const [a, b] = [future(), future()];
    const { phases, differences } = await compareFutures(a, b);
    expect(differences).toEqual([]);
    expect(phases).toBe(a.result.phases.length);
    expect(a.asked()).toBeLessThanOrEqual(a.result.phases.filter((p) => p.changed).length + 1);
  });

  it("part at the phase that one of them leaves out", async () => {
    const { differences } = await compareFutures(future(), future({ noPhases: ["ori-branch-opt"] }));
    const first = differences[0]!;
    expect(first.id).toBe("ori-branch-opt");
    expect([first.ours?.ran, first.theirs?.ran]).toEqual([true, false]);
    expect(first.texts[0]).not.toBe(first.texts[1]);
    // Every named phase differs in its effect, or its text differs although the previous one was equal, or the other way round.
    expect(differences.length).toBeLessThan(40);
  });

  it("name a phase that only one of them has, in its place", async () => {
    const without = (list: readonly PhaseRun[]) => list.filter((p) => p.id !== "gvn-cse");
    const [more, less] = [await compareFutures(future(), future({}, without)), await compareFutures(future({}, without), future())];
    expect(more.differences.filter((d) => d.theirs === null).map((d) => d.id)).toContain("gvn-cse");
    expect(less.differences.filter((d) => d.ours === null).map((d) => d.id)).toContain("gvn-cse");
    expect(less.phases).toBe(more.phases);
  });
});
