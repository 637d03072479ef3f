/** Checks the arrows between the layers under src/: prints each violation as file:line and exits 1. */
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { checkFile } from "./lib/layers.ts";
import { root } from "./lib/root.mjs";

const files = readdirSync(join(root, "src"), { recursive: true, encoding: "utf8" })
  .map((path) => `src/${path.replaceAll("\\", "/")}`)
  .filter((path) => /(?<!\.generated)\.tsx?$/.test(path))
  .sort();
const violations = files.flatMap((file) => checkFile(file, readFileSync(join(root, file), "utf8")));
for (const { file, line, message } of violations) console.error(`${file}:${line}: ${message}`);
console.log(`${files.length} files, ${violations.length} layer violations`);
if (violations.length > 0)
  console.error("Import what the file's row in scripts/lib/layers.ts names, or move what both need to a layer below.");
process.exit(violations.length > 0 ? 1 : 0);
