import { readFileSync } from "node:fs";
import { join } from "node:path";
import { strFromU8, strToU8, unzipSync } from "fflate";
import { describe, expect, it } from "vitest";
import { cli } from "../../../cli/testing/cli.ts";
import { encodeState } from "../link/lab-state.ts";
import { packFiles, zipOf } from "./pack.ts";

const root = join(import.meta.dirname, "../../../..");
const PAGE = new Map(
  Object.entries({
    "index.html": `<head><link rel="manifest" href="./a.webmanifest" /><script async type="module" crossorigin src="./assets/index-AbCd.js"></script></head>`,
    "assets/index-AbCd.js": `import("./page-XyZ_.js"); new URL("host-QQ.js", import.meta.url)`,
    "assets/page-XyZ_.js": "export {}",
    "assets/host-QQ.js": "",
    "assets/page-aa.css": `@font-face{font-family:"Inter";src:url(./inter-ZZ.woff2)}body{color:red}`,
    "assets/inter-ZZ.woff2": "font",
    "sw.js": "worker",
    "oriscope.webmanifest": "{}",
    "icon.svg": "<svg/>",
  }).map(([name, text]) => [name, strToU8(text)] as const),
);
const LAB = { id: "cfg-1", title: "Blocks & <edges>", version: 2, text: "---\ntitle: </script>\n---\n" };

describe("a package of a lab", () => {
  it("holds only what course systems serve, under names without capitals, and a manifest that lists them", () => {
    const files = unzipSync(zipOf(packFiles(PAGE, LAB, "1.2", "2026")));
    const names = Object.keys(files).sort();
    expect(names).toEqual([
      "assets/host-qq.js",
      "assets/index-abcd.js",
      "assets/page-aa.css",
      "assets/page-xyz_.js",
      "icon.svg",
      "imsmanifest.xml",
      "index.html",
      "lab.js",
    ]);
    const text = (name: string): string => strFromU8(files[name] ?? new Uint8Array(0));
    expect(text("assets/index-abcd.js")).toBe(`import("./page-xyz_.js"); new URL("host-qq.js", import.meta.url)`);
    expect(text("assets/page-aa.css")).toBe("body{color:red}");
    expect(text("index.html")).toMatch(
      /<head><script src="\.\/lab\.js"><\/script>\s+<script async type="module" crossorigin src="\.\/assets\/index-abcd\.js">/,
    );
    const manifest = text("imsmanifest.xml");
    for (const name of names.filter((n) => n !== "imsmanifest.xml")) expect(manifest).toContain(`<file href="${name}"/>`);
    expect(manifest).toContain("<schemaversion>1.2</schemaversion>");
    expect(manifest).toContain('adlcp:scormtype="sco" href="index.html"');
    expect(manifest.match(/<title>Blocks &amp; &lt;edges&gt;<\/title>/g)).toHaveLength(2);
    expect(text("lab.js")).toContain('"id":"lab-cfg-1-2","scorm":"1.2"');
    expect(zipOf(packFiles(PAGE, LAB, "1.2", "2026"))).toEqual(zipOf(packFiles(PAGE, LAB, "1.2", "2026")));
  });

  it("of the second edition says so; a folder has no manifest", () => {
    const manifest = strFromU8(packFiles(PAGE, LAB, "2004", "").get("imsmanifest.xml") ?? new Uint8Array(0));
    expect(manifest).toContain("2004 4th Edition");
    expect(manifest).toContain('adlcp:scormType="sco"');
    expect(manifest).toContain('completionSetByContent="true" objectiveSetByContent="true"');
    expect(packFiles(PAGE, LAB, "none", "").has("imsmanifest.xml")).toBe(false);
    expect(() => packFiles(new Map(), LAB, "1.2", "")).toThrow("index.html");
  });
});

describe("oriscope grade --suspend", () => {
  const lab = readFileSync(join(root, "labs/01-blocks-and-orders.md"), "utf8");
  const solved = JSON.parse(readFileSync(join(root, "labs/solutions/01-blocks-and-orders.json"), "utf8")) as Record<string, unknown>;

  it("grades what a course system kept again, and lists where the page had counted otherwise", async () => {
    const state = (handIn: Record<string, unknown>): string => encodeState(handIn, 4096)?.text ?? "";
    const wrong = { ...solved, points: 3 };
    const csv = `name,element,value\nAda,cmi.suspend_data,${state(solved)}\nBob,cmi.suspend_data,${state(wrong)}\nEve,cmi.suspend_data,o1.damaged-text\n`;
    const { code, out, err } = await cli("grade lab.md tracks.csv --suspend --json", { "lab.md": lab, "tracks.csv": csv });
    expect(code).toBe(1);
    const { results } = JSON.parse(out) as {
      readonly results: readonly { readonly file: string; readonly points: number; readonly status: string }[];
    };
    expect(results.map((r) => `${r.file} ${r.status} ${r.points}`)).toEqual([
      "tracks.csv#1 graded 18",
      "tracks.csv#2 graded 18",
      "tracks.csv#3 error 0",
    ]);
    expect(err).toContain("tracks.csv#2: the page counted 3 points, the grade is 18");
  });
});
