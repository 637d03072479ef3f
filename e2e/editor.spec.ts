import { expect, test } from "@playwright/test";
import { openPage, typeSource, waitForEditor, watchConsole } from "./page.ts";

test("Ctrl+Space completes opcodes: the editor's parts are all there", async ({ page }) => {
  const quiet = watchConsole(page);
  await openPage(page);
  await typeSource(page, ".kernel k(n: R0)\nBB0:\n    ISE");
  await page.keyboard.press("Control+Space");
  await expect(page.locator(".suggest-widget")).toContainText("ISETP");
  await page.keyboard.press("Enter");
  await expect(page.locator(".monaco-editor").first()).toContainText("ISETP");
  quiet();
});

test("F12 goes to a label and F2 renames a register", async ({ page }) => {
  await openPage(page);
  await typeSource(page, ".kernel k(n: R0)\nA:\n    MOV R7, R0\n    BRA C\nC:\n    IADD R1, R7, 1\n    EXIT");
  await page.keyboard.press("Control+Home");
  for (let i = 0; i < 3; i++) await page.keyboard.press("ArrowDown");
  await page.keyboard.press("End");
  await page.keyboard.press("F12");
  await page.waitForTimeout(500);
  await page.keyboard.type("X");
  await expect(page.locator(".monaco-editor").first()).toContainText(/X\s*C:/);
  await page.keyboard.press("Control+z");
  await page.keyboard.press("Control+Home");
  for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowDown");
  for (let i = 0; i < 9; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("F2");
  await expect(page.locator(".rename-input")).toBeFocused();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.type("R42");
  await page.keyboard.press("Enter");
  await expect(page.locator(".monaco-editor").first()).toContainText(/IADD\s+R1,\s+R42,\s+1/);
});

test("formatting prints the program canonically", async ({ page }) => {
  await openPage(page);
  await typeSource(page, ".kernel k(n: R0)\nBB0:\nMOV   R1,R0\nEXIT");
  await expect(page.getByRole("button", { name: "No problems" })).toBeVisible();
  await page.keyboard.press("Shift+Alt+F");
  await expect(page.locator(".monaco-editor").first()).toContainText(/MOV\s+R1,\s+R0/);
});

test("the difference of two moments is shown side by side", async ({ page }) => {
  await openPage(page);
  await page.getByRole("tab", { name: "Diff" }).click();
  await page.getByLabel("Right", { exact: true }).selectOption({ index: 1 });
  await expect(page.locator(".monaco-diff-editor")).toBeVisible();
});

test("before the editor is there, a plain field shows the text", async ({ page }) => {
  await page.route(/monaco-.*\.js$/, (route) => route.abort());
  await page.goto("./");
  const field = page.getByRole("textbox", { name: "Source text" });
  await expect(field).toHaveValue(/sum_positive/);
  await field.fill(".kernel other(n: R0)\nBB0:\n    EXIT\n");
  await expect(page.getByLabel("Kernel")).toContainText("other");
  await page.unroute(/monaco-.*\.js$/);
  await page.reload();
  await waitForEditor(page);
});
