import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isCurrent } from "./lib/command.mjs";
import { isForeign, whyStale } from "./lib/install.mjs";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "command-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** `age` in seconds: of the file, and of its folder unless that is left as it is. */
function write(name: string, age: number): string {
  const path = join(folder, name);
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, "");
  setAge(path, age);
  return path;
}

function setAge(path: string, age: number): void {
  const time = Date.now() / 1000 - age;
  utimesSync(path, time, time);
}

describe("the command's bundle", () => {
  it("is current until a source is written, added or removed; tests and other texts do not count", () => {
    const sources = [join(folder, "src"), join(folder, "lock.json")];
    write("lock.json", 60);
    const part = write("src/part.ts", 60);
    const parts = dirname(part);
    setAge(parts, 60);
    const bundle = write("main.mjs", 30);
    expect(isCurrent(bundle, sources)).toBe(true);
    write("src/part.test.ts", 10);
    write("src/README.md", 10);
    setAge(parts, 60);
    expect(isCurrent(bundle, sources)).toBe(true);
    setAge(part, 10);
    expect(isCurrent(bundle, sources)).toBe(false);
    setAge(part, 60);
    expect(isCurrent(bundle, sources)).toBe(true);
    for (const name of ["src/player.css", "src/kept.json", "src/meter.mjs"]) {
      const other = write(name, 10);
      setAge(parts, 60);
      expect(isCurrent(bundle, sources), name).toBe(false);
      setAge(other, 60);
    }
    expect(isCurrent(bundle, sources)).toBe(true);
    rmSync(part);
    expect(isCurrent(bundle, sources)).toBe(false);
    setAge(parts, 60);
    setAge(join(folder, "lock.json"), 10);
    expect(isCurrent(bundle, sources)).toBe(false);
    expect(isCurrent(join(folder, "none.mjs"), [])).toBe(false);
  });
});

describe("packages", () => {
  it("that npm did not install are not replaced by the command", () => {
    expect([isForeign(folder), whyStale(folder)]).toEqual([false, "node_modules is missing"]);
    mkdirSync(join(folder, "node_modules"));
    expect(isForeign(folder)).toBe(true);
    write("node_modules/.package-lock.json", 0);
    expect(isForeign(folder)).toBe(false);
  });
});
