/** The one comparison: two sides of any kind in the middle, a way to each difference, and nothing else of the page changes. */

import { expect, type Page } from "@playwright/test";
import { ADDS } from "../src/cli/testing/futures-programs.ts";
import { expectFuture, goToPhase } from "./futures-page.ts";
import { drawer, dropFile, focusTimeline, openPageAt, runCommand, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test.describe.configure({ timeout: 120_000 });

const compare = (page: Page) => page.getByRole("region", { name: "Compare", exact: true });
const said = (page: Page) => compare(page).getByTestId("compare-said");
const difference = (page: Page) => compare(page).getByTestId("difference");
const options = (page: Page) => page.getByTitle("Target, optimization level, rules and source format");

/** Least height of a letter of the cards, in pixels of the screen. */
const letters = (page: Page): Promise<number> =>
  page.locator(".react-flow__viewport").evaluate((view) => 12 * new DOMMatrix(getComputedStyle(view).transform).a);

test("levels, rules, phases, texts and futures are compared in the middle, and the page's own options stay", async ({ page }) => {
  const quiet = watchConsole(page);
  await openPageAt(page, "switch-dense");
  const before = await options(page).textContent();
  await runCommand(page, "Compare two runs");
  await expect(said(page)).toHaveText("This run, as written | This run, after all phases");
  await expect(difference(page)).toContainText("1 of 9");
  // Two pictures of 18 and of 11 blocks, with readable text and the first difference visible.
  await expect.poll(() => letters(page)).toBeGreaterThanOrEqual(9.99);
  await expect(page.locator('[data-node="before:b0"]')).toBeInViewport();
  await page.keyboard.press("F7");
  await expect(difference(page)).toContainText("2 of 9");
  await page.keyboard.press("Shift+F7");
  await expect(difference(page)).toContainText("1 of 9");

  await compare(page).getByLabel("Right", { exact: true }).selectOption({ label: "-O1" });
  await expect(said(page)).toContainText("| -O1, after all phases", { timeout: 30_000 });
  await compare(page).getByRole("button", { name: "As one" }).click();
  await expect(page.locator('[data-node^="before:"]')).toHaveCount(0);
  await compare(page).getByLabel("Right", { exact: true }).selectOption({ label: "as measured on ptxas 13" });
  await expect(said(page)).toContainText("| as measured on ptxas 13, after all phases", { timeout: 30_000 });
  expect(await options(page).textContent()).toBe(before);

  // The second text begins as a copy of the program, and each edit of it shows.
  await compare(page).getByRole("button", { name: "Text", exact: true }).click();
  await compare(page).getByLabel("Right", { exact: true }).selectOption("text");
  await compare(page).getByLabel("Left, where").selectOption("last");
  await expect(said(page)).toHaveText("Both programs are the same.", { timeout: 30_000 });
  const second = compare(page).getByRole("textbox", { name: "Second text" });
  await second.fill((await second.inputValue()).replace(/(IADD\s+R4, R1, )1\b/, (_, start: string) => `${start}77`));
  await expect(said(page)).toContainText("Second text", { timeout: 30_000 });
  const texts = page.locator(".monaco-diff-editor");
  await expect(texts).toContainText("77");
  expect((await texts.boundingBox())?.height).toBeGreaterThan(300);
  await second.fill("nonsense");
  await expect(compare(page).getByRole("alert")).toContainText("Second text, next to Dense switch cannot be run: line 1");

  await compare(page).getByRole("button", { name: "Close the comparison" }).click();
  await expect(compare(page)).toHaveCount(0);
  await expect(page.getByRole("button", { name: "All", exact: true })).toHaveAttribute("aria-pressed", "true");

  await runCommand(page, "Compare the program at two steps");
  await expect(compare(page)).toBeVisible();
  await compare(page).getByRole("button", { name: "Close the comparison" }).click();

  await test.step("what an experiment changed is beside what would have been, and the explanation stays in sight", async () => {
    await dropFile(page, "adds.ori", ADDS.replace("BB0", "L".repeat(300)));
    await expect.poll(() => page.title()).toContain("adds");
    await waitForRun(page);
    await goToPhase(page, "gvn-cse");
    await focusTimeline(page);
    await page.keyboard.press("c");
    // A long label leaves room for the mark.
    const mark = page.getByTitle("Changed by this step");
    await expect
      .poll(() => mark.evaluate((it) => (it.parentElement?.getBoundingClientRect().right ?? 0) - it.getBoundingClientRect().right))
      .toBeGreaterThan(4);
    // By keys: the focus follows each press.
    await page.keyboard.press("w");
    await expect(drawer(page)).toBeFocused();
    await drawer(page)
      .getByRole("button", { name: /^Skip it/ })
      .press("Enter");
    await expect(compare(page)).toBeFocused();
    await expectFuture(page, "without rewrite 1 of Value numbering");
    await expect(said(page)).toHaveText("Original, after all phases | without rewrite 1 of Value numbering, after all phases", {
      timeout: 30_000,
    });
    await expect(drawer(page)).toHaveCount(0);
    await expect(page.getByRole("tab", { name: "Why", exact: true })).toBeVisible();
    await expect(difference(page)).toContainText("1 of 1");
    // Another program has no such future: the comparison begins again.
    await dropFile(page, "other.ori", ADDS.replace("adds", "other"));
    await expect.poll(() => page.title()).toContain("other");
    await expect(said(page)).toHaveText("This run, as written | This run, after all phases");
  });
  quiet();
});
