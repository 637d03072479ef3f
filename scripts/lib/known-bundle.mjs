/** Finds the bundle of an entry while it is fresh. Imports little: each file more is a part of what a command takes to start. */
import { readFileSync, statSync } from "node:fs";
import { join, relative } from "node:path";
import { root } from "./root.mjs";

/** @typedef {{ bundle: string, node: string, inputs: [path: string, mtimeMs: number, size: number][] }} Manifest */

/**
 * What an entry's bundle and manifest are called.
 * @param {string} entry absolute path
 */
export function nameOf(entry) {
  return relative(root, entry)
    .replace(/\.[cm]?tsx?$/, "")
    .replace(/[^\w]+/g, "-");
}

/**
 * Path of the bundle; null when there is none, or one of its sources, the packages or Node are others now.
 * @param {string} entry absolute path
 * @param {string} folder where bundles are kept
 */
export function knownBundle(entry, folder) {
  const manifest = readManifest(join(folder, `${nameOf(entry)}.json`));
  // Another checkout may share this node_modules: its bundle is not ours.
  if (manifest === null || manifest.node !== process.version || !manifest.inputs.some(([path]) => path === entry)) return null;
  const bundle = join(folder, manifest.bundle);
  if (statSync(bundle, { throwIfNoEntry: false }) === undefined) return null;
  const fresh = manifest.inputs.every(([path, mtimeMs, size]) => {
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat !== undefined && stat.mtimeMs === mtimeMs && stat.size === size;
  });
  return fresh ? bundle : null;
}

/**
 * @param {string} file
 * @returns {Manifest | null}
 */
function readManifest(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return null; // Absent or cut short: build again.
  }
}
