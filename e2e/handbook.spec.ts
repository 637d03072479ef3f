import { expect, type Page } from "@playwright/test";
import { openPage, openTab, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

const book = (page: Page) => page.getByRole("dialog", { name: "Handbook" });
const opened = (page: Page) => book(page).getByTestId("handbook-page");
const search = (page: Page) => book(page).getByRole("searchbox", { name: "Search the handbook" });

/** F1 where the focus is: the page with this id. */
async function help(page: Page, id: string | RegExp): Promise<void> {
  await page.keyboard.press("F1");
  await expect(opened(page)).toHaveAttribute("data-page", id);
}

async function closeBook(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(book(page)).toHaveCount(0);
}

/** A page by the search, and the program that it opens. */
async function openProgramOf(page: Page, found: string, button: string, shows?: string): Promise<void> {
  await page.keyboard.press("F1");
  await search(page).fill(found);
  await expect(book(page).getByRole("status")).toContainText(" pages");
  await page.keyboard.press("Enter");
  if (shows !== undefined) await expect(opened(page)).toContainText(shows);
  await book(page).getByRole("button", { name: button }).click();
  await expect(book(page)).toHaveCount(0);
  await waitForRun(page);
}

test("the handbook is opened by a link, a word, F1 at what one is at and a search, and its pages open their programs", async ({ page }) => {
  test.setTimeout(120_000);
  const quiet = watchConsole(page);
  await test.step("a link to a page opens it, and its program opens at the phase", async () => {
    await openPage(page, "./?handbook=condition:gvn-cse:leader-dominates");
    await expect(opened(page)).toContainText("leader does not dominate");
    await book(page).getByRole("button", { name: "Open a program that shows it" }).click();
    await expect(book(page)).toHaveCount(0);
    await waitForRun(page);
    await expect(page.getByTestId("phase")).toContainText("Value numbering");
    await expect(page).not.toHaveURL(/handbook/);
  });

  await test.step("a word that it explains has a dotted line, a card, and its page on a click", async () => {
    const word = page.locator("#pane-timeline").getByRole("button", { name: "leader does not dominate" });
    await expect(word).toHaveCSS("text-decoration-style", "dotted");
    await word.hover();
    await expect(page.getByText("Its page says what it is for", { exact: false })).toBeVisible();
    await word.click();
    await expect(opened(page)).toContainText("leader does not dominate");
    await closeBook(page);
  });

  await test.step("F1 opens the page of the phase, of the field and of the word in the text", async () => {
    await page.locator('[role="option"][data-phase="gvn-cse"]').focus();
    await help(page, "phase:49");
    await expect(opened(page)).toContainText("sub_BEE590");
    await expect(page).toHaveURL(/\?handbook=phase:gvn-cse/);
    await closeBook(page);
    await expect(page).not.toHaveURL(/handbook/);
    await openTab(page, "Record");
    await page.locator('[data-handbook="field:+152"]').first().hover();
    await help(page, "field:+152");
    await closeBook(page);
    await waitForEditor(page);
    await page
      .locator(".monaco-editor .view-line", { hasText: "IADD" })
      .first()
      .click({ position: { x: 45, y: 8 } });
    await help(page, /^opcode:IADD/);
  });

  await test.step("it is searched by a textbook's name, follows links and goes back, all by keys", async () => {
    await search(page).fill("mem2reg");
    await page.keyboard.press("Enter");
    await expect(opened(page)).toHaveAttribute("data-page", "phase:37");
    await opened(page).locator('[data-to="phase:38"]').first().focus();
    await page.keyboard.press("Enter");
    await expect(opened(page)).toHaveAttribute("data-page", "phase:38");
    await page.keyboard.press("Alt+ArrowLeft");
    await expect(opened(page)).toHaveAttribute("data-page", "phase:37");
    await search(page).fill("nothing of that name");
    await expect(book(page).getByText("0 of")).toBeVisible();
    await closeBook(page);
  });

  await test.step("F1 in a text field opens the page of the place, in a dialog above it or in its place; one without a page says so", async () => {
    await openTab(page, "Set a knob");
    await page.getByRole("searchbox", { name: "Search knobs" }).fill("tail-merge-size");
    await page
      .getByRole("textbox", { name: /^Value of/ })
      .first()
      .focus();
    await help(page, "knob:tail-merge-size");
    await closeBook(page);

    await page.locator('[role="option"][data-phase="gvn-cse"]').focus();
    await page.keyboard.press("Shift+F10");
    await page.getByRole("menuitem", { name: /^Change a knob from here on/ }).click();
    const values = page.getByRole("dialog", { name: "Change a knob from Value numbering on" });
    await values.getByLabel("Knob", { exact: true }).selectOption({ value: "gvn-mode" });
    await values.getByLabel("Value", { exact: true }).fill("3");
    await help(page, "knob:402");
    await closeBook(page);
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
    await help(page, "phase:49");
    await closeBook(page);
  });

  await test.step("an opcode's page opens its program at the instruction, a knob's both of its values side by side", async () => {
    await openProgramOf(page, "LEA", "Open this program", "R9 = 4941");
    await expect(page.locator(".monaco-editor .view-line", { hasText: "LEA" }).first()).toBeVisible();
    await openProgramOf(page, "tail-merge-size", "Compare both values in a program");
    await expect(page.getByRole("combobox", { name: "Right", exact: true })).toContainText("tail-merge-size=4");
  });
  quiet();
});

test("on a phone the list gives way to the page; one that is not there offers what comes near", async ({ page }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await openPage(page, "./?handbook=opcode:NOSUCH");
  await expect(book(page).getByText("‘opcode:NOSUCH’ has no page.")).toBeVisible();
  await expect(search(page)).toHaveValue("NOSUCH");
  await search(page).fill("mem2reg");
  await page.keyboard.press("Enter");
  await expect(opened(page)).toHaveAttribute("data-page", "phase:37");
  await expect(search(page)).toBeHidden();
  await book(page).getByRole("button", { name: "All pages" }).click();
  await expect(search(page)).toBeVisible();
});
