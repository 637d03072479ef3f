/** The five main tasks without a mouse: open an example, step, ask why, look into a structure, run and compare. */
import { expect } from "@playwright/test";
import { drawer, expectStep, openPage, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("five main tasks by keyboard alone", async ({ page }) => {
  test.setTimeout(120_000);
  const quiet = watchConsole(page);
  await page.goto("./");
  await waitForRun(page);

  // Open an example.
  await page.keyboard.press("Control+Shift+E");
  await expect(page.getByRole("dialog", { name: "Examples" }).getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("two equal adds");
  // The gallery shows its cards once it has all of its lists.
  await expect(page.locator('[data-example="two-adds"]')).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Kernel")).toContainText("two_adds");
  await waitForRun(page);
  await expect(page.getByTestId("phase")).toContainText("Value numbering");
  await expect(page.getByTestId("sentence")).toContainText("and becomes a MOV");

  // Step: to the change, and back.
  await page.keyboard.press("Alt+4");
  await page.keyboard.press("c");
  await expect(page.getByTestId("sentence")).toContainText("becomes 'MOV R5, R4'");
  const changed = Number(await page.getByTestId("sentence").getAttribute("data-step"));
  await page.keyboard.press("Shift+S");
  await expectStep(page, changed);

  // Ask why: the step's own values, then a block's history.
  const why = page.getByRole("tabpanel", { name: "Why" });
  await expect(why.getByRole("table", { name: "Values of this step" })).toContainText("leader");
  await page.keyboard.press("f");
  await expect(why).toContainText("IADD R5, R0, R1");
  await page.keyboard.press("Escape");
  await expect(why.getByRole("region", { name: "This step" })).toBeVisible();

  // Look into a structure: the third tab, by keyboard.
  await page.keyboard.press("Alt+3");
  await expect(page.getByRole("tab", { name: "Why" })).toBeFocused();
  for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Data" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("button", { name: "Structures" })).toHaveAttribute("aria-expanded", "true");

  // Run both ends and read the verdict.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Run on inputs");
  await page.keyboard.press("Enter");
  await expect(drawer(page)).toContainText("Run on inputs");
  const compare = page.getByRole("button", { name: "Compare before and after optimization" });
  await page.keyboard.press("Alt+3");
  for (let i = 0; i < 20 && !(await compare.evaluate((e) => e === document.activeElement)); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("verdict")).toHaveText(/^Same memory, /);
  quiet();
});

test("a dialog gives the focus back where it came from, unless what was chosen has moved it", async ({ page }) => {
  await openPage(page);
  const slider = page.getByRole("slider", { name: "Step of this phase" });
  await slider.focus();
  for (const [open, name] of [
    ["Control+k", "Go to"],
    ["Control+Shift+E", "Examples"],
    ["Shift+?", "Keyboard shortcuts"],
  ] as const) {
    await page.keyboard.press(open);
    await expect(page.getByRole("dialog", { name })).toBeVisible();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(slider).toBeFocused();
  }
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Go to the explanation");
  await page.keyboard.press("Enter");
  await expect(page.locator("#pane-inspectors :focus")).toHaveCount(1);
});
