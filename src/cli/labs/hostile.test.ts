/** One of the passes that mean harm, another one on each run, through every command that runs a pass; `bench/escapes.ts` sends all of them. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshSeed } from "../../engine/testing/seed.ts";
import { HOSTILE } from "../../ownpass/testing/hostile.ts";

describe("a hostile pass", { timeout: 600_000 }, () => {
  const first = freshSeed() % HOSTILE.length;
  it(`loses its own task and nothing else in grade, check, run, trace and lab check: number ${first}`, () => {
    const args = ["--import", "tsx", "bench/escapes.ts", "--every", String(HOSTILE.length), "--from", String(first)];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, { cwd: join(import.meta.dirname, "../../.."), encoding: "utf8" });
    expect(stdout).toContain(`1 of ${HOSTILE.length} hostile passes`);
    expect(stdout).toContain("each lost its own task and nothing else");
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });
});
