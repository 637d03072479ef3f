import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const lock = pathToFileURL(join(import.meta.dirname, "lib/lock.mjs")).href;
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "oriscope-lock-test-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Runs a program that has `alone`, `note(word)` (to the log) and `sleep(ms)`; its locks are in the test's folder. */
function run(body: string): Promise<number | null> {
  const program = `
    import { appendFileSync } from "node:fs";
    import { alone } from ${JSON.stringify(lock)};
    const note = (word) => appendFileSync(${JSON.stringify(join(folder, "log"))}, word + "\\n");
    const sleep = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms);
    ${body}`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
    env: { ...process.env, TMPDIR: folder },
    stdio: "ignore",
  });
  return new Promise((resolve) => child.on("exit", resolve));
}
const log = (): readonly string[] => readFileSync(join(folder, "log"), "utf8").trim().split("\n");
const locks = (): readonly string[] => readdirSync(folder).filter((name) => name.endsWith(".lock"));

describe("a lock between commands", () => {
  it("lets one work at a time, and is gone afterwards, even when the work ends its process", async () => {
    const body = 'alone("test", () => { note("in"); sleep(400); note("out"); });';
    const codes = await Promise.all([
      run(body),
      run(body),
      run(body.replace("sleep(400)", "sleep(50)").replace("; });", "; process.exit(3); });")),
    ]);
    expect([...codes].sort()).toEqual([0, 0, 3]);
    expect(log()).toEqual(["in", "out", "in", "out", "in", "out"]);
    expect(locks()).toEqual([]);
  });

  it("is taken over from a process that has ended", async () => {
    await run('alone("test", () => note("first"));process.kill(process.pid, "SIGKILL")');
    await run('alone("test", () => { note("killed"); process.kill(process.pid, "SIGKILL"); });');
    expect(locks()).toHaveLength(1);
    expect(await run('alone("test", () => note("next"));')).toBe(0);
    expect(log()).toEqual(["first", "killed", "next"]);
    expect(locks()).toEqual([]);
  });
});
