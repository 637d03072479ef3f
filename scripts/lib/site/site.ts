/** The whole site in one folder: the built page, the handbook next to it, and what other sites and search engines read. */
import { createHash } from "node:crypto";
import { copyFileSync, cpSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { root } from "../root.mjs";
import { handbook } from "./handbook.ts";
import { labFiles } from "./labs.ts";
import { pageHtml, sitemap, socialTags } from "./template.ts";

/** `address`: where the site will be, ending in `/`; null: not known. */
export async function writeSite(page: string, folder: string, address: string | null): Promise<{ readonly pages: number }> {
  cpSync(page, folder, { recursive: true, filter: (file) => file === page || !basename(file).startsWith(".") });
  const pages = await handbook();
  for (const one of pages) {
    const file = join(folder, one.path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, pageHtml(one, address));
  }
  copyFileSync(join(root, "scripts", "lib", "site", "handbook.css"), join(folder, "handbook", "handbook.css"));
  for (const file of labFiles()) copyFileSync(join(root, "labs", file), join(folder, "handbook", "labs", file));
  copyFileSync(join(root, "docs", "trace.schema.json"), join(folder, "handbook", "trace.schema.json"));
  introduce(folder, address);
  if (address !== null) writeFileSync(join(folder, "sitemap.xml"), sitemap(["", ...pages.map(({ path }) => path)], address));
  return { pages: pages.length };
}

/** Tells the page where its handbook is, and other sites what the page is. Its service worker must be updated as well. */
function introduce(folder: string, address: string | null): void {
  const file = join(folder, "index.html");
  const before = readFileSync(file, "utf8");
  const said = /<meta name="description" content="([^"]*)"/.exec(before)?.[1] ?? "";
  const plain = said
    .replaceAll("&quot;", '"')
    .replaceAll("&#39;", "'")
    .replaceAll("&lt;", "<")
    .replaceAll("&gt;", ">")
    .replaceAll("&amp;", "&");
  const tags = `${socialTags("Oriscope", plain, address, "")}\n<link rel="help" href="./handbook/index.html">\n`;
  const after = before.replace("</head>", () => `${tags}</head>`);
  writeFileSync(file, after);
  const worker = join(folder, "sw.js");
  const listed = /("url":"index\.html","revision":)"\w+"/;
  const script = readFileSync(worker, "utf8");
  if (!listed.test(script)) throw new Error("sw.js does not list index.html");
  const revision = createHash("sha256").update(after).digest("hex").slice(0, 16);
  writeFileSync(worker, script.replace(listed, `$1"${revision}"`));
}
