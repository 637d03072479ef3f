/** One malicious pass through one of the commands that run a pass, different ones on each run; `bench/escapes.ts` sends all of them through all. */

import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { freshSeed } from "../../../engine/testing/seed.ts";
import { HOSTILE } from "../../ownpass/engine/check/testing/hostile.ts";

const COMMANDS = ["grade", "check", "run", "trace", "lab"] as const;

describe("a hostile pass", { timeout: 600_000 }, () => {
  const first = freshSeed() % HOSTILE.length;
  const command = COMMANDS[Math.floor(freshSeed() / HOSTILE.length) % COMMANDS.length]!;
  it(`loses its own task and nothing else: number ${first}, ${command}`, () => {
    const args = ["--import", "tsx", "bench/escapes.ts", "--every", String(HOSTILE.length), "--from", String(first), "--command", command];
    const { status, stdout, stderr } = spawnSync(process.execPath, args, {
      cwd: join(import.meta.dirname, "../../../.."),
      encoding: "utf8",
    });
    expect(stdout).toContain(
      `1 of ${HOSTILE.length} hostile passes, ${command === "grade" ? "2 hand-ins and 0 runs" : "0 hand-ins and 1 runs"}`,
    );
    expect(stdout).toContain("each lost its own task and nothing else");
    expect({ status, stderr }).toMatchObject({ status: 0 });
  });
});
