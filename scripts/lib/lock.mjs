/** One process at a time: two commands started together must not install or build into the same folder at the same time. */
import { createHash } from "node:crypto";
import { readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "./root.mjs";

const POLL_MS = 250;
/** A lock file without a number in it is one that is just being written, or was never finished. */
const YOUNG_MS = 5_000;

/**
 * Runs `work` while holding the lock `name` of this checkout; waits for another process that holds it, and takes it over from one
 * that has ended. Synchronous, as the commands that use it are.
 * @param {string} name
 * @param {() => void} work
 */
export function alone(name, work) {
  // Outside of the checkout: an installation empties node_modules, a build empties dist.
  const file = join(tmpdir(), `oriscope-${createHash("sha256").update(root).digest("hex").slice(0, 16)}-${name}.lock`);
  let said = false;
  while (!take(file)) {
    if (abandoned(file)) {
      rmSync(file, { force: true });
      continue;
    }
    if (!said) console.error(`Waiting for another command of this checkout (${name}) …`);
    said = true;
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_MS);
  }
  const drop = () => rmSync(file, { force: true });
  // `work` may end the process.
  process.once("exit", drop);
  try {
    work();
  } finally {
    process.removeListener("exit", drop);
    drop();
  }
}

/** @param {string} file */
function take(file) {
  try {
    writeFileSync(file, String(process.pid), { flag: "wx" });
    return true;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "EEXIST") return false;
    throw error;
  }
}

/**
 * Whether the process that holds a lock is gone.
 * @param {string} file
 */
function abandoned(file) {
  try {
    const pid = Number(readFileSync(file, "utf8"));
    if (!(pid > 0)) return Date.now() - statSync(file).mtimeMs > YOUNG_MS;
    process.kill(pid, 0);
    return false;
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : null;
    // Released meanwhile: not abandoned, and free for the next try. EPERM: it lives, and belongs to another user.
    return code === "ESRCH";
  }
}
