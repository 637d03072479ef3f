/**
 * Fails when the documents drifted: a generated part differs from what the code says now (`npm run docs` rewrites it),
 * a relative link in a Markdown file leads nowhere, or a merge left its markers.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./lib/root.mjs";

let failed = false;

const generator = join("scripts", "docs.ts");
if (existsSync(join(root, generator))) {
  const result = spawnSync(process.execPath, [join(root, "scripts", "run-ts.mjs"), generator, "--check"], { cwd: root, stdio: "inherit" });
  failed ||= result.status !== 0;
} else {
  console.log(`${generator} does not exist yet: no generated documents to compare`);
}

const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...markdownUnder("docs"), ...markdownUnder("src")];
let links = 0;
for (const document of documents.filter((path) => existsSync(join(root, path)))) {
  const lines = withoutCode(readFileSync(join(root, document), "utf8")).split("\n");
  for (const [index, line] of lines.entries()) {
    if (/^(<{7}|>{7}) /.test(line)) {
      console.error(`${document}:${index + 1}: a merge left its marker here`);
      failed = true;
    }
    for (const [, address = ""] of line.matchAll(/\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g)) {
      if (/^[a-z][a-z0-9+.-]*:|^#/i.test(address)) continue;
      links++;
      const target = join(root, dirname(document), decodeURIComponent(address.replace(/[#?].*$/, "")));
      if (existsSync(target)) continue;
      console.error(`${document}:${index + 1}: the link to ${address} leads nowhere`);
      failed = true;
    }
  }
}
console.log(`${documents.length} documents, ${links} relative links`);
process.exit(failed ? 1 : 0);

/** @param {string} folder */
function markdownUnder(folder) {
  if (!existsSync(join(root, folder))) return [];
  return readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
    .map((path) => `${folder}/${path.replaceAll("\\", "/")}`)
    .filter((path) => path.endsWith(".md") && !path.endsWith(".expect.md"))
    .sort();
}

/**
 * The text with fenced and inline code blanked; lines keep their numbers.
 * @param {string} text
 */
function withoutCode(text) {
  return text.replace(/^(```|~~~)[\s\S]*?^\1/gm, (block) => block.replace(/[^\n]/g, "")).replace(/`[^`\n]*`/g, "");
}
