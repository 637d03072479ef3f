/** Broken passes: each is caught by Check, on a random program whose seed is kept. */

import { describe, expect, it } from "vitest";
import { boxRunner } from "../../box/runner.ts";
import { checkPass } from "./check.ts";
import { BROKEN, brokenSource } from "./testing/broken.ts";
import { subjectOf } from "./testing/subject.ts";

/** Seeds of the first thousand programs: what Check tries if that many are requested. */
const WITHIN = 1000;

describe("broken passes", { timeout: 300_000 }, () => {
  const runner = boxRunner();

  it("are thirty or more, each by a name of its own", () => {
    expect(BROKEN.length).toBeGreaterThanOrEqual(30);
    expect(new Set(BROKEN.map((pass) => pass.id)).size).toBe(BROKEN.length);
  });

  it.each(BROKEN)("$id: $bug", async (broken) => {
    expect(broken.seed).toBeGreaterThan(0);
    expect(broken.seed).toBeLessThanOrEqual(WITHIN);
    const subject = subjectOf(brokenSource(broken), runner);
    const { failures } = await checkPass(subject, { given: [], count: 1, seed: broken.seed, shrink: false });
    expect(failures.map((f) => f.law)).toHaveLength(1);
    expect(["meaning", "verifier"]).toContain(failures[0]?.law);
  });
});
