/**
 * `npm run check`: everything CI runs, all of it even when something fails. The last line is `N passed, N failed`:
 * the tests of Vitest and Playwright, and each other step as one.
 * `npm run check -- --changed [COMMIT]`: only what a change can break at once: lint of the files that differ from COMMIT (usually HEAD), types,
 * layers, documents, and the unit tests that import those files. Half of all tests import every pass through the registry, so of a change in
 * `src/engine/passes` alone only the tests there run (each pass's own, fixtures, witnesses, policies), and the laws on random programs: what the
 * page, the command line and the labs make of the pass is left to the whole check.
 */
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, readFileSync, rmSync } from "node:fs";
import { join } from "node:path";
import { ensureInstalled } from "./lib/install.mjs";
import { cache, root } from "./lib/root.mjs";
import { countPlaywright, countVitest, failuresOfPlaywright, failuresOfVitest } from "./lib/totals.mjs";

/** @typedef {import("./lib/totals.mjs").Totals} Totals */
/** `whole`: not part of the check of a change. */
/** @typedef {{ title: string, command: string[], whole?: boolean, env?: Record<string, string>, report?: string, count?: (report: unknown) => Totals, failures?: (report: unknown) => string[] }} Step */

const since = readSince();
ensureInstalled();
const reports = join(cache, "reports");
const unitReport = join(reports, "unit.json");
const browserReport = join(reports, "browser.json");

const changed = since === null ? [] : changedFiles(since);
const linted = since === null ? ["."] : ["--no-errors-on-unmatched", ...changed];
const passes = "src/engine/passes/";
const inPasses = changed.length > 0 && changed.every((file) => file.startsWith(passes));
const tested = since === null ? [] : inPasses ? [passes, "src/engine/fuzz/laws.test.ts"] : [`--changed=${since}`, "--passWithNoTests"];

/**
 * One group after another; the steps of a group run in parallel, since each of them uses hardly more than one core.
 * @type {Step[][]}
 */
const all = [
  [{ title: "generated modules", command: ["--import", "tsx", "scripts/generate.ts"] }],
  [
    { title: "format and lint", command: ["node_modules/@biomejs/biome/bin/biome", "check", "--error-on-warnings", ...linted] },
    { title: "types", command: ["node_modules/typescript/bin/tsc", "-b", "tsconfig.layers.json", "--checkers", "1"] },
    { title: "layers", command: ["--import", "tsx", "scripts/check-layers.ts"] },
    { title: "unused code", command: ["node_modules/knip/bin/knip.js", "--no-progress"], whole: true },
    { title: "documents", command: ["scripts/check-docs.mjs"] },
  ],
  [
    {
      title: "unit tests",
      // Tried again for what a busy machine does to child processes: seeds stay the same, so that a counterexample fails again.
      command: [
        "node_modules/vitest/vitest.mjs",
        "run",
        ...tested,
        "--retry=1",
        "--reporter=default",
        "--reporter=json",
        `--outputFile.json=${unitReport}`,
      ],
      report: unitReport,
      count: countVitest,
      failures: failuresOfVitest,
    },
  ],
  [{ title: "build", command: ["scripts/build.mjs"], whole: true }],
  [{ title: "size", command: ["scripts/check-size.mjs"], whole: true }],
  [
    {
      title: "browser tests",
      whole: true,
      command: ["scripts/e2e.mjs", "--reporter=list,json"],
      env: { PLAYWRIGHT_JSON_OUTPUT_NAME: browserReport },
      report: browserReport,
      count: countPlaywright,
      failures: failuresOfPlaywright,
    },
  ],
];
const groups = since === null ? all : all.map((group) => group.filter((step) => step.whole !== true));

rmSync(reports, { recursive: true, force: true });
mkdirSync(reports, { recursive: true });
// Random tests take their seeds from the commit: each commit tries different programs, and its check can be repeated.
const seed = process.env.ORISCOPE_SEED ?? seedOfCommit();
console.log(`Random tests: ORISCOPE_SEED=${seed}`);
/** @type {Awaited<ReturnType<typeof runStep>>[]} */
const results = [];
for (const group of groups) results.push(...(await Promise.all(group.map((step) => runStep(step, group.length > 1)))));

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

/**
 * @param {Step} step
 * @param {boolean} beside others: its output is printed when it ends
 */
async function runStep({ title, command, env = {}, report, count, failures }, beside) {
  const heading = `\n── ${title} ──`;
  if (!beside) console.log(heading);
  const started = Date.now();
  const child = spawn(process.execPath, command, {
    cwd: root,
    stdio: beside ? ["ignore", "pipe", "pipe"] : "inherit",
    env: { ...process.env, ORISCOPE_SEED: seed, ...env },
  });
  let said = "";
  for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", (text) => (said += text));
  const [status] = await once(child, "close");
  if (beside) console.log(`${heading}\n${said.trimEnd()}`);
  const read = report === undefined ? null : readReport(report);
  const counted = read === null || count === undefined ? null : count(read);
  const ok = status === 0;
  const totals = counted ?? { passed: ok && report === undefined ? 1 : 0, failed: ok && report === undefined ? 0 : 1, skipped: 0 };
  // A runner may fail for a reason outside any test: an uncaught error, or no test found.
  if (!ok && totals.failed === 0) totals.failed = 1;
  return { title, seconds: (Date.now() - started) / 1000, totals, failures: read === null || failures === undefined ? [] : failures(read) };
}

/** The commit that a change is compared with; null: everything is checked. */
function readSince() {
  const [flag, commit = "HEAD", ...more] = process.argv.slice(2);
  if (flag === undefined) return null;
  if (flag === "--changed" && more.length === 0) return commit;
  console.error("usage: npm run check [-- --changed [COMMIT]]");
  process.exit(2);
}

/**
 * Files that differ from `commit` and are still there, new ones included.
 * @param {string} commit
 */
function changedFiles(commit) {
  const list = (/** @type {string[]} */ ...args) => execFileSync("git", args, { cwd: root, encoding: "utf8" }).split("\n");
  const files = [...list("diff", "--name-only", "--diff-filter=d", commit), ...list("ls-files", "--others", "--exclude-standard")];
  return files.filter((file) => file !== "");
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
