/** Brings node_modules in line with package-lock.json. Uses Node's built-ins only: it runs before anything is installed. */
import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { alone } from "./lock.mjs";
import { root } from "./root.mjs";

const oldestNode = [20, 19];

/**
 * Installs with `npm ci` if a package is missing or its version differs from the lock file.
 * Everything it prints goes to stderr. Ends the process when the installation fails.
 */
export function ensureInstalled() {
  requireNode();
  if (whyStale(root) !== null) alone("install", install);
}

/**
 * For the command: as `ensureInstalled`, but a node_modules that npm has not made is left alone. `npm ci` empties it first, and it may
 * contain links to another checkout.
 */
export function ensureOwnInstalled() {
  if (isForeign(root)) {
    console.error(
      "node_modules was not made by npm (it has no .package-lock.json). To replace it with what package-lock.json names: npm ci",
    );
    process.exit(1);
  }
  ensureInstalled();
}

/**
 * @param {string} folder
 */
export function isForeign(folder) {
  return existsSync(join(folder, "node_modules")) && !existsSync(join(folder, "node_modules", ".package-lock.json"));
}

function install() {
  // Another command may have done it meanwhile.
  const reason = whyStale(root);
  if (reason === null) return;
  console.error(`Installing packages (${reason}) …`);
  const args = ["ci", "--include=dev", "--include=optional", "--no-audit", "--no-fund"];
  const cli = process.env.npm_execpath;
  const viaNode = cli !== undefined && /npm-cli\.[cm]?js$/.test(cli);
  const command = viaNode ? process.execPath : "npm";
  const result = spawnSync(command, viaNode ? [cli, ...args] : args, {
    cwd: root,
    stdio: ["ignore", 2, 2],
    shell: !viaNode && process.platform === "win32",
  });
  if (result.status === 0) return;
  console.error(
    result.error === undefined ? "npm ci failed: see its messages above." : `npm could not be started: ${result.error.message}`,
  );
  process.exit(1);
}

/**
 * Why node_modules under `folder` does not match its lock file, or null when it does.
 * npm keeps its own record of what it installed; packages that are optional (other platforms' binaries) may be absent.
 * @param {string} folder
 */
export function whyStale(folder) {
  const record = join(folder, "node_modules", ".package-lock.json");
  if (!existsSync(record)) return "node_modules is missing";
  const wanted = packagesOf(join(folder, "package-lock.json"));
  const present = packagesOf(record);
  for (const [path, entry] of Object.entries(wanted)) {
    if (path === "" || entry.optional === true) continue;
    const found = present[path];
    if (found === undefined || !existsSync(join(folder, path))) return `${path} is missing`;
    if (found.version !== entry.version) return `${path} is ${found.version}, the lock file names ${entry.version}`;
  }
  return null;
}

/**
 * @param {string} file
 * @returns {Record<string, { version?: string, optional?: boolean }>}
 */
function packagesOf(file) {
  return JSON.parse(readFileSync(file, "utf8")).packages ?? {};
}

function requireNode() {
  const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
  const [wantMajor = 0, wantMinor = 0] = oldestNode;
  if (major > wantMajor || (major === wantMajor && minor >= wantMinor)) return;
  console.error(`Oriscope needs Node ${oldestNode.join(".")} or newer; this is ${process.versions.node}.`);
  process.exit(1);
}
