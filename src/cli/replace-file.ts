/** Writes a file atomically: next to the existing one, which it then replaces. */

import { chmodSync, realpathSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";

export function replaceFile(path: string, content: string | Uint8Array): void {
  const there = statSync(path, { throwIfNoEntry: false });
  if (there !== undefined && !there.isFile()) {
    // A device or a pipe.
    writeFileSync(path, content);
    return;
  }
  // A symbolic link still points to the file.
  const target = there === undefined ? path : realpathSync(path);
  const beside = `${target}.${process.pid}.tmp`;
  try {
    writeFileSync(beside, content, { flag: "wx" });
    if (there !== undefined) chmodSync(beside, there.mode);
    renameSync(beside, target);
  } catch (error) {
    rmSync(beside, { force: true });
    throw error;
  }
}
