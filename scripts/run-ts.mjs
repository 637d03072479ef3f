/**
 * Runs a TypeScript entry of this repository: `node scripts/run-ts.mjs [--caller-cwd] ENTRY [ARGS…]`.
 * ENTRY is relative to the repository. The entry runs in this very process, so standard input, signals and the exit
 * code are its own; the launcher prints nothing on stdout. `--caller-cwd` runs it in the directory npm was called from.
 */
import { existsSync } from "node:fs";
import { join, relative, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { knownBundle } from "./lib/known-bundle.mjs";
import { cache, root } from "./lib/root.mjs";

const notRunnable = 3;
const args = process.argv.slice(2);
const callerCwd = args[0] === "--caller-cwd";
if (callerCwd) args.shift();
const name = args.shift();
if (name === undefined) fail("usage: node scripts/run-ts.mjs [--caller-cwd] ENTRY [ARGS…]");
const entry = resolve(root, name);
if (!existsSync(entry)) fail(`run-ts: ${relative(root, entry)} does not exist`);

const bundle = knownBundle(entry, join(cache, "run")) ?? (await made());

process.argv = [process.argv[0] ?? "node", bundle, ...args];
const caller = process.env.INIT_CWD;
if (callerCwd && caller !== undefined && process.env.npm_lifecycle_event !== undefined) process.chdir(caller);
process.setSourceMapsEnabled(true);
await import(pathToFileURL(bundle).href);

async function made() {
  (await import("./lib/install.mjs")).ensureOwnInstalled();
  const { bundleTs } = await import("./lib/bundle-ts.mjs");
  return bundleTs(entry).catch((/** @type {unknown} */ error) => {
    fail(`run-ts: ${relative(root, entry)} cannot be bundled\n${error instanceof Error ? error.message : String(error)}`);
  });
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  console.error(message);
  process.exit(notRunnable);
}
