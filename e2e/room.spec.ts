/** How the window is shared out. */
import { expect, type Page } from "@playwright/test";
import { drawer, expectStep, focusTimeline, openExample, openPageAt, typeSource, waitForEditor, waitForRun } from "./page.ts";
import { test } from "./test.ts";

const box = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox()) ?? { width: 0, height: 0 };

/** Nothing is wider than the window. */
const fits = (page: Page) => page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth);

test("a column for each of three panes; an arrangement is remembered; a pane becomes large and back", async ({ page }) => {
  test.slow();
  await openPageAt(page, "two-adds");
  await waitForEditor(page);
  const canvas = await box(page, "[data-graph] .react-flow");
  expect((canvas.width * canvas.height) / (1440 * 900)).toBeGreaterThanOrEqual(0.33);
  // Three columns, of whole pixels.
  const columns = await Promise.all(["editor", "graph", "inspectors"].map((pane) => box(page, `#pane-${pane}`)));
  for (const { width } of columns) expect(Math.abs(width - Math.round(width))).toBeLessThan(0.02);
  expect(columns[0]?.width).toBeGreaterThan(300);
  expect(columns[2]?.width).toBeGreaterThan(320);
  // One line of steps until lanes are chosen, and five buttons with their keys.
  await expect(page.getByRole("list", { name: "Events of this phase by group" })).toHaveCount(0);
  await expect(page.locator("#pane-timeline [data-command]:has(kbd)")).toHaveCount(5);

  // What was typed can be undone after the editor has been away.
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.insertText("// mine ");
  await waitForRun(page);
  await focusTimeline(page);
  await page.keyboard.press("Alt+Shift+2");
  await expect(page.locator("#pane-editor")).toHaveCount(0);

  // A pane that the arrangement has no place for is maximized, and restored.
  await page.keyboard.press("Alt+1");
  const work = await box(page, "[data-large]");
  expect((await box(page, "#pane-editor")).width).toBeCloseTo(work.width, 0);
  await page.locator(".monaco-editor").first().click();
  // The editor takes back word by word.
  await expect(async () => {
    await page.keyboard.press("ControlOrMeta+Z");
    expect(await page.locator(".view-lines").first().textContent()).not.toContain("//\u00a0mine");
  }).toPass();
  await page.getByRole("button", { name: "Restore the program" }).click();
  await expect(page.locator("#pane-editor")).toHaveCount(0);

  await focusTimeline(page);
  await page.keyboard.press("Alt+Shift+1");
  await page.keyboard.press("z");
  expect((await box(page, "#pane-graph")).width).toBeCloseTo((await box(page, "[data-large]")).width, 0);
  await page.keyboard.press("s");
  await expectStep(page, 1);
  await page.keyboard.press("z");
  await expect(page.locator("[data-large]")).toHaveCount(0);

  await page.keyboard.press("Alt+Shift+2");
  await expect(page.locator("#pane-inspectors, #pane-editor")).toHaveCount(0);
  await page.reload();
  await waitForRun(page);
  await expect(page.locator("html")).toHaveAttribute("data-preset", "present");
});

test("a tablet's window: the program is the first tab, no map, lines for the text; for an audience the graph is large", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await openPageAt(page, "two-adds");
  for (const name of ["Graph", "Explanation", "Timeline"]) await expect(page.getByRole("region", { name, exact: true })).toBeVisible();
  expect(await fits(page)).toBe(true);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator('[data-example="five-blocks"]').click();
  await expect.poll(() => page.title()).toContain("Five blocks · Oriscope");
  await waitForRun(page);
  // Where the program first changes.
  await expect(page.getByTestId("sentence")).not.toHaveAttribute("data-step", "-1");
  await expect(page.locator('[role="option"][aria-selected="true"]')).toHaveAttribute("data-status", "changed");
  // Not before ptxas has numbered the blocks.
  await page
    .locator(".react-flow__node")
    .first()
    .click({ position: { x: 12, y: 10 } });
  await expect(page.locator(".react-flow__node").first()).toContainText(/rpo \d/);
  await expect(page.getByRole("complementary", { name: "Minimap and blocks" })).toHaveCount(0);
  await page.getByRole("tab", { name: "Program", exact: true }).click();
  await expect(page.locator("#pane-inspectors #pane-editor")).toBeVisible();
  await waitForEditor(page);
  const line = await box(page, ".monaco-editor .view-line");
  expect((await box(page, ".monaco-editor")).height / line.height).toBeGreaterThanOrEqual(11);
  // Where notices are, if there are any.
  const timeline = await page.locator("#pane-timeline").boundingBox();
  const notices = await page.getByRole("region", { name: "Notices" }).boundingBox();
  expect((notices?.y ?? 0) + (notices?.height ?? 0)).toBeLessThanOrEqual(timeline?.y ?? 0);

  const card = page.locator("[data-graph] .react-flow__node").first();
  const before = (await card.boundingBox())?.width ?? 0;
  await page.keyboard.press("Alt+Shift+2");
  await expect.poll(async () => ((await card.boundingBox())?.width ?? 0) / before).toBeGreaterThan(1.3);
  await page.keyboard.press("Alt+Shift+1");

  // An experiment is found by a search.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("thresholds");
  await page.keyboard.press("Enter");
  await expect(drawer(page).getByRole("heading", { name: "Set a knob" })).toBeVisible();
  // One button more in the bar at the top takes a second line.
  await openExample(page, "fixture:gvn-cse/one-block");
  await expect(page.getByRole("button", { name: "Run all phases" })).toBeInViewport({ ratio: 1 });
});

test("a window made small and large again: one pane at a time, with its whole width, and what was typed can be undone", async ({
  page,
}) => {
  test.slow();
  await openPageAt(page, "two-adds");
  await typeSource(page, ".kernel mine(out: RD2)\nBB0:\n    MOV R4, 1\n    STG [RD2], R4\n    EXIT\n");
  await page.keyboard.type("// first");
  const code = page.locator(".monaco-editor").first();
  await expect(code).toContainText("first");
  await waitForRun(page);
  const editor = await code.elementHandle();
  for (const [width, height] of [
    [690, 900],
    [1000, 500],
    [720, 450],
    [390, 844],
  ] as const)
    await test.step(`${width} by ${height}`, async () => {
      await page.setViewportSize({ width, height });
      await page.getByRole("tab", { name: "Graph", exact: true }).click();
      expect((await box(page, "#pane-graph")).width).toBe(width);
      await page.getByRole("tab", { name: "Program", exact: true }).click();
      await expect(code).toBeVisible();
      expect((await box(page, "#pane-editor")).height).toBeGreaterThan(180);
      expect(await fits(page)).toBe(true);
    });
  await focusTimeline(page);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("s");
  await expectStep(page, 1);
  await test.step("a phone has one row of large targets, a menu of all ways to move, and tabs that are swiped", async () => {
    await page.getByRole("tab", { name: "Explanation", exact: true }).click();
    await expect(page.getByRole("tab", { name: "Why" })).toBeVisible();
    await page.getByRole("button", { name: "Step into", exact: true }).click();
    await expectStep(page, 2);
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
  });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(code).toBeVisible();
  expect(await editor?.evaluate((element) => element.isConnected)).toBe(true);
  await code.click();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(code).not.toContainText("first");
  await expect(code).toContainText("mine");
});
