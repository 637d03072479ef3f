/** Builds the page when its sources changed since the last build. */
import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./install.mjs";
import { alone } from "./lock.mjs";
import { bundleReportFile, root } from "./root.mjs";

const sources = [
  "index.html",
  "package-lock.json",
  "vite.config.ts",
  "tsconfig.base.json",
  "scripts/vite",
  "scripts/generate",
  "scripts/lib/engines.ts",
  "public",
  "labs",
  "passes",
  "examples",
  "src",
];
const dist = join(root, "dist");
// Inside dist, so that any other build, which empties the folder, also forgets what this one was made from.
const stampFile = join(dist, ".sources");

/** Makes dist/ current, with the packages of the lock file. Messages go to stderr; ends the process when the build fails. */
export function ensureBuilt() {
  ensureInstalled();
  if (!isBuilt(hashSources())) alone("build", build);
}

/** @param {string} stamp */
function isBuilt(stamp) {
  const complete = [join(dist, "index.html"), bundleReportFile, stampFile].every((file) => existsSync(file));
  return complete && readFileSync(stampFile, "utf8") === stamp;
}

function build() {
  const stamp = hashSources();
  // Another command may have done it meanwhile.
  if (isBuilt(stamp)) return;
  console.error("Building …");
  const result = spawnSync(process.execPath, [join(root, "node_modules", "vite", "bin", "vite.js"), "build", "--logLevel", "warn"], {
    cwd: root,
    stdio: ["ignore", 2, 2],
  });
  if (result.status !== 0) {
    console.error("The build failed.");
    process.exit(1);
  }
  writeFileSync(stampFile, stamp);
}

function hashSources() {
  const hash = createHash("sha256").update(process.version);
  for (const path of sources.flatMap((source) => filesUnder(source))) {
    hash.update(`\0${path}\0`).update(readFileSync(join(root, path)));
  }
  return hash.digest("hex");
}

/**
 * Files at or under a path relative to the repository, sorted; without tests, which are not in the page, and what is generated of the others.
 * @param {string} start
 */
function filesUnder(start) {
  const files = [];
  const open = [start];
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const entries = existsSync(join(root, path)) ? listing(join(root, path)) : [];
    if (entries === null) files.push(path);
    else open.push(...entries.map((name) => `${path}/${name}`));
  }
  return files.filter((path) => !/\.(?:test|generated)\.tsx?$/.test(path)).sort();
}

/**
 * Names in a folder, or null when the path is a file.
 * @param {string} path
 */
function listing(path) {
  try {
    return readdirSync(path);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOTDIR") return null;
    throw error;
  }
}
