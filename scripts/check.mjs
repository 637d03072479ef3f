/**
 * `npm run check`: everything CI runs, all of it even when something fails. The last line is `N passed, N failed`:
 * the tests of Vitest and Playwright, and each other step as one.
 */
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./lib/install.mjs";
import { cache, root } from "./lib/root.mjs";
import { countPlaywright, countVitest, failuresOfPlaywright, failuresOfVitest } from "./lib/totals.mjs";

/** @typedef {import("./lib/totals.mjs").Totals} Totals */
/** @typedef {{ title: string, command: string[], env?: Record<string, string>, report?: string, count?: (report: unknown) => Totals, failures?: (report: unknown) => string[] }} Step */

ensureInstalled();
const reports = join(cache, "reports");
const unitReport = join(reports, "unit.json");
const browserReport = join(reports, "browser.json");

/** @type {Step[]} */
const steps = [
  { title: "format and lint", command: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", "."] },
  { title: "types", command: ["node_modules/typescript/bin/tsc", "-b", "tsconfig.layers.json"] },
  { title: "layers", command: ["scripts/check-layers.mjs"] },
  { title: "unused code", command: ["node_modules/knip/bin/knip.js", "--no-progress"] },
  { title: "documents", command: ["scripts/check-docs.mjs"] },
  {
    title: "unit tests",
    // Tried again for what a busy machine does to child processes: seeds stay the same, so that a counterexample fails again.
    command: [
      "node_modules/vitest/vitest.mjs",
      "run",
      "--retry=1",
      "--reporter=default",
      "--reporter=json",
      `--outputFile.json=${unitReport}`,
    ],
    report: unitReport,
    count: countVitest,
    failures: failuresOfVitest,
  },
  { title: "build", command: ["scripts/build.mjs"] },
  { title: "size", command: ["scripts/check-size.mjs"] },
  {
    title: "browser tests",
    command: ["scripts/e2e.mjs", "--reporter=list,json"],
    env: { PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport },
    report: browserReport,
    count: countPlaywright,
    failures: failuresOfPlaywright,
  },
];

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
// Random tests take their seeds from the commit: each commit tries programs of its own, and its check can be repeated.
const seed = process.env.ORISCOPE_SEED ?? seedOfCommit();
console.log(`Random tests: ORISCOPE_SEED=${seed}`);
const results = steps.map(runStep);

console.log("\nSummary");
for (const { title, seconds, totals, failures } of results) {
  const skipped = totals.skipped > 0 ? `, ${totals.skipped} skipped` : "";
  const flaky = (totals.flaky ?? 0) > 0 ? `, ${totals.flaky} of them only when tried again` : "";
  console.log(
    `  ${totals.failed > 0 ? "✗" : "✓"} ${title}: ${totals.passed} passed${flaky}, ${totals.failed} failed${skipped} (${seconds.toFixed(1)} s)`,
  );
  for (const failure of failures) console.log(`      ${failure}`);
}
const passed = results.reduce((sum, { totals }) => sum + totals.passed, 0);
const failed = results.reduce((sum, { totals }) => sum + totals.failed, 0);
console.log(`\n${passed} passed, ${failed} failed`);
process.exit(failed > 0 ? 1 : 0);

/** @param {Step} step */
function runStep({ title, command, env = {}, report, count, failures }) {
  console.log(`\n── ${title} ──`);
  const started = Date.now();
  const { status } = spawnSync(process.execPath, command, {
    cwd: root,
    stdio: "inherit",
    env: { ...process.env, ORISCOPE_SEED: seed, ...env },
  });
  const read = report === undefined ? null : readReport(report);
  const counted = read === null || count === undefined ? null : count(read);
  const ok = status === 0;
  const totals = counted ?? { passed: ok && report === undefined ? 1 : 0, failed: ok && report === undefined ? 0 : 1, skipped: 0 };
  // A runner may fail for a reason outside any test: an error nobody caught, or no test found.
  if (!ok && totals.failed === 0) totals.failed = 1;
  return { title, seconds: (Date.now() - started) / 1000, totals, failures: read === null || failures === undefined ? [] : failures(read) };
}

/** A whole number below 2^28. A tree that is no checkout, or has no commit, has the seed 1. */
function seedOfCommit() {
  try {
    const commit = execFileSync("git", ["rev-parse", "HEAD"], { cwd: root, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
    return String(Number.parseInt(commit.slice(0, 7), 16));
  } catch {
    return "1";
  }
}

/** @param {string} file */
function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch (error) {
    console.error(`no usable report of the tests: ${error instanceof Error ? error.message : error}`);
    return null;
  }
}
