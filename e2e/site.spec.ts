/** The handbook as a reader finds it: a phase's page, in some folder of some host, with its program stepping in it. */
import { execFile } from "node:child_process";
import { promisify } from "node:util";
import AxeBuilder from "@axe-core/playwright";
import { expect } from "@playwright/test";
import { host } from "./host.ts";
import { openMenu, watchConsole } from "./page.ts";
import { coldTest as test } from "./test.ts";

test.describe.configure({ timeout: 180_000 });

test("a phase's page has its rules, a program to step through, and the way to the explorer and back", async ({ page }, info) => {
  const quiet = watchConsole(page);
  const folder = info.outputPath("site");
  // As `npm run site`: the pages need all of the engine, which one bundle loads sooner than this test's own loader.
  await promisify(execFile)(process.execPath, ["--import", "tsx", "scripts/site.ts", folder]);
  const site = await host(folder);
  await page.goto(`${site.address}handbook/phases/gvn-cse.html`);
  await expect(page).toHaveTitle(/^GvnCse.* · Oriscope handbook$/);
  await expect(page.getByRole("heading", { name: "What it refuses" })).toBeVisible();
  const frame = page.locator("oriscope-view").frameLocator("iframe");
  await expect(frame.getByTestId("sentence")).toContainText("Input of Value numbering");
  await frame.getByRole("button", { name: "Step into", exact: true }).click();
  await expect(frame.getByTestId("sentence")).toHaveAttribute("data-step", "0");
  expect((await new AxeBuilder({ page }).exclude("oriscope-view").analyze()).violations.map(({ id }) => id)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);

  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole("navigation", { name: "Site" }).getByRole("link", { name: "Explorer" }).click();
  await expect(page.getByTestId("sentence")).not.toBeEmpty();
  const opened = page.waitForEvent("popup");
  await openMenu(page, "Help");
  await page.getByRole("menuitem", { name: "Handbook on the web" }).click();
  await expect(await opened).toHaveTitle("Handbook · Oriscope");
  quiet();
  site.close();
});
