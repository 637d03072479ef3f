/**
 * `npm run release -- FOLDER`: builds the page and puts it into the folder that a host serves. Engines of earlier releases stay there, so
 * that links made with them open with them.
 */

import { join } from "node:path";
import { messageOf } from "../src/base/errors.ts";
import { ensureBuilt } from "./lib/build.mjs";
import { release } from "./lib/engines.ts";
import { fromCaller, root } from "./lib/root.mjs";

const [folder, ...rest] = process.argv.slice(2);
if (folder === undefined || folder.startsWith("-") || rest.length > 0) {
  console.error("usage: npm run release -- FOLDER");
  process.exit(2);
}
ensureBuilt();
try {
  const { engines, lost, removed } = release(join(root, "dist"), fromCaller(folder));
  for (const { id, version } of lost) console.error(`release: the files of engine ${version} (${id}) are gone; it is no longer listed`);
  console.log(
    `${folder} contains the page and ${engines.length === 1 ? "its engine" : `${engines.length} engines`}; ${removed} files of the former page were removed.`,
  );
} catch (error) {
  console.error(`release: ${messageOf(error)}`);
  process.exit(1);
}
