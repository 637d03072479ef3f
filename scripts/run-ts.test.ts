import { spawnSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { bundleTs } from "./lib/bundle-ts.mjs";
import { isForeign, whyStale } from "./lib/install.mjs";
import { cache, root } from "./lib/root.mjs";

const launcher = join(root, "scripts", "run-ts.mjs");
let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "run-ts-"));
});
afterEach(() => {
  const kept = join(cache, "run");
  for (const file of readdirSync(kept)) if (file.includes(basename(folder))) rmSync(join(kept, file), { recursive: true });
  rmSync(folder, { recursive: true, force: true });
});

function write(name: string, text: string): string {
  const path = join(folder, name);
  writeFileSync(path, text);
  return path;
}

function run(entry: string, args: readonly string[] = [], input = "") {
  return spawnSync(process.execPath, [launcher, entry, ...args], { input, encoding: "utf8" });
}

describe("run-ts", () => {
  it("passes arguments, standard input and the exit code through, and adds nothing to stdout", () => {
    write("part.ts", "export const twice = (n: number): number => n * 2;\n");
    const entry = write(
      "main.ts",
      [
        'import { readFileSync } from "node:fs";',
        'import { twice } from "./part.ts";',
        'process.stdout.write(JSON.stringify([process.argv.slice(2), readFileSync(0, "utf8"), twice(21)]));',
        "process.exitCode = 7;",
      ].join("\n"),
    );
    const result = run(entry, ["--flag", "a b"], "typed\n");
    expect(JSON.parse(result.stdout)).toEqual([["--flag", "a b"], "typed\n", 42]);
    expect(result.stderr).toBe("");
    expect(result.status).toBe(7);
  });

  it("names the TypeScript line in a stack trace", () => {
    const entry = write(
      "main.ts",
      'interface Unused { a: number }\n\nfunction inner(): never {\n  throw new Error("boom");\n}\ninner();\n',
    );
    const result = run(entry);
    expect(result.status).toBe(1);
    expect(result.stderr).toMatch(/inner .*main\.ts:4:9/);
  });

  it("says so when the entry does not exist or does not parse", () => {
    expect(run(join(folder, "none.ts"))).toMatchObject({ status: 3, stdout: "", stderr: expect.stringContaining("does not exist") });
    const broken = run(write("broken.ts", "const = 1;\n"));
    expect(broken).toMatchObject({ status: 3, stdout: "", stderr: expect.stringContaining("cannot be bundled") });
  });
});

describe("bundleTs", () => {
  it("keeps a bundle until one of its sources changes", async () => {
    const part = write("part.ts", "export const value = 1;\n");
    const entry = write("main.ts", 'import { value } from "./part.ts";\nexport const result: number = value;\n');
    const past = new Date(Date.now() - 60_000);
    utimesSync(part, past, past);
    utimesSync(entry, past, past);
    const first = await bundleTs(entry, join(folder, "out"));
    expect(await bundleTs(entry, join(folder, "out"))).toBe(first);
    writeFileSync(part, "export const value = 22;\n");
    const second = await bundleTs(entry, join(folder, "out"));
    expect(second).not.toBe(first);
    expect(await import(second)).toMatchObject({ result: 22 });
  });
});

describe("packages", () => {
  it("that npm did not install are not replaced by the command", () => {
    expect([isForeign(folder), whyStale(folder)]).toEqual([false, "node_modules is missing"]);
    mkdirSync(join(folder, "node_modules"));
    expect(isForeign(folder)).toBe(true);
    write("node_modules/.package-lock.json", "{}");
    expect(isForeign(folder)).toBe(false);
  });
});
