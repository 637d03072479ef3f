/** Typing as a person does, and what the editor says of hostile text. */
import { expect } from "@playwright/test";
import { openPage, typeSource, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("Enter after a whole word is a new line, and Tab takes the suggestion", async ({ page }) => {
  const quiet = watchConsole(page);
  await openPage(page);
  await typeSource(page, ".kernel k(n: R0)\nBB0:\n    MOV R1, ");
  const code = page.locator(".monaco-editor").first();
  const widget = page.locator(".suggest-widget.visible");
  await page.keyboard.type("R0", { delay: 150 });
  // As slowly as a person: the list is open, and its first entry is the very word.
  await expect(widget).toContainText("R0");
  await page.keyboard.press("Enter");
  await page.keyboard.type("EXIT", { delay: 150 });
  await expect(widget).toContainText("EXIT");
  await page.keyboard.press("Enter");
  await expect(code.locator(".view-line")).toHaveText([/\.kernel/, /BB0:/, /^\s*MOV\sR1,\sR0$/, /^\s*EXIT$/, /^\s*$/]);
  await page.keyboard.type("ISE", { delay: 150 });
  await expect(widget).toContainText("ISETP");
  await page.keyboard.press("Tab");
  await expect(code.locator(".view-line").last()).toHaveText(/^\s*ISETP$/);
  quiet();
});

const EVIL = "`` [a prize](https://evil.example/x) `` ` <https://evil.example> www.evil.example";
const ORI = `.kernel k(n: R0)\nBB0:\n    MOV R7, R0 // ${EVIL}\n    IADD R1, R7, 1 // ${EVIL}\n    EXIT`;
const PTX = `.version 8.0
.target sm_80
.address_size 64
.visible .entry k()
{
  .reg .b32 %r<4>;
  mov.u32 %r1, %tid.x; // ${EVIL}
  add.s32 %r2, %r1, 1; // ${EVIL}
  ret;
}`;

for (const [language, text, line, left] of [
  ["Ori", ORI, "IADD", "    IADD R1, R".length],
  ["PTX", PTX, "add.s32", "  add.s32 %r2, %r".length],
] as const) {
  test(`a hover over ${language} shows a line as it is, whatever is written in it`, async ({ page }) => {
    await openPage(page);
    await typeSource(page, text);
    await waitForRun(page);
    await waitForEditor(page);
    await expect(page.getByLabel("Kernel")).toContainText("k");
    await page.keyboard.press("Control+Home");
    const at = text.split("\n").findIndex((l) => l.includes(line));
    for (let i = 0; i < at; i++) await page.keyboard.press("ArrowDown");
    for (let i = 0; i < left; i++) await page.keyboard.press("ArrowRight");
    const hover = page.locator(".monaco-hover:visible");
    await expect(async () => {
      await page.keyboard.press("Shift+F1");
      await expect(hover).toContainText("defined:", { timeout: 2_000 });
    }).toPass();
    await expect(hover).toContainText("[a prize](https://evil.example/x)");
    await expect(hover.locator("a[href], a[data-href]")).toHaveCount(0);
  });
}
