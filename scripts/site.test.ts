import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, posix } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { PASSES } from "../src/engine/passes/registry.ts";
import { decodeLab } from "../src/features/labs/link/lab-link.ts";
import { decodeLink } from "../src/links/link-codec.ts";
import { writeSite } from "./lib/site/site.ts";
import { wayTo } from "./lib/site/template.ts";

const ADDRESS = "https://example.org/tools/oriscope/";
let top = "";

/** A built page, as far as the site looks at it. */
function built(folder: string): string {
  const files = {
    "index.html": '<html><head><meta name="description" content="A &quot;page&quot;" /></head></html>',
    "sw.js": '[{"url":"index.html","revision":"0123"}]',
    "embed.js": "",
    "icon.svg": "",
    ".sources": "not for the host",
  };
  mkdirSync(folder);
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

const read = (path: string): string => readFileSync(join(top, "site", path), "utf8");
const pages = (): string[] =>
  readdirSync(join(top, "site"), { recursive: true, encoding: "utf8" })
    .map((file) => file.replaceAll("\\", "/"))
    .filter((file) => file.startsWith("handbook/") && file.endsWith(".html"));
const attributes = (html: string, name: string): string[] =>
  [...html.matchAll(new RegExp(` ${name}="([^"]*)"`, "g"))].map(([, value = ""]) =>
    value.replace(/&#(\d+);/g, (_, c) => String.fromCharCode(c)),
  );

beforeAll(async () => {
  top = mkdtempSync(join(tmpdir(), "oriscope site "));
  await writeSite(built(join(top, "dist")), join(top, "site"), ADDRESS);
});
afterAll(() => rmSync(top, { recursive: true, force: true }));

describe("the site", () => {
  it("has a page for every phase, each with its rules and a program to step through", () => {
    for (const { family, pseudocode, summary } of PASSES) {
      const html = read(`handbook/phases/${family}.html`);
      expect(html.match(/class="line"/g)).toHaveLength(pseudocode.length);
      expect(attributes(html, "content")).toContain(summary);
      expect(html).toContain("<oriscope-view");
    }
  });

  it("has every lab of the course to read, with its tasks, its file and a link that opens it", async () => {
    const index = read("handbook/labs/index.html");
    const files = readdirSync(new URL("../labs", import.meta.url)).filter((file) => file.endsWith(".md"));
    expect(files.length).toBeGreaterThan(5);
    for (const file of files) {
      const html = read(`handbook/labs/${file.replace(/md$/, "html")}`);
      const text = read(`handbook/labs/${file}`);
      expect(index).toContain(`href="${file.replace(/md$/, "html")}"`);
      const link = attributes(html, "href").find((href) => href.startsWith("../../#lab="));
      expect(await decodeLab(link?.slice(link.indexOf("#")) ?? "")).toMatchObject({ ok: true, text: text.trimEnd() });
      // Every task is shown, and no answer is revealed: explanations and solutions stay in the file and with the teacher.
      expect(html.match(/<section><h3>/g)).toHaveLength(text.match(/^```task /gm)!.length);
      for (const [, explain = ""] of text.matchAll(/^explain: (\w[^\n]{30,})$/gm)) expect(html).not.toContain(explain);
      expect(html).not.toMatch(/href="(?:phase|moment|say|opcode|knob):/);
    }
  });

  it("leads nowhere that is not there, in any folder of any host", async () => {
    let links = 0;
    for (const path of pages()) {
      const html = read(path);
      for (const href of [...attributes(html, "href"), ...attributes(html, "src")]) {
        if (/^https?:/.test(href)) continue;
        links++;
        expect(href, path).not.toMatch(/^\//);
        const [address = "", hash = ""] = href.split("#");
        const [file = "", query] = address.split("?");
        if (query !== undefined) expect(query, path).toMatch(/^handbook=(api|phase|structure|field|condition|opcode|knob)%3A/);
        const target = file === "" ? path : posix.join(posix.dirname(path), file);
        const there = join(top, "site", target.endsWith("/") || target === "." ? posix.join(target, "index.html") : target);
        expect(existsSync(there), `${path} → ${href}`).toBe(true);
        if (hash.startsWith("v1.")) expect((await decodeLink(hash)).ok, `${path} → ${href}`).toBe(true);
        else if (hash !== "" && !hash.startsWith("lab="))
          expect(attributes(readFileSync(there, "utf8"), "id"), `${path} → ${href}`).toContain(hash);
      }
    }
    expect(links).toBeGreaterThan(300);
  });

  it("names every page once, in its title, its address and the sitemap", () => {
    const titles = pages().map((path) => /<title>(.*)<\/title>/.exec(read(path))?.[1]);
    expect(new Set(titles).size).toBe(titles.length);
    expect(titles.every((title) => title !== undefined && !title.startsWith(" "))).toBe(true);
    for (const path of pages()) expect(attributes(read(path), "content").filter((text) => text === "")).toEqual([]);
    const listed = [...read("sitemap.xml").matchAll(/<loc>(.*)<\/loc>/g)].map(([, loc]) => loc);
    expect(listed.sort()).toEqual([ADDRESS, ...pages().map((path) => `${ADDRESS}${path}`)].sort());
    expect(attributes(read("handbook/index.html"), "content")).toContain(`${ADDRESS}social.png`);
  });

  it("tells the page of its handbook, and its service worker of the change", () => {
    expect(read("index.html")).toContain('<link rel="help" href="./handbook/index.html">');
    expect(read("index.html")).toContain('<meta property="og:description" content="A &#34;page&#34;">');
    expect(read("sw.js")).not.toContain("0123");
    expect(existsSync(join(top, "site", ".sources"))).toBe(false);
  });

  it.each([
    ["handbook/index.html", "", "../"],
    ["handbook/phases/a.html", "handbook/handbook.css", "../handbook.css"],
    ["handbook/phases/a.html", "handbook/phases/b.html", "b.html"],
    ["handbook/a.html", "handbook/phases/b.html", "phases/b.html"],
  ])("the way from %s to '%s' is %s", (from, to, way) => expect(wayTo(from, to)).toBe(way));
});
