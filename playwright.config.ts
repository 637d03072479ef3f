/** Browser tests: the production build, served as static files, in an installed Chromium. */
import { defineConfig } from "@playwright/test";
import { chromiumArgs, findChromium } from "./scripts/lib/chromium.mjs";

const port = Number(process.env.ORISCOPE_PORT ?? 4319);
const baseURL = `http://127.0.0.1:${port}/`;
const executablePath = process.env.CHROMIUM_PATH ?? findChromium({ shell: true });
if (executablePath === null) throw new Error("No Chromium found: set CHROMIUM_PATH, or let `npm test` install one.");

export default defineConfig({
  testDir: "e2e",
  testMatch: "**/*.spec.ts",
  outputDir: "test-results",
  timeout: 60_000,
  expect: { timeout: 15_000 },
  workers: 2,
  fullyParallel: true,
  // A test that passed only on a second or third try is named as flaky, and counted as passed: a loaded machine alone stops no change.
  retries: 2,
  forbidOnly: process.env.CI !== undefined,
  reporter: "list",
  use: {
    baseURL,
    viewport: { width: 1440, height: 900 },
    // A trace costs a third of the time of the tests; for one of a failure: npm run e2e -- --trace on FILE
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath,
      args: [
        ...chromiumArgs,
        // A page lives for seconds: optimized code costs more than it saves, a tenth of the time of the tests. Bytecode that V8 would drop is
        // needed again by the next page.
        "--js-flags=--no-opt --no-maglev --no-flush-bytecode",
        // All tabs of a browser share one process, and with it the compiled code: a fifth of the time of a visit.
        "--renderer-process-limit=1",
        // Scripts that are compiled while they load do not use cached code: 9 % of the processor time of a visit. This list replaces
        // Playwright's, from which the other four are kept.
        "--disable-features=ScriptStreaming,PaintHolding,HttpsUpgrades,OptimizationHints,MediaRouter",
      ],
    },
  },
  projects: [{ name: "chromium", use: { browserName: "chromium" } }],
  webServer: {
    command: `"${process.execPath}" node_modules/vite/bin/vite.js preview --host 127.0.0.1 --port ${port} --strictPort`,
    url: baseURL,
    reuseExistingServer: false,
    timeout: 60_000,
  },
});
