/**
 * The real compiler's output for kernels, packed in `facts/FAMILY.json.gz`: `node scripts/facts.mjs unpack FAMILY FOLDER` writes the kernels and
 * `expected.json` to read or change, `… pack FAMILY FOLDER` packs a folder of them.
 */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
import { root } from "./lib/root.mjs";

const [what, family, folder] = process.argv.slice(2);
if ((what !== "unpack" && what !== "pack") || family === undefined || folder === undefined) {
  console.error("usage: node scripts/facts.mjs pack|unpack FAMILY FOLDER");
  process.exit(2);
}
const packed = join(root, "facts", `${family}.json.gz`);
if (what === "unpack") {
  /** @type {Record<string, string>} */
  const files = JSON.parse(gunzipSync(readFileSync(packed)).toString("utf8"));
  mkdirSync(folder, { recursive: true });
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
} else {
  const names = readdirSync(folder).sort();
  const files = Object.fromEntries(names.map((name) => [name, readFileSync(join(folder, name), "utf8")]));
  mkdirSync(join(root, "facts"), { recursive: true });
  writeFileSync(packed, gzipSync(JSON.stringify(files), { level: 9 }));
}
