/** Every question of a page at any step of any phase is answered, including states in the middle of a rewrite. */

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";
import { freshSeed } from "../testing/seed.ts";
import { DEFAULT_PIPELINE } from "./defaults.ts";
import { EngineSession } from "./session.ts";

const passes = join(dirname(fileURLToPath(import.meta.url)), "..", "passes");
const programs = readdirSync(passes, { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".ori"))
  .sort();
const seed = freshSeed();
/** One of each family, chosen by the commit: all of them would take long. */
const chosen = [...new Set(programs.map((file) => file.split("/")[0]))].flatMap((family) => {
  const own = programs.filter((file) => file.startsWith(`${family}/`));
  return own[seed % own.length]!;
});

const STEPS = 60;

describe.each(chosen)("%s", (file) => {
  it("answers at every step", () => {
    const session = new EngineSession({ limits: { events: 20_000, entries: 100_000, elements: 1_000_000 } });
    const opened = session.open(1, readFileSync(join(passes, file), "utf8"), "ori");
    const kernel = opened.kernels[0]?.name ?? "";
    const { phases } = session.run(1, kernel, DEFAULT_PIPELINE);
    for (const { run, changed, ran } of phases) {
      if (!ran) continue;
      const steps = session.trace(run)?.steps ?? 0;
      expect(session.graph(run).blocks.length).toBeGreaterThan(0);
      // A sentence for every step, not a bare name, and in words first.
      for (const { sentence } of session.events(run, 0, Math.min(steps, 500))) {
        expect(sentence).toMatch(/\S\s+\S/);
        expect(sentence).not.toMatch(
          /0x[0-9A-F]{8}|sub_[0-9A-F]{4}|[ (]\+\d{2,4}\b|\b[CT]\d[a-d]? holds|dom_set|HAS_PRED|IN_LOOP|LOOP_HEADER/,
        );
      }
      // Steps around changes are the interesting ones.
      const asked = new Set<number>([-1, steps - 1]);
      if (changed)
        for (
          let s = session.find(run, -1, 1, { kind: "change" }, []);
          s !== null && asked.size < STEPS;
          s = session.find(run, s, 1, { kind: "change" }, [])
        )
          asked.add(s);
      for (const step of asked) {
        const moment = { run, step };
        const delta = session.view(run, step, null);
        expect(delta.layout?.length).toBe(delta.blocks.length);
        expect(session.text(moment).text).toContain(kernel);
        expect(session.analyses(moment).idom.length).toBe(delta.blocks.length);
        expect(session.exec(moment, { threads: 2, fuel: 200, args: [], mem: [] }).status).toMatch(/ok|trap|fuel|deadlock/);
        for (const format of ["dot", "mermaid", "json"] as const) expect(session.exportAs(moment, format).length).toBeGreaterThan(10);
      }
    }
  });
});
