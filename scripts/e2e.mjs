/** `npm run e2e -- [PLAYWRIGHT ARGUMENTS]`: browser tests against the production build, built first when the sources changed. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureBuilt } from "./lib/build.mjs";
import { findChromium } from "./lib/chromium.mjs";
import { freePort } from "./lib/free-port.mjs";
import { ensureInstalled } from "./lib/install.mjs";
import { root } from "./lib/root.mjs";

ensureInstalled();
const chromium = findChromium({ shell: true });
if (chromium === null) {
  console.error("No Chromium found: set CHROMIUM_PATH, or let `npm test` install one.");
  process.exit(1);
}
ensureBuilt();
const port = await freePort(4319, "127.0.0.1");
const result = spawnSync(
  process.execPath,
  [join(root, "node_modules", "@playwright", "test", "cli.js"), "test", ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, CHROMIUM_PATH: chromium, ORISCOPE_PORT: String(port) },
  },
);
process.exit(result.status ?? 1);
