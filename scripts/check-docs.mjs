/**
 * Fails when the documents drifted: a generated part differs from what the code says now (`npm run docs` rewrites it),
 * a relative link in a Markdown file leads nowhere, a merge left its markers, or a sentence uses words that CONTRIBUTING.md replaces.
 */
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./lib/root.mjs";

const generated = spawnSync(process.execPath, ["--import", "tsx", join("scripts", "docs.ts"), "--check"], { cwd: root, stdio: "inherit" });
let failed = generated.status !== 0;

const documents = ["README.md", "ARCHITECTURE.md", "CONTRIBUTING.md", ...markdownUnder("docs"), ...markdownUnder("src")];
/** Documents that quote the words: the list itself, and comments of the code. */
const QUOTES = new Set(["CONTRIBUTING.md", "docs/api.md"]);
/**
 * The clear cases of the word list in CONTRIBUTING.md: what is found, and what to write.
 * @type {readonly (readonly [RegExp, string])[]}
 */
const WORDS = [
  [/\bwhat one (does|has|sees)\b/i, "name who does it, or 'you'"],
  [/\bwhoever\b|\bsomebody\b|\beverybody\b/i, "anyone, a user, everyone"],
  [/\bcomes? to stand\b|\bstands? (twice|at the end)\b/i, "is at, occurs"],
  [/\b(falls?|fell) away\b/i, "is removed"],
  [/\bways (out|into?)\b/i, "successors, predecessors"],
  [/\b(is|are|was|were) made small\b/i, "is minimized"],
  [/\bof one's own\b/i, "your own, user-defined"],
  [/\b(is|are) asked (of|for)\b/i, "is checked, is requested"],
  [/\blanes (part|meet)\b/i, "diverge, reconverge"],
  [/\b(at|in) hand\b/i, "current"],
];
let links = 0;
for (const document of documents) {
  const lines = withoutCode(readFileSync(join(root, document), "utf8")).split("\n");
  for (const [index, line] of lines.entries()) {
    if (/^(<{7}|>{7}) /.test(line)) {
      console.error(`${document}:${index + 1}: a merge left its marker here`);
      failed = true;
    }
    if (!QUOTES.has(document))
      for (const [pattern, instead] of WORDS) {
        const found = pattern.exec(line)?.[0];
        if (found === undefined) continue;
        console.error(`${document}:${index + 1}: '${found}': write ${instead} (the word list of CONTRIBUTING.md)`);
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
