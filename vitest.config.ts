/** Unit and property tests: plain Node, tests beside the code they test. */
import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { SlowFirst } from "./scripts/lib/slow-first.mjs";
import { generatedModules } from "./scripts/vite/generated.ts";

export default defineConfig({
  test: {
    // The first seed of random tests (src/engine/testing/seed.ts): another one on every run, unless it is given.
    env: { ORISCOPE_SEED: process.env.ORISCOPE_SEED ?? String(Date.now() % 1_000_000_000) },
    // By default one core stays free, which on two cores is half of them.
    maxWorkers: "100%",
    sequence: { sequencer: SlowFirst },
    projects: [
      {
        plugins: [generatedModules()],
        // A pass's file imports what is the package's once it is built.
        resolve: { alias: { "oriscope/pass": fileURLToPath(new URL("src/package/pass.ts", import.meta.url)) } },
        test: {
          name: "unit",
          environment: "node",
          // Most code here runs for less than a second, and V8's optimizing compiler took a quarter of all processor time: it now takes only
          // what is really hot, and the baseline compiler everything at once. A larger young generation is collected less often.
          execArgv: ["--interrupt-budget=1000000", "--always-sparkplug", "--max-semi-space-size=64"],
          include: ["src/**/*.test.{ts,tsx}", "scripts/**/*.test.ts", "bench/**/*.test.ts"],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // Files of one worker share their modules: to load the engine anew for each takes a quarter of the time.
          isolate: false,
        },
      },
    ],
    coverage: { provider: "v8", include: ["src/**/*.{ts,tsx}"], exclude: ["src/**/*.test.{ts,tsx}"], reporter: ["text-summary", "html"] },
  },
});
