/** Where the repository and its build cache are, whatever directory a script was started from. */
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository. */
export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));

/** Absolute path of the folder for everything that may be thrown away; `npm ci` empties it. */
export const cache = join(root, "node_modules", ".cache", "oriscope");

/** Absolute path of the build's record of what each chunk holds and loads. */
export const bundleReportFile = join(cache, "bundle.json");
