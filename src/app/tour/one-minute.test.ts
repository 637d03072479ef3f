import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { checkLab } from "../../labs/check.ts";
import { readLab } from "../../labs/read/read-lab.ts";

const text = readFileSync(join(import.meta.dirname, "one-minute.md"), "utf8");

it("the guided minute is a lab without mistakes and without points, about the example of its name", async () => {
  const { ok, diagnostics, tasks, max } = await checkLab(text, { solutions: null, variants: 0 });
  expect(diagnostics).toEqual([]);
  expect({ ok, max }).toEqual({ ok: true, max: 0 });
  expect(tasks.map((t) => t.solved)).toEqual([true, true, true]);
  const example = readFileSync(join(import.meta.dirname, "../examples/ori/two-adds.ori"), "utf8");
  const [program] = readLab(text).lab?.programs ?? [];
  expect(program?.kind === "written" && program.text.trim()).toBe(example.replace(/^\/\/.*\n/, "").trim());
});
