/** Where the repository and its build cache are, independently of the working directory. */
import { existsSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

/** Absolute path of the repository: also for a script that runs from a bundle. */
export const root = holderOf(dirname(fileURLToPath(import.meta.url)));

/**
 * Absolute path of what someone named in the folder that they called npm in; npm runs a script in the repository.
 * @param {string} path
 */
export const fromCaller = (path) => resolve(process.env.INIT_CWD ?? "", path);

/** Absolute path of the folder for everything that may be thrown away; `npm ci` empties it. */
export const cache = join(root, "node_modules", ".cache", "oriscope");

/** Absolute path of the build's record of what each chunk contains and loads. */
export const bundleReportFile = join(cache, "bundle.json");

/**
 * The nearest folder at or above one that is this package.
 * @param {string} folder
 * @returns {string}
 */
function holderOf(folder) {
  const parent = dirname(folder);
  if (parent === folder || (existsSync(join(folder, "package.json")) && existsSync(join(folder, "scripts", "lib")))) return folder;
  return holderOf(parent);
}
