import { expect, type Page } from "@playwright/test";
import { openExample, openMenu, openPage, openTab, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

const book = (page: Page) => page.getByRole("dialog", { name: "Handbook" });
const opened = (page: Page) => book(page).getByTestId("handbook-page");

test("F1 opens the page of the phase, of the structure, of the field and of the word in the text", async ({ page }) => {
  const quiet = watchConsole(page);
  await openPage(page);
  await waitForEditor(page);
  await page.locator('[role="option"][data-phase="gvn-cse"]').focus();
  await page.keyboard.press("F1");
  await expect(opened(page)).toHaveAttribute("data-page", "phase:49");
  await expect(opened(page)).toContainText("sub_BEE590");
  await expect(page).toHaveURL(/\?handbook=phase:gvn-cse/);
  await page.keyboard.press("Escape");
  await expect(book(page)).toHaveCount(0);
  await expect(page).not.toHaveURL(/handbook/);

  await openTab(page, "Record");
  await page.locator('[data-handbook="field:+152"]').first().hover();
  await page.keyboard.press("F1");
  await expect(opened(page)).toHaveAttribute("data-page", "field:+152");
  await page.keyboard.press("Escape");

  await page
    .locator(".monaco-editor .view-line", { hasText: "ISETP" })
    .first()
    .click({ position: { x: 60, y: 8 } });
  await page.keyboard.press("F1");
  await expect(opened(page)).toHaveAttribute("data-page", /^opcode:ISETP/);
  quiet();
});

test("is searched by a textbook's name, follows links and goes back, all by keys", async ({ page }) => {
  await openPage(page);
  await page.keyboard.press("F1");
  const search = book(page).getByRole("searchbox", { name: "Search the handbook" });
  await expect(search).toBeFocused();
  await search.fill("mem2reg");
  await page.keyboard.press("Enter");
  await expect(opened(page)).toHaveAttribute("data-page", "phase:37");
  const next = opened(page).locator('[data-to="phase:38"]').first();
  await next.focus();
  await page.keyboard.press("Enter");
  await expect(opened(page)).toHaveAttribute("data-page", "phase:38");
  await page.keyboard.press("Alt+ArrowLeft");
  await expect(opened(page)).toHaveAttribute("data-page", "phase:37");
  await search.fill("nothing of that name");
  await expect(book(page).getByText("0 of")).toBeVisible();
});

test("a link to a page opens it, and its program opens at the phase", async ({ page }) => {
  await openPage(page, "./?handbook=condition:gvn-cse:leader-dominates");
  await expect(opened(page)).toContainText("leader does not dominate");
  await book(page).getByRole("button", { name: "Open a program that shows it" }).click();
  await expect(book(page)).toHaveCount(0);
  await waitForRun(page);
  await expect(page.getByTestId("phase")).toContainText("Value numbering");
});

test("an opcode's page shows a program with what it gives, and opens it at the instruction", async ({ page }) => {
  await openPage(page, "./?handbook=opcode:LEA");
  await expect(opened(page)).toContainText("LEA     R9, R0, R1, 2");
  await expect(opened(page)).toContainText("R9 = 4941");
  await book(page).getByRole("button", { name: "Open this program" }).click();
  await expect(book(page)).toHaveCount(0);
  await waitForRun(page);
  await expect(page.locator(".monaco-editor .view-line", { hasText: "LEA" }).first()).toBeVisible();
});

test("a knob's page opens both of its values side by side", async ({ page }) => {
  await openPage(page, "./?handbook=knob:tail-merge-size");
  await book(page).getByRole("button", { name: "Compare both values in a program" }).click();
  await expect(book(page)).toHaveCount(0);
  await waitForRun(page);
  await expect(page.getByRole("combobox", { name: "Right", exact: true })).toContainText("tail-merge-size=4");
});

test("F1 in the editor of passes opens the page of the word at the caret, in a text field that of the place", async ({ page }) => {
  await openPage(page);
  await openMenu(page, "Phase");
  await page.getByRole("menuitem", { name: "Write a pass", exact: true }).click();
  await page.getByRole("button", { name: "Jump to next: solution" }).click();
  const code = page.locator('[data-pass-editor="monaco"]');
  await expect(code).toBeVisible({ timeout: 45_000 });
  await code.locator(".view-line").first().click();
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.insertText("terminators ");
  await page.keyboard.press("ControlOrMeta+Home");
  await page.keyboard.press("F1");
  await expect(opened(page)).toHaveAttribute("data-page", "api:Block");
  await page.keyboard.press("Escape");
  await expect(book(page)).toHaveCount(0);

  await openTab(page, "Set a knob");
  await page.getByRole("searchbox", { name: "Search knobs" }).fill("tail-merge-size");
  await page
    .getByRole("textbox", { name: /^Value of/ })
    .first()
    .focus();
  await page.keyboard.press("F1");
  await expect(opened(page)).toHaveAttribute("data-page", "knob:tail-merge-size");
});

test("F1 in a dialog opens the page of its field, above the dialog or in its place; one without a page says so and stays", async ({
  page,
}) => {
  await openPage(page);
  await page.locator('[role="option"][data-phase="gvn-cse"]').click();
  await waitForRun(page);
  await page.locator('[role="option"][data-phase="gvn-cse"]').focus();
  await page.keyboard.press("Shift+F10");
  await page.getByRole("menuitem", { name: /^Change a knob from here on/ }).click();
  const values = page.getByRole("dialog", { name: "Change a knob from Value numbering on" });
  await values.getByLabel("Knob", { exact: true }).selectOption({ value: "gvn-mode" });
  await values.getByLabel("Value", { exact: true }).fill("3");
  await page.keyboard.press("F1");
  await expect(opened(page)).toHaveAttribute("data-page", "knob:402");
  await page.keyboard.press("Escape");
  await expect(book(page)).toHaveCount(0);
  await expect(values.getByLabel("Value", { exact: true })).toHaveValue("3");
  await page.keyboard.press("Escape");
  await expect(values).toHaveCount(0);

  await page.keyboard.press("Control+Shift+B");
  const points = page.getByRole("dialog", { name: "Breakpoints" });
  await points.getByLabel("Condition").fill("kind = rewrite");
  await page.keyboard.press("F1");
  await expect(page.getByText("The handbook has no page about this part of the dialog.")).toBeVisible();
  await expect(points.getByLabel("Condition")).toHaveValue("kind = rewrite");
  await page.keyboard.press("Escape");
  await expect(points).toHaveCount(0);

  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Command/ }).fill("phase 49 value numbering");
  await page.keyboard.press("F1");
  await expect(opened(page)).toHaveAttribute("data-page", "phase:49");
});

test("a page that is not there offers what comes near", async ({ page }) => {
  await openPage(page, "./?handbook=opcode:NOSUCH");
  await expect(book(page).getByText("‘opcode:NOSUCH’ has no page.")).toBeVisible();
  await expect(book(page).getByRole("searchbox")).toHaveValue("NOSUCH");
});

test("on a phone the list gives way to the page", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, "./?handbook=structure:value-table");
  await expect(opened(page)).toContainText("Value table");
  await expect(book(page).getByRole("searchbox")).toBeHidden();
  await book(page).getByRole("button", { name: "All pages" }).click();
  await expect(book(page).getByRole("searchbox")).toBeVisible();
});

test("a word that the handbook explains has a dotted line, a card, and its page on a click", async ({ page }) => {
  await openPage(page);
  await openExample(page, "nested-and-load");
  await page
    .locator("#pane-inspectors")
    .getByRole("button", { name: /stay two conditions/ })
    .click();
  const word = page.locator("#pane-timeline").getByRole("button", { name: "has side effects" });
  await expect(word).toHaveCSS("text-decoration-style", "dotted");
  await word.hover();
  await expect(page.getByText("Its page says what it is for", { exact: false })).toBeVisible();
  await word.click();
  await expect(page.getByRole("dialog", { name: "Handbook" })).toContainText("has side effects");
});
