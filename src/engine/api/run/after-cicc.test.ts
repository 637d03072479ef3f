import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFAULT_PIPELINE } from "../defaults.ts";
import { EngineSession } from "../session.ts";
import type { PipelineOptions } from "../types.ts";

const folder = join(import.meta.dirname, "../../import/ptx/fixtures");
const ptx = readFileSync(join(folder, "04_diamond.sm_90.ptx"), "utf8");

/** What the first listed phase reports about itself. */
function folding(text: string, options: Partial<PipelineOptions>): { readonly ran: boolean; readonly reason: string | null } {
  const session = new EngineSession();
  const { kernels, ok } = session.open(1, text, null);
  expect(ok).toBe(true);
  const all = { ...DEFAULT_PIPELINE, ...options };
  const { phases } = session.run(1, kernels[0]!.name, all);
  const phase = phases.find(({ id }) => id === "branch-folding")!;
  // The list of phases, which needs no run, reports the same.
  const row = session.phases(all).find(({ id }) => id === "branch-folding")!;
  expect(row.runs).toBe(phase.ran);
  return phase;
}

it("leaves BranchFolding out of PTX under policy 'measured' alone, unless a list of phases names it", () => {
  const left = folding(ptx, { policy: "measured" });
  expect(left).toMatchObject({ ran: false, reason: expect.stringContaining("PTX has been through cicc") });
  expect(folding(ptx, { policy: "notes" }).ran).toBe(true);
  expect(folding(ptx, { policy: "measured", phases: ["branch-folding"] }).ran).toBe(true);
  expect(folding(ptx, { policy: "measured", namedPhases: ["branch-folding"] }).ran).toBe(true);
});

it("runs it on a program of ours under both policies", () => {
  const ori = ".kernel f(a: R0)\nBB0:\n    EXIT\n";
  for (const policy of ["notes", "measured"] as const) expect(folding(ori, { policy }).ran).toBe(true);
});
