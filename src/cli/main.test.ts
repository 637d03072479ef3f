import { spawnSync } from "node:child_process";
import { closeSync, existsSync, openSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../bin/oriscope.mjs", import.meta.url));
const FULL = "/dev/full";

describe.skipIf(!existsSync(FULL))("the process, where nothing can be written", () => {
  it("says so and fails", () => {
    const full = openSync(FULL, "w");
    const { status, stderr } = spawnSync(process.execPath, [program, "phases"], { stdio: ["ignore", full, "pipe"], encoding: "utf8" });
    closeSync(full);
    expect(stderr).toMatch(/^oriscope: the output could not be written: ENOSPC.*\n$/);
    expect(status).toBe(1);
  });

  it("fails without a word where messages cannot be written either", () => {
    const full = openSync(FULL, "w");
    const { status, stdout } = spawnSync(process.execPath, [program, "nonsense"], { stdio: ["ignore", "pipe", full], encoding: "utf8" });
    closeSync(full);
    expect([status, stdout]).toEqual([1, ""]);
  });
});
