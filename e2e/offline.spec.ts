/** The page without a network, from a folder of some host; and a newer version of it. */

import { expect, type Page, test } from "@playwright/test";
import { host } from "./host.ts";
import {
  expectStep,
  exportAs,
  focusTimeline,
  openExample,
  openMenu,
  openPage,
  openTab,
  place,
  typeSource,
  waitForEditor,
  waitForRun,
} from "./page.ts";

// The first visit stores some 7 MB.
test.describe.configure({ timeout: 240_000 });

/** The first visit, until all of the page is kept. */
async function visit(page: Page, address: string): Promise<void> {
  await openPage(page, `${address}?offline`);
  await page.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 120_000 });
}

test("after one visit the main tasks work without a network", async ({ page, context }) => {
  const site = await host();
  const { address } = site;
  await visit(page, address);
  site.close();
  expect(await page.evaluate(() => fetch("./nothing").then(String, () => "no network"))).toBe("no network");
  const complaints: string[] = [];
  page.on("pageerror", (error) => complaints.push(error.message));

  // A fresh start: window, engine, graph and editor.
  await openPage(page, address);
  await waitForEditor(page);
  await expect(page.locator(".react-flow__node").first()).toBeVisible();
  await focusTimeline(page);
  await page.keyboard.press("Home");
  await page.keyboard.press("ArrowRight");
  await expectStep(page, 1);
  await page.keyboard.press("ArrowLeft");
  await expectStep(page, 0);

  // Programs of every kind out of the gallery, each a file of its own; and one of a phase.
  for (const id of ["05_loop_nest.sm_90", "bril-sum", "fixture:gvn-cse/full"]) await openExample(page, id);
  await openTab(page, "Run on inputs");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText(/this step/).first()).toBeVisible();

  // One's own program, typed into the editor, and its link in another tab.
  await typeSource(page, ".kernel mine(n: R0)\nBB0:\n    MOV R7, R0\n    EXIT\n");
  await expect(page.getByLabel("Kernel")).toContainText("mine");
  await waitForRun(page);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openMenu(page, "File");
  await page.getByRole("menuitem", { name: "Copy link to this step" }).click();
  await expect(page).toHaveURL(/#v1\./);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.getByLabel("Kernel")).toContainText("mine");
  await other.close();

  // A pass of one's own: its editor, its sandbox and the laws. It was never opened before.
  await openTab(page, "Pass");
  await page.getByRole("button", { name: "Jump to next: solution" }).click();
  await expect(page.getByRole("tab", { name: "Tests 2/2" })).toBeVisible();
  // TypeScript's worker, which was never used, cannot be loaded: that is said, and the pass runs all the same.
  await expect(page.getByText("No completion or type checking").first()).toBeVisible();
  await page.locator("#pane-editor").getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByTestId("pass-said")).toHaveText(/^jump to next: /);
  await page.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(page.getByTestId("pass-said")).toHaveText("");
  await waitForRun(page);

  // What leaves the page.
  const download = page.waitForEvent("download");
  await exportAs(page, "Export all changes as Markdown");
  const saved = await Promise.race([download, page.getByText("there is nothing to export").waitFor()]);
  expect(saved === undefined || saved.suggestedFilename().endsWith(".md")).toBe(true);
  expect((await place(page)).phase).not.toBe("");
  expect(complaints).toEqual([]);
});

test("a newer version is announced and taken when asked for; an old tab keeps its work and says what is missing", async ({
  page,
  context,
}) => {
  const site = await host();
  await visit(page, site.address);
  await typeSource(page, ".kernel mine(n: R0)\nBB0:\n    MOV R7, R0\n    EXIT\n");
  await expect(page.getByLabel("Kernel")).toContainText("mine");
  const old = await context.newPage();
  await openPage(old, site.address);
  for (const tab of [page, old]) await tab.evaluate(() => document.body.setAttribute("data-old", ""));

  // Another build: another index.html, and one lazy file less.
  const lost = /assets\/is_prime[^"]*\.js/;
  site.change = (file, text) => {
    if (lost.test(file)) return null;
    if (file === "index.html") return text.replace("<head>", '<head><meta name="build" content="2">');
    if (file !== "sw.js") return text;
    return text
      .replace(/(\{url:|\{"url":)"assets\/is_prime[^}]*\},?/, "")
      .replace(/("?url"?:"index\.html","?revision"?:)"\w+"/, '$1"another"');
  };
  await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
  const announced = (tab: Page) => tab.getByRole("region", { name: "Notices" });
  for (const tab of [page, old]) await expect(announced(tab)).toContainText("A newer version of Oriscope is available");
  await expect(page.locator("body")).toHaveAttribute("data-old", "");

  await announced(page).getByRole("button", { name: "Update" }).click();
  await expect(page.locator('meta[name="build"]')).toHaveAttribute("content", "2");
  await waitForRun(page);
  await expect(page.getByLabel("Kernel")).toContainText("mine");

  await expect(announced(old)).toContainText("updated in another tab");
  await expect(old.locator("body")).toHaveAttribute("data-old", "");
  const before = await old.getByTestId("phase").textContent();
  await old.getByRole("button", { name: "Examples" }).click();
  await old.locator('[data-example="c-is_prime"]').click();
  await expect(old.getByText(/could not be loaded/).first()).toBeVisible();
  await expect(old.getByTestId("phase")).toHaveText(before ?? "");
  await old.keyboard.press("Escape");
  await announced(old).getByRole("button", { name: "Reload" }).click();
  await expect(old.locator('meta[name="build"]')).toHaveAttribute("content", "2");
  await waitForRun(old);
  site.close();
});
