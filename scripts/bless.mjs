/**
 * `npm run bless -- [FILTER…]`: runs the golden tests and rewrites what they expect; read the diff before committing it. `--short`: gives each family
 * one full log of events and short decisions in its other files; `-t FAMILY` takes one family.
 */
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { ensureInstalled } from "./lib/install.mjs";
import { root } from "./lib/root.mjs";

ensureInstalled();
const filters = process.argv.slice(2).filter((arg) => arg !== "--short");
const form = process.argv.includes("--short") ? "short" : "1";
const args = ["run", "--project", "unit", ...(filters.length > 0 && !filters[0]?.startsWith("-") ? filters : ["golden", ...filters])];
const result = spawnSync(process.execPath, [join(root, "node_modules", "vitest", "vitest.mjs"), ...args], {
  cwd: root,
  stdio: "inherit",
  env: { ...process.env, BLESS: form },
});
process.exit(result.status ?? 1);
