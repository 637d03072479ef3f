/** Knob 235 removes phase 3 from the pipeline without changing the result, since later phases call the analysis themselves. */

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { DEFAULT_OPTIONS } from "../../pipeline/defaults.ts";
import { planPipeline } from "../../pipeline/plan.ts";
import { runPipeline } from "../../pipeline/run.ts";
import { parseModule } from "../../text/parser.ts";
import { printModule } from "../../text/printer.ts";
import { recordsAreRight } from "../shared/control-flow/control-flow-tags.ts";

const folder = join(import.meta.dirname, "../branch-opt/fixtures");

function end(text: string, knobs: readonly string[]): string {
  const { module } = parseModule(text);
  const { plan } = planPipeline({ ...DEFAULT_OPTIONS, knobs }, module.target);
  return module.funcs
    .map((fn) => {
      const after = runPipeline(fn, module, plan).runs.at(-1)!.after;
      expect(recordsAreRight(after)).toBe(true);
      const records = after.layout.map((id) => after.blocks[id]!).map((b) => [b.label, b.rpo, b.latchExit, b.flags, b.flags2].join(" "));
      return [printModule({ ...module, funcs: [after], tail: [] }), after.flags, ...records].join("\n");
    })
    .join("\n");
}

it("ends in the same program and the same records with knob 235 set", () => {
  const files = readdirSync(folder).filter((name) => name.endsWith(".ori"));
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const text = readFileSync(join(folder, file), "utf8");
    expect(end(text, ["235=1"]), file).toBe(end(text, []));
  }
});
