/** Makes the bundle that the command runs in a checkout (`scripts/lib/command.mjs`). */
import { readdirSync, renameSync, rmSync, statSync, utimesSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { messageOf } from "../src/base/errors.ts";
import { generate } from "./generate/modules.ts";
import { bundleForNode } from "./lib/bundle.ts";
import { commandBundle } from "./lib/command.mjs";

/** A process loads parts of its bundle when it first needs them: what was replaced stays for those that run a long time. */
const STALE_MS = 24 * 3_600_000;

try {
  // A source that is saved meanwhile makes the bundle stale, never wrongly current. Generated files that are written change their folders' times: once more then.
  let begun = new Date();
  while (await generate()) begun = new Date();
  const folder = dirname(commandBundle);
  const files = await bundleForNode("src/cli/main.ts", folder);
  // In one go: another process that reads it sees the old or the new one, never half.
  const draft = `${commandBundle}.new`;
  writeFileSync(draft, files[0]);
  utimesSync(draft, begun, begun);
  renameSync(draft, commandBundle);
  for (const file of readdirSync(folder).filter((name) => !files.includes(name))) {
    const path = join(folder, file);
    if (path !== commandBundle && begun.getTime() - statSync(path).mtimeMs > STALE_MS) rmSync(path);
  }
} catch (error) {
  console.error(`The command cannot be bundled: ${messageOf(error)}`);
  process.exit(1);
}
