/** `npm run bless -- [FILTER…]`: runs the golden tests and rewrites what they expect; read the diff before committing it. */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./lib/install.mjs";
import { root } from "./lib/root.mjs";

ensureInstalled();
const filters = process.argv.slice(2);
const args = ["run", "--project", "unit", ...(filters.length > 0 ? filters : ["golden"])];
const result = spawnSync(process.execPath, [join(root, "node_modules", "vitest", "vitest.mjs"), ...args], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, BLESS: "1" },
});
process.exit(result.status ?? 1);
