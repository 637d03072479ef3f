/** How the window is shared out. */
import { expect, type Page } from "@playwright/test";
import { drawer, expectStep, focusTimeline, openExample, openPage, typeSource, waitForEditor, waitForRun } from "./page.ts";
import { test } from "./test.ts";

const box = async (page: Page, selector: string) => (await page.locator(selector).first().boundingBox()) ?? { width: 0, height: 0 };

test("program, picture and explanation have a column each; an arrangement has its panes, and is remembered; a pane becomes large and back", async ({
  page,
}) => {
  // Two arrangements, an edit and a reload in one test.
  test.setTimeout(120_000);
  await openPage(page);
  await waitForEditor(page);
  const canvas = await box(page, "[data-graph] .react-flow");
  expect((canvas.width * canvas.height) / (1440 * 900)).toBeGreaterThanOrEqual(0.33);
  // Three columns, of whole pixels.
  const columns = await Promise.all(["editor", "graph", "inspectors"].map((pane) => box(page, `#pane-${pane}`)));
  for (const { width } of columns) expect(Math.abs(width - Math.round(width))).toBeLessThan(0.02);
  expect(columns[0]?.width).toBeGreaterThan(300);
  expect(columns[2]?.width).toBeGreaterThan(320);
  // One line of steps until lanes are asked for, and five buttons with their keys.
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

  // A pane that the arrangement has no place for comes large, and goes back.
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

for (const [kept, shown] of [
  [{ preset: "step", inspectors: { top: "pseudocode", bottom: "why" } }, "Algorithm"],
  [{ preset: "compare", inspectors: { top: "pseudocode", bottom: "record" } }, "Record"],
  [{ preset: "explore", inspectors: { top: "events", bottom: "rule" } }, "The rule and its source"],
] as const)
  test(`tabs and arrangement as an earlier version kept them (${kept.preset}) open what they held: ${shown}`, async ({ page }) => {
    await page.addInitScript((value) => localStorage.setItem("oriscope.preferences", JSON.stringify(value)), { ...kept, welcomed: true });
    await page.goto("./");
    await waitForRun(page);
    await expect(page.locator("#pane-editor")).toBeVisible();
    const open = page.locator('#pane-inspectors :is([role="tab"][aria-selected="true"], [aria-expanded="true"])');
    await expect(open.filter({ hasText: shown })).toBeVisible();
  });

test("a small window: no map, lines for the text, and notices beside the strip; for an audience the graph is large", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await openPage(page);
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
  await waitForEditor(page);
  const line = await box(page, ".monaco-editor .view-line");
  expect((await box(page, ".monaco-editor")).height / line.height).toBeGreaterThanOrEqual(11);
  // Where notices stand, if there are any.
  const timeline = await page.locator("#pane-timeline").boundingBox();
  const notices = await page.getByRole("region", { name: "Notices" }).boundingBox();
  expect((notices?.y ?? 0) + (notices?.height ?? 0)).toBeLessThanOrEqual(timeline?.y ?? 0);

  const card = page.locator("[data-graph] .react-flow__node").first();
  const before = (await card.boundingBox())?.width ?? 0;
  await page.keyboard.press("Alt+Shift+2");
  await expect.poll(async () => ((await card.boundingBox())?.width ?? 0) / before).toBeGreaterThan(1.3);
});

test("the program is the first tab where there is no column for it; an experiment is found by a search", async ({ page }) => {
  await page.setViewportSize({ width: 1024, height: 768 });
  await openPage(page);
  await page.getByRole("tab", { name: "Program", exact: true }).click();
  await expect(page.locator("#pane-inspectors #pane-editor")).toBeVisible();
  await page.keyboard.press("Control+k");
  await page.keyboard.type("thresholds");
  await page.keyboard.press("Enter");
  await expect(drawer(page).getByRole("heading", { name: "Set a knob" })).toBeVisible();
  // One button more in the bar at the top takes a second line.
  await openExample(page, "fixture:gvn-cse/one-block");
  await expect(page.getByRole("button", { name: "Run all phases" })).toBeInViewport({ ratio: 1 });
});

test("a low window shows one pane at a time, with its whole width", async ({ page }) => {
  await openPage(page);
  // 1440 by 900 at 200 %.
  await page.setViewportSize({ width: 720, height: 450 });
  expect((await box(page, "#pane-graph")).width).toBe(720);
  await page.getByRole("tab", { name: "Program", exact: true }).click();
  await expect(page.locator("#pane-editor")).toBeVisible();
  expect((await box(page, "#pane-editor")).height).toBeGreaterThan(180);
  await focusTimeline(page);
  await page.keyboard.press("s");
  await expectStep(page, 1);
  expect(await page.evaluate(() => document.documentElement.scrollWidth <= window.innerWidth)).toBe(true);
});

test("a window made small and large again keeps what was typed, to be undone", async ({ page }) => {
  await openPage(page);
  await typeSource(page, ".kernel mine(out: RD2)\nBB0:\n    MOV R4, 1\n    STG [RD2], R4\n    EXIT\n");
  await page.keyboard.type("// first");
  const code = page.locator(".monaco-editor").first();
  await expect(code).toContainText("first");
  const editor = await code.elementHandle();
  for (const [width, height] of [
    [690, 900],
    [1000, 500],
    [390, 844],
    [1440, 900],
  ] as const) {
    await page.setViewportSize({ width, height });
    if (width < 1440) await page.getByRole("tab", { name: "Program", exact: true }).click();
    await expect(code).toBeVisible();
  }
  expect(await editor?.evaluate((element) => element.isConnected)).toBe(true);
  await code.click();
  await page.keyboard.press("ControlOrMeta+z");
  await expect(code).not.toContainText("first");
  await expect(code).toContainText("mine");
});

test("a program is first seen alike, whatever was open before: at its step, in letters that can be read", async ({ page }) => {
  const view = page.locator(".react-flow__viewport");
  const seen = async (): Promise<string> => {
    await expect(page.locator("[data-graph]")).toHaveAttribute("aria-busy", "false");
    return (await view.getAttribute("style")) ?? "";
  };
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPage(page);
  const open = async (id: string): Promise<void> => {
    await page.getByRole("button", { name: "Examples" }).click();
    await page.locator(`[data-example="${id}"]`).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect.poll(() => page.title()).toContain({ "generated-50": "About 50 blocks", "generated-500": "About 500 blocks" }[id] ?? "");
    await waitForRun(page);
  };
  await open("generated-50");
  const first = await seen();
  expect(first).toContain("scale(0.833333)");
  // What the step is about.
  await expect(page.locator(".react-flow [data-inst]").filter({ hasText: "@P5 BRA L29" })).toBeInViewport();
  await open("generated-500");
  await seen();
  await open("generated-50");
  await expect.poll(seen).toBe(first);
  await page.reload();
  await waitForRun(page);
  await expect.poll(seen).toBe(first);
});
