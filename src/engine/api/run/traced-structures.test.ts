/** What a phase will show in structures is known beforehand, with the step at which each begins: of every phase that has some. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { PASSES } from "../../passes/registry.ts";
import { readDirectives } from "../../passes/testing/fixture.ts";
import { DEFAULT_PIPELINE } from "../defaults.ts";
import { EngineSession } from "../session.ts";

/** Programs of each family: the first of its fixtures. */
const EACH = 3;

describe("structures of a trace", () => {
  for (const family of new Set(PASSES.map((pass) => pass.family)))
    it(`are listed with their first step in ${family}`, () => {
      const folder = join("src/engine/passes", family, "fixtures");
      const files = readdirSync(folder).filter((name) => name.endsWith(".ori"));
      for (const file of files.slice(0, EACH)) {
        const text = readFileSync(join(folder, file), "utf8");
        const directives = readDirectives(text);
        if (typeof directives === "string") throw new Error(directives);
        const session = new EngineSession();
        const { kernels } = session.open(1, text, "ori");
        const { phases } = session.run(1, kernels[0]?.name ?? "", {
          ...DEFAULT_PIPELINE,
          target: directives.options.target,
          policy: directives.options.policy === "measured" ? "measured" : "notes",
          knobs: directives.options.knobs,
          phases: directives.options.phases,
        });
        for (const { run, id } of phases.filter((phase) => phase.ran)) {
          const listed = session.trace(run)?.structures ?? [];
          for (const { name, first = -1 } of listed) {
            const where = `${file}, ${id}, ${name}`;
            const at = (step: number) => session.view(run, step, null).structures.find((s) => s.name === name)?.cells.length ?? 0;
            if (first >= 0) expect([at(first - 1), at(first) > 0], where).toEqual([0, true]);
          }
          const last = session.view(run, (session.trace(run)?.steps ?? 0) - 1, null).structures.filter((s) => s.cells.length > 0);
          for (const { name } of last)
            expect(listed.find((s) => s.name === name)?.first ?? -1, `${file}, ${id}, ${name}`).toBeGreaterThanOrEqual(0);
        }
      }
    });
});
