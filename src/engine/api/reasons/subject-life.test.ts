/** The life of a block, instruction or register: the phases that changed it, with the reason; what was only examined is not listed. */

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../defaults.ts";
import { EngineSession } from "../session.ts";

function lived(fixture: string, phases: readonly string[] | null = null) {
  const session = new EngineSession();
  const { kernels } = session.open(1, readFileSync(`src/engine/passes/${fixture}.ori`, "utf8"), "ori");
  const result = session.run(1, kernels[0]?.name ?? "", { ...DEFAULT_PIPELINE, phases });
  return { session, result };
}

describe("the life of a subject", () => {
  it("names the phases that changed a block, once each, and counts those that ran", () => {
    const { session, result } = lived("branch-opt/fixtures/cascade");
    const { blocks } = session.view(0, -1, null);
    for (const block of blocks) {
      const life = session.life({ kind: "block", id: block.id });
      expect(life?.written).toBe(true);
      expect(life?.ran).toBe(result.phases.filter((phase) => phase.ran).length);
      const runs = life?.stages.map((stage) => stage.run) ?? [];
      expect(new Set(runs).size).toBe(runs.length);
      expect(runs.every((run) => result.phases[run]?.changed)).toBe(true);
      const counted = session.life({ kind: "block", id: block.id }, false);
      expect(counted?.stages.map(({ run, what, at }) => ({ run, what, at }))).toEqual(
        life?.stages.map(({ run, what }) => ({ run, what, at: null })),
      );
    }
  });

  it("says which edge's loss deleted a block", () => {
    const { session } = lived("branch-opt/fixtures/cascade", ["ori-branch-opt"]);
    const id = session.view(0, -1, null).blocks.find((block) => block.label === "BB2")?.id ?? -1;
    expect(session.life({ kind: "block", id })?.stages).toMatchObject([
      { what: "deleted", at: { because: "no edge leads to BB2 any more: its last one, from BB0, was removed at step 43" } },
    ]);
  });

  it("is that of a register: deleted with its last instruction", () => {
    const { session } = lived("general-optimize/fixtures/across-a-loop", ["general-optimize"]);
    expect(session.life({ kind: "reg", name: "R2" })).toMatchObject({
      written: true,
      stages: [{ what: "deleted", phase: "general-optimize" }],
    });
    expect(session.life({ kind: "reg", name: "R77" })).toMatchObject({ written: false, stages: [] });
    expect(session.life({ kind: "node", name: "x/y" })).toBeNull();
  });
});
