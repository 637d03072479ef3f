/** What the explanation says: reasons first, structures by name, algorithms without addresses; and what the palette and the editor's menu list. */
import { expect } from "@playwright/test";
import { focusTimeline, openExample, openPage, openTab, showLine, waitForEditor, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("Why begins with the reason of a rewrite, and leads to the step that shows it", async ({ page }) => {
  const done = watchConsole(page);
  await openPage(page);
  await openExample(page, "copy-chain");
  await page.locator('[role="option"][data-phase="general-optimize-early"]').click();
  await focusTimeline(page);
  const because = page.getByRole("list", { name: "Because" });
  // Whatever rewrite comes next: it has a reason.
  await page.keyboard.press("c");
  await expect(because).toContainText(/^Because .+\.$/);
  done();
});

test("the scope tree names the blocks whose bits are set, and lights them in the dominator tree", async ({ page }) => {
  await openPage(page);
  await openExample(page, "redundant-addresses");
  await page.locator('[role="option"][data-phase="gvn-cse"]').click();
  await openTab(page, "Structures");
  const structure = page.getByLabel("Structure", { exact: true });
  await page
    .getByRole("list", { name: "Later in this phase" })
    .getByRole("listitem")
    .filter({ hasText: "Scope tree" })
    .getByRole("button")
    .click();
  await structure.selectOption({ label: "Scope tree" });
  await expect(page.getByRole("list", { name: "Leaves in order" })).toContainText(/BB\d|L/);
  await expect(page.getByRole("region", { name: "Dominator tree" })).toContainText("recorded");
  await expect(page.getByText("changed since the step shown before")).toBeVisible();
});

test("the algorithm reads without addresses, which are below it", async ({ page }) => {
  await openPage(page);
  await openTab(page, "Algorithm");
  await page.locator('[role="option"][data-phase="gvn-cse"]').click();
  const lines = page.getByRole("tree", { name: /^Algorithm of Value numbering/ });
  await expect(lines).toContainText("dominator");
  await expect(lines).not.toContainText(/sub_|0x[0-9a-f]{5,}|\(\+\d+/);
  await page.getByText("In the binary", { exact: true }).click();
  await expect(page.getByRole("table", { name: /addresses/ })).toContainText("sub_781F80");
});

test("the palette finds labs, examples and commands by what people type", async ({ page }) => {
  await openPage(page);
  const find = async (text: string) => {
    await page.keyboard.press("ControlOrMeta+k");
    await page.getByRole("combobox", { name: /^Command/ }).fill(text);
    return page.getByRole("listbox", { name: "Found" });
  };
  await expect((await find("value numbering quiz")).getByRole("option").first()).toContainText("Lab");
  await page.keyboard.press("Escape");
  await expect((await find("switches")).getByRole("option").first()).toContainText("Switches");
  await page.keyboard.press("Escape");
  await expect((await find("print")).getByRole("option").first()).toContainText("HTML");
});

test("the editor's menu is in sentence case, and has neither Peek nor a palette of its own", async ({ page }) => {
  await openPage(page);
  await waitForEditor(page);
  const line = await showLine(page, "BB0");
  await line.click({ button: "right" });
  const menu = page.getByRole("menu").last();
  await expect(menu).toContainText("Handbook page");
  await expect(menu).toContainText("Go to definition");
  await expect(menu).not.toContainText(/Peek|Command Palette/);
  await expect(page.getByRole("menuitem", { name: /[a-z] [A-Z][a-z]/ })).toHaveCount(0);
});
