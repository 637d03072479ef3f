/** `npm test`: installs what is missing, a Chromium included, and runs every check and test. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureChromium } from "./lib/chromium.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root } from "./lib/root.mjs";

ensureInstalled();
const chromium = ensureChromium();
const result = spawnSync(process.execPath, [join(root, "scripts", "check.mjs")], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, CHROMIUM_PATH: chromium },
});
process.exit(result.status ?? 1);
