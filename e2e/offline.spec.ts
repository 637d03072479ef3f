/** A newer version of the page, and the page without a network, from a folder of some host. */

import { expect, type Page } from "@playwright/test";
import { host } from "./host.ts";
import { dropFile, expectStep, exportAs, focusTimeline, openExample, openPage, openTab, waitForEditor, waitForRun } from "./page.ts";
import { someOf } from "./sample.ts";
import { coldTest as test } from "./test.ts";

// The first visit stores some 7 MB.
test.describe.configure({ timeout: 240_000 });

test("a newer version is taken when asked for, an old tab keeps its work; then the main tasks work without a network", async ({
  context,
}) => {
  const site = await host();
  const { address } = site;
  const complaints: string[] = [];
  const announced = (tab: Page) => tab.getByRole("region", { name: "Notices" });
  const [first, page] = [await context.newPage(), await context.newPage()];
  for (const tab of [first, page]) tab.on("pageerror", (error) => complaints.push(error.message));

  await test.step("the first visit keeps all of the page", async () => {
    await first.goto(`${address}?offline`);
    await waitForRun(first);
    await first.waitForFunction(() => navigator.serviceWorker.controller !== null, undefined, { timeout: 120_000 });
    await dropFile(first, "mine.ori", ".kernel mine(n: R0)\nBB0:\n    MOV R7, R0\n    EXIT\n");
    await expect(first.getByLabel("Kernel")).toContainText("mine");
    await openPage(page, address);
    for (const tab of [first, page]) await tab.evaluate(() => document.body.setAttribute("data-old", ""));
  });

  await test.step("a newer version is announced", async () => {
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
    await first.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.update());
    for (const tab of [first, page]) await expect(announced(tab)).toContainText("A newer version of Oriscope is available");
    await expect(first.locator("body")).toHaveAttribute("data-old", "");
  });

  await test.step("it is taken where that is asked for", async () => {
    await announced(first).getByRole("button", { name: "Update" }).click();
    await expect(first.locator('meta[name="build"]')).toHaveAttribute("content", "2");
    await waitForRun(first);
    await expect(first.getByLabel("Kernel")).toContainText("mine");
    await first.close();
  });

  await test.step("an old tab keeps its work and says what is missing", async () => {
    await expect(announced(page)).toContainText("updated in another tab");
    await expect(page.locator("body")).toHaveAttribute("data-old", "");
    const before = await page.getByTestId("phase").textContent();
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator('[data-example="c-is_prime"]').click();
    await expect(page.getByText(/could not be loaded/).first()).toBeVisible();
    await expect(page.getByTestId("phase")).toHaveText(before ?? "");
    await page.keyboard.press("Escape");
  });

  await test.step("its reload takes the newer version, and without a network the page starts: window, engine, graph and editor", async () => {
    site.close();
    expect(await page.evaluate(() => fetch("./nothing").then(String, () => "no network"))).toBe("no network");
    await announced(page).getByRole("button", { name: "Reload" }).click();
    await expect(page.locator('meta[name="build"]')).toHaveAttribute("content", "2");
    await waitForRun(page);
    await waitForEditor(page);
    await expect(page.getByLabel("Kernel")).toContainText("mine");
    await expect(page.locator(".react-flow__node").first()).toBeVisible();
  });

  await test.step("examples, each in its own file, are stepped and run", async () => {
    for (const id of someOf(["bril-sum", "fixture:gvn-cse/full"], 1)) await openExample(page, id);
    await focusTimeline(page);
    await page.keyboard.press("ArrowRight");
    await expectStep(page, 1);
    await openTab(page, "Run on inputs");
    await page.getByRole("button", { name: "Run", exact: true }).click();
    await expect(page.getByText(/this step/).first()).toBeVisible();
  });

  await test.step("a pass of one's own that was never opened before: its editor, its sandbox and the laws", async () => {
    await openTab(page, "Pass");
    await page.getByRole("button", { name: "Jump to next: solution" }).click();
    await page.getByRole("tab", { name: "Tests 2/2" }).waitFor();
    // TypeScript's worker, which was never used, cannot be loaded: there is a message, and the pass still runs.
    await expect(page.getByText("No completion or type checking").first()).toBeVisible();
    await page.locator("#pane-editor").getByRole("button", { name: "Run", exact: true }).click();
    await expect(page.getByTestId("pass-said")).toHaveText(/^jump to next: /);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(page.getByTestId("pass-said")).toHaveText("");
    await waitForRun(page);
  });

  await test.step("what leaves the page", async () => {
    const download = page.waitForEvent("download");
    await exportAs(page, "Export all changes as Markdown");
    expect((await download).suggestedFilename()).toMatch(/\.md$/);
  });
  expect(complaints).toEqual([]);
});
