/** Branch folding in the page: candidates, pairs and gates, the reducibility check, and the offer to take PHIs out. */
import { expect } from "@playwright/test";
import { expectAccessible, setTheme } from "./axe.ts";
import { focusTimeline, openExample, openPageAt, openTab, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

const NO_PHIS = { name: "Replace PHIs with copies and run again" };

test("declined PHIs are taken out on request; the tab Tails shows the hash, the pair, its gates and whether the graph stays reducible", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const done = watchConsole(page);
  const check = page.getByRole("region", { name: "Reducibility check" });

  await test.step("PHIs are taken out, and undo brings them back", async () => {
    await openPageAt(page, "phis-in-the-way");
    await waitForEditor(page);
    await expect(page.getByTestId("phase")).toContainText("BranchFolding");
    await openTab(page, "Why");
    const offer = page.getByRole("region", { name: "PHIs in the way" });
    await expect(offer).toContainText("this program has 4 PHIs");
    const source = page.locator(".monaco-editor").first();
    await expect(source).toContainText("PHI");
    await offer.getByRole("button", NO_PHIS).click();
    await expect(page.getByText(/^4 PHIs of phis_in_the_way became 10 copies/)).toBeVisible();
    await waitForRun(page);
    await expect(offer).toHaveCount(0);
    await expect(source).not.toContainText("PHI R2");
    await expect(page.getByTestId("phase")).toContainText("BranchFolding");
    const figure = page
      .getByRole("term")
      .filter({ hasText: /^merges$/ })
      .locator("xpath=following-sibling::dd[1]");
    await page.getByText("Numbers and internals").click();
    await expect(figure).toHaveText("1");
    // A click into the text selects what is there, which Why then explains: Tails stays with the phase.
    await openTab(page, "Tails");
    await source.click();
    await page.keyboard.press("ControlOrMeta+Z");
    await expect(source).toContainText("PHI");
    await expect(offer).toContainText("this program has 4 PHIs");
  });

  await test.step("the offer works from the keyboard, in Tails and in the step's sentence", async () => {
    await expect(page.getByRole("button", NO_PHIS)).toHaveCount(2);
    await page.getByRole("region", { name: "PHIs in the way" }).getByRole("button", NO_PHIS).focus();
    await page.keyboard.press("Enter");
    await expect(page.getByRole("button", NO_PHIS)).toHaveCount(0);
  });

  await test.step("a pair of tails, its gates and the new tail; the graph stays reducible", async () => {
    await openExample(page, "common-tails");
    await openTab(page, "Tails");
    await expect(check).toContainText("before reducible");
    await expect(check).toContainText("at this step reducible");
    await expect(check).toContainText("kept");
    await expect(check).toContainText("one node is left");
    await focusTimeline(page);
    await page.keyboard.press("Home");
    const pane = page.getByRole("tabpanel").filter({ has: check });
    await expect(pane.getByRole("table")).toHaveCount(0);
    await page.getByRole("button", { name: "Next change", exact: true }).click();
    const candidates = pane.getByRole("table", { name: "Candidates, by hash, then priority" });
    await expect(candidates.getByRole("row")).toHaveCount(4);
    await candidates.getByRole("button").first().focus();
    await page.keyboard.press("ArrowDown");
    await expect(candidates.getByRole("button").nth(1)).toBeFocused();
    await page.keyboard.press("End");
    await expect(candidates.getByRole("button").last()).toBeFocused();
    const factors = pane.getByRole("table", { name: /^Hash of / });
    await expect(factors.getByRole("row")).toHaveCount(5);
    await expect(factors).toContainText("× 37 +");
    const walk = pane.getByRole("table", { name: /from their ends upwards: 4 in common/ });
    await expect(walk.getByText("ends here")).toBeVisible();
    await expect(walk.getByText("identical")).toHaveCount(4);
    await expect(pane.getByText("tail-length", { exact: true })).toBeVisible();
    await expect(pane.getByRole("table", { name: /The 63 reserved registers/ })).toContainText("SR_TID.X");
    await focusTimeline(page);
    await page.keyboard.press("End");
    await expect(pane.getByRole("table", { name: /computeLiveIns of/ })).toBeVisible();
    for (const [i, theme] of someOf(["light", "dark"] as const, 1).entries()) {
      await setTheme(page, theme);
      await expectAccessible(page, `tails, ${theme}`, { part: "#pane-inspectors", colours: i > 0 });
    }
  });

  await test.step("an irreducible graph says so, with the blocks that no interval takes in", async () => {
    await openExample(page, "irreducible");
    await page.locator('[role="option"][data-phase="branch-folding"]').click();
    await waitForRun(page);
    await openTab(page, "Tails");
    await expect(check).toContainText("before irreducible");
    await expect(check).toContainText("was irreducible before");
    await expect(check).toContainText("nodes are left");
    await check.getByRole("button").first().click();
    await openTab(page, "Why");
    await expect(page.getByRole("button", { name: "Clear the selection" })).toBeVisible();
  });
  done();
});
