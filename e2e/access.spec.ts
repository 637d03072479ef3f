import { expect, type Page } from "@playwright/test";
import { expectStep, openPage, waitForEditor } from "./page.ts";
import { test } from "./test.ts";

test("everything can be reached and used without a mouse", async ({ page }) => {
  await openPage(page);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("examples");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("dialog", { name: "Examples" })).toBeVisible();
  await page.keyboard.type("irreducible");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Kernel")).toContainText("irreducible");

  await page.keyboard.press("Alt+4");
  await page.getByRole("listbox", { name: "Phases" }).getByRole("option", { selected: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(page.getByTestId("phase")).toContainText("SetControlFlowOpLastInBB");
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByTestId("phase")).toContainText("AnalyzeControlFlow");

  await page.getByRole("slider", { name: "Step of this phase" }).focus();
  await page.keyboard.press("ArrowRight");
  await page.keyboard.press("ArrowRight");
  await expectStep(page, 2);
  await expect(page.getByTestId("announcer")).not.toHaveText("");

  await page.keyboard.press("Alt+3");
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("#pane-inspectors") !== null)).toBe(true);
  await page.keyboard.press("Alt+1");
  await expect.poll(() => page.evaluate(() => document.activeElement?.closest("#pane-editor") !== null)).toBe(true);

  await page.keyboard.press("Control+Shift+O");
  const outline = page.getByRole("tree", { name: /^Outline/ });
  await outline.focus();
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowDown");
  await expect(outline.getByRole("treeitem", { selected: true })).toHaveCount(1);
});

/** The focus, as the Tab key finds it: the pane it is in, its words, and whether it is on something that nobody sees. */
function focused(page: Page) {
  return page.evaluate(() => {
    const active = document.activeElement;
    const region = active?.closest("#pane-editor, #pane-graph, #pane-inspectors, #pane-timeline, header");
    return {
      region: region?.id || region?.tagName,
      words: active?.textContent ?? "",
      unseen: active?.closest("[aria-hidden=true]") !== null,
    };
  });
}

test("Tab walks the whole page and comes around, never to what nobody sees; its first stops lead to each pane", async ({ page }) => {
  await openPage(page);
  await waitForEditor(page);
  const seen = new Set<string | undefined>();
  let stops = 0;
  let rounds = 0;
  // From the first skip link to the next time that it has the focus.
  for (let i = 0; i < 150 && rounds < 2; i++) {
    await page.keyboard.press("Tab");
    const { region, words, unseen } = await focused(page);
    expect(unseen, words).toBe(false);
    if (words.startsWith("Skip to the program")) rounds++;
    if (rounds !== 1) continue;
    seen.add(region);
    stops++;
  }
  expect([...seen]).toEqual(expect.arrayContaining(["HEADER", "pane-editor", "pane-inspectors", "pane-graph", "pane-timeline"]));
  // Of a bar of tabs one is a stop.
  expect(stops).toBeLessThanOrEqual(70);
  for (const [pane, what] of [
    ["program", '.monaco-editor [role="textbox"], .monaco-editor textarea'],
    ["graph", '[role="application"]'],
    ["explanation", '#pane-inspectors [role="tab"][aria-selected="true"]'],
    ["timeline", '[role="slider"]'],
  ] as const) {
    const link = page.getByRole("button", { name: `Skip to the ${pane} Alt+` });
    await link.focus();
    await expect(link).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page.locator(what).first()).toBeFocused();
  }
});

test.describe("smaller windows", () => {
  test("a tablet's width shows all panes", async ({ page }) => {
    await page.setViewportSize({ width: 1024, height: 768 });
    await openPage(page);
    for (const name of ["Graph", "Explanation", "Timeline"]) await expect(page.getByRole("region", { name, exact: true })).toBeVisible();
    // The program is the first tab beside Why.
    await page.getByRole("tab", { name: "Program", exact: true }).click();
    await expect(page.getByRole("region", { name: "Program", exact: true })).toBeVisible();
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });

  test("a phone's width shows one pane at a time", async ({ page }) => {
    await page.setViewportSize({ width: 390, height: 800 });
    await openPage(page);
    await page.getByRole("tab", { name: "Program" }).click();
    await expect(page.getByRole("region", { name: "Program", exact: true })).toBeVisible();
    await page.getByRole("tab", { name: "Explanation", exact: true }).click();
    await expect(page.getByRole("tab", { name: "Why" })).toBeVisible();
    await page.getByRole("button", { name: "Step into", exact: true }).click();
    await expectStep(page, 1);
    // One row of large targets; all ways to move are in its menu.
    const transport = page.getByRole("toolbar", { name: "Transport" });
    await expect(transport.getByRole("button")).toHaveCount(7);
    const { height } = (await transport.getByRole("button", { name: "Step into", exact: true }).boundingBox()) ?? { height: 0 };
    expect(height).toBeGreaterThanOrEqual(44);
    await transport.getByRole("button", { name: "More ways to move" }).click();
    await expect(page.getByRole("menuitem", { name: /^Step over/ })).toBeVisible();
    await page.keyboard.press("Escape");
    // A swipe to the right over the tabs brings the pane on the left.
    await page.getByRole("tabpanel", { name: "Explanation" }).evaluate((sheet) => {
      const touch = (x: number) => new Touch({ identifier: 1, target: sheet, clientX: x, clientY: 300 });
      sheet.dispatchEvent(new TouchEvent("touchstart", { bubbles: true, touches: [touch(100)], changedTouches: [touch(100)] }));
      sheet.dispatchEvent(new TouchEvent("touchend", { bubbles: true, changedTouches: [touch(260)] }));
    });
    await expect(page.getByRole("tab", { name: "Graph", exact: true })).toHaveAttribute("aria-selected", "true");
    expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
  });
});
