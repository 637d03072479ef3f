/**
 * The command's bundle in a checkout: Node 20 cannot run TypeScript, and `tsx` takes a second to load 700 files.
 * Imports little: each additional file lengthens the start of the command.
 */
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync, statSync } from "node:fs";
import { dirname, join } from "node:path";
import { root } from "./root.mjs";

const notRunnable = 3;

/** The name of the bundle, which is next to it. In the checkout itself: a different checkout may share its node_modules. */
export const commandBundle = join(root, "dist-cli", "current");

/** The bundle's inputs, including everything in folders; the last is npm's record of the packages, which stay imports. */
const SOURCES = ["src", "passes", "scripts/generate", "scripts/lib/bundle.ts", "package-lock.json", "node_modules/.package-lock.json"].map(
  (path) => join(root, path),
);

/** Path of the bundle, which is rebuilt first if a source has changed. Ends the process when it cannot be built. */
export async function currentBundle() {
  if (isCurrent(commandBundle, SOURCES)) return named();
  const { ensureOwnInstalled } = await import("./install.mjs");
  const { alone } = await import("./lock.mjs");
  ensureOwnInstalled();
  alone("command", () => {
    // Another process may have made it meanwhile.
    if (isCurrent(commandBundle, SOURCES)) return;
    const made = spawnSync(process.execPath, ["--import", "tsx", join(root, "scripts", "build-command.ts")], {
      cwd: root,
      stdio: ["ignore", 2, 2],
    });
    if (made.status !== 0) process.exit(notRunnable);
  });
  return named();
}

/** The name has a hash, so the threads that a long run starts later run the same version. */
const named = () => join(dirname(commandBundle), readFileSync(commandBundle, "utf8"));

/**
 * Whether no source was written, added or removed since those of the bundle were read: its time is that.
 * @param {string} bundle
 * @param {readonly string[]} sources files and folders
 */
export function isCurrent(bundle, sources) {
  const made = statSync(bundle, { throwIfNoEntry: false })?.mtimeMs ?? Number.NEGATIVE_INFINITY;
  const open = [...sources];
  for (const path of open) {
    const found = statSync(path, { throwIfNoEntry: false });
    if (found === undefined || found.mtimeMs >= made) return false;
    if (!found.isDirectory()) continue;
    for (const entry of readdirSync(path, { withFileTypes: true }))
      if (entry.isDirectory() || /(?<!\.(?:test|generated))\.(?:tsx?|mjs|json|css)$/.test(entry.name)) open.push(join(path, entry.name));
  }
  return Number.isFinite(made);
}
