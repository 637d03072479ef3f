/**
 * Fails if what the page loads at startup is too large, or contains what must be loaded later, or if a script is not ASCII. Needs a build.
 * Our own: it measures what `index.html` loads at once, which a list of files does not know.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { bundleReportFile, root } from "./lib/root.mjs";

/** @typedef {import("./vite/bundle-report.ts").ChunkReport} ChunkReport */

const limitBytes = 350 * 1024;
const lazyPackages = ["monaco-editor"];

if (!existsSync(bundleReportFile)) {
  console.error("check-size: no report of a build; run `npm run build` first");
  process.exit(1);
}
/** @type {ChunkReport[]} */
const chunks = JSON.parse(readFileSync(bundleReportFile, "utf8"));
const initial = initialChunks(chunks);
const problems = [];
let total = 0;
for (const chunk of initial) {
  const path = join(root, "dist", chunk.file);
  if (!existsSync(path)) {
    console.error(`check-size: the report names ${chunk.file}, which dist/ lacks; run \`npm run build\``);
    process.exit(1);
  }
  const bytes = gzipSync(readFileSync(path), { level: 9 }).length;
  total += bytes;
  console.log(`${kib(bytes).padStart(10)}  ${chunk.file}`);
  for (const name of chunk.packages) {
    if (lazyPackages.includes(name)) problems.push(`${chunk.file} contains ${name} and is loaded at once; import it dynamically`);
  }
}
console.log(`${kib(total).padStart(10)}  initial script, gzip; the limit is ${kib(limitBytes)}`);
if (total > limitBytes) problems.push(`the initial script is ${kib(total - limitBytes)} over its limit`);
// One character beyond Latin-1 makes V8 store the whole script with two bytes for each character.
const assets = join(root, "dist", "assets");
for (const name of readdirSync(assets).filter((file) => file.endsWith(".js"))) {
  if (readFileSync(join(assets, name)).some((byte) => byte > 0x7f))
    problems.push(`${name} is not ASCII; see \`charset\` in vite.config.ts`);
}
for (const problem of problems) console.error(`check-size: ${problem}`);
process.exit(problems.length > 0 ? 1 : 0);

/**
 * The entries of index.html, what they load immediately when they run, and everything those import statically.
 * @param {ChunkReport[]} all
 */
function initialChunks(all) {
  const byFile = new Map(all.map((chunk) => [chunk.file, chunk]));
  const reached = new Set(all.filter((chunk) => chunk.isEntry));
  // A set's iteration also visits what is added meanwhile.
  for (const chunk of reached) {
    for (const file of chunk.isEntry ? [...chunk.imports, ...chunk.dynamicImports] : chunk.imports) {
      const next = byFile.get(file);
      if (next !== undefined) reached.add(next);
    }
  }
  return [...reached];
}

/** @param {number} bytes */
function kib(bytes) {
  return `${(bytes / 1024).toFixed(1)} KiB`;
}
