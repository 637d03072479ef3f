import { it } from "vitest";
import { writeFileSync } from "node:fs";
import { boxRunner } from "../box/runner.ts";
import { checkPass } from "./check.ts";
import { BROKEN, brokenSource } from "./testing/broken.ts";
import { subjectOf } from "./testing/subject.ts";
it("finds", { timeout: 3_000_000 }, async () => {
  const runner = boxRunner();
  const out: Record<string, number> = {};
  for (const broken of BROKEN) {
    const subject = subjectOf(brokenSource(broken), runner);
    for (const seed of [broken.seed, ...Array.from({ length: 400 }, (_, i) => i + 1)]) {
      const { failures } = await checkPass(subject, { given: [], count: 1, seed, shrink: false });
      if (failures.length === 1 && ["meaning", "verifier"].includes(failures[0]!.law)) { out[broken.id] = seed; break; }
    }
    writeFileSync("/tmp/seeds.json", JSON.stringify(out));
  }
});
