import { chmodSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { replaceFile } from "./replace-file.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "oriscope-replace-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

describe("a file that is replaced", () => {
  it("has the new content and the old one's rights, and a link still names it", () => {
    const [file, link] = [join(folder, "a"), join(folder, "b")];
    writeFileSync(file, "old");
    chmodSync(file, 0o600);
    symlinkSync(file, link);
    replaceFile(link, "new");
    expect(readFileSync(file, "utf8")).toBe("new");
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder)).toEqual(["a", "b"]);
  });

  it("stays where the new one cannot be written whole, and nothing is left beside it", () => {
    const file = join(folder, "a");
    writeFileSync(file, "old");
    // Whatever fails while writing: here a content that is none.
    expect(() => replaceFile(file, 5 as unknown as string)).toThrow();
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["a"]);
  });

  it.skipIf(!existsSync("/dev/null"))("is written in place where it is a device", () => {
    replaceFile("/dev/null", "x");
    expect(statSync("/dev/null").isCharacterDevice()).toBe(true);
  });
});
