import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { readList, release } from "./lib/engines.ts";

let folder = "";
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "oriscope release "));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** A built page with one engine, as far as a release looks at it. */
function page(name: string, engine: string, extra: readonly string[] = []): string {
  const top = join(folder, name);
  const files = [`assets/host-${engine}.js`, `assets/bril-${engine}.js`];
  const put = (file: string, text: string): void => {
    mkdirSync(dirname(join(top, file)), { recursive: true });
    writeFileSync(join(top, file), text);
  };
  for (const file of [...files, ...extra, "index.html"]) put(file, `${name} ${file}`);
  put("engines.json", JSON.stringify({ engines: [{ id: engine, version: name, files }] }));
  return top;
}

const ids = (top: string) => readList(top)?.map(({ id }) => id);

describe("a release", () => {
  it("keeps the engines of the pages before it, and nothing else of them", () => {
    const site = join(folder, "site");
    release(page("1.0", "aaaaaaaa", ["assets/page-1.js", "handbook/old.html"]), site);
    mkdirSync(join(site, ".git"));
    writeFileSync(join(site, ".git", "HEAD"), "x");
    const second = release(page("2.0", "bbbbbbbb", ["assets/page-2.js"]), site);
    expect(second).toMatchObject({ lost: [], removed: 2 });
    expect(ids(site)).toEqual(["bbbbbbbb", "aaaaaaaa"]);
    expect(readdirSync(join(site, "assets")).sort()).toEqual(
      ["bril-aaaaaaaa.js", "bril-bbbbbbbb.js", "host-aaaaaaaa.js", "host-bbbbbbbb.js", "page-2.js"].sort(),
    );
    expect(existsSync(join(site, "handbook"))).toBe(false);
    expect(existsSync(join(site, ".git", "HEAD"))).toBe(true);
    expect(readFileSync(join(site, "index.html"), "utf8")).toBe("2.0 index.html");
    // The same engine again is one engine; a page of later on still has the first.
    release(page("2.1", "bbbbbbbb"), site);
    release(page("3.0", "cccccccc"), site);
    expect(ids(site)).toEqual(["cccccccc", "bbbbbbbb", "aaaaaaaa"]);
  });

  it("says which engine is lost, and lists it no more", () => {
    const site = join(folder, "site");
    release(page("1.0", "aaaaaaaa"), site);
    rmSync(join(site, "assets", "bril-aaaaaaaa.js"));
    expect(release(page("2.0", "bbbbbbbb"), site).lost.map(({ id }) => id)).toEqual(["aaaaaaaa"]);
    expect(ids(site)).toEqual(["bbbbbbbb"]);
  });

  it("changes nothing in a folder of something else, or whose list cannot be read", () => {
    const site = join(folder, "home");
    mkdirSync(site);
    writeFileSync(join(site, "thesis.tex"), "years of work");
    expect(() => release(page("1.0", "aaaaaaaa"), site)).toThrow("nothing was changed");
    expect(readdirSync(site)).toEqual(["thesis.tex"]);
    writeFileSync(join(site, "engines.json"), '{"engines":[{"id":"x","version":"1","files":["../../etc/passwd"]}]}');
    expect(() => release(page("1.0", "aaaaaaaa"), site)).toThrow("is not a list of engines");
    expect(readdirSync(site).sort()).toEqual(["engines.json", "thesis.tex"]);
  });
});
