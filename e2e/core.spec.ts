/** The page without any feature: it opens, takes a program, steps both ways, and draws. */
import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { build, type Plugin, preview } from "vite";
import { features } from "../scripts/lib/layers.ts";
import { lists, without } from "../scripts/lib/without-features.ts";
import { expectStep, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

/** The lists of features as they would be if all of their folders were gone. */
const noFeatures: Plugin = {
  name: "no-features",
  enforce: "pre",
  load(id) {
    if (lists.some((name) => id.endsWith(`/src/features/${name}`))) return without(readFileSync(id, "utf8"), Object.keys(features));
    // Half of what is built, and nothing that is looked at: the plain field shows the text.
    return /\/src\/app\/editor\/monaco\/monaco\.ts$/.test(id) ? 'throw new Error("no editor");' : null;
  },
};

const PROGRAM = `.kernel k(n: R0, out: RD0)
A:
    ISETP.GE P0, R0, 1
@P0 BRA C
B:
    STG [RD0+4], R0
C:
    STG [RD0], R0
    EXIT
`;

test("the page without features takes a program, steps and draws", async ({ page }, info) => {
  test.setTimeout(180_000);
  const outDir = info.outputPath("site");
  await build({ plugins: [noFeatures], build: { outDir, minify: false, reportCompressedSize: false }, logLevel: "error" });
  const server = await preview({ build: { outDir }, preview: { host: "127.0.0.1", port: 0 }, logLevel: "error" });
  const complaints = watchConsole(page);
  try {
    await page.goto(server.resolvedUrls?.local[0] ?? "");
    await page.getByLabel("Source text").fill(PROGRAM);
    await waitForRun(page);
    // Examples are a feature.
    await expect(page.getByRole("button", { name: /example/i })).toHaveCount(0);
    await page.locator('[role="option"][data-phase="analyze-control-flow"]').click();
    await expectStep(page, 0);
    await expect(page.locator("#pane-graph [data-node]")).toHaveCount(3);
    await page.keyboard.press("s");
    await expectStep(page, 1);
    await page.keyboard.press("Shift+S");
    await expectStep(page, 0);
    complaints();
  } finally {
    await server.close();
  }
});
