/** Typing as a person does, and what the editor says of hostile text. */
import { expect, test } from "@playwright/test";
import { openPage, typeSource, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { noteTexts } from "./told-text.ts";

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

test("what is typed, pasted, dropped, formatted, undone and done again reaches the engine, as what changed in the text", async ({
  page,
}) => {
  test.slow();
  const quiet = watchConsole(page);
  const told = await noteTexts(page);
  await openPage(page);
  const start = [".kernel k(n: R0, out: RD0)", "BB0:", "    IADD   R1, R0, 1", "    STG [RD0], R1", "    EXIT", ""].join("\n");
  await typeSource(page, start);
  const code = page.locator(".monaco-editor").first();
  /** The lines as they are shown, from the first to the last. */
  const shown = (): Promise<string> =>
    code.locator(".view-line").evaluateAll((lines) =>
      lines
        .map((line) => ({ top: line.getBoundingClientRect().top, text: (line.textContent ?? "").replaceAll("\u00a0", " ") }))
        .sort((a, b) => a.top - b.top)
        .map(({ text }) => text)
        .join("\n"),
    );
  const reaches = async (holds: string): Promise<void> => {
    await expect.poll(async () => (await told()).text).toContain(holds);
    await expect.poll(async () => (await told()).text === (await shown())).toBe(true);
  };
  const keys = async (...pressed: readonly string[]): Promise<void> => {
    for (const key of pressed) await page.keyboard.press(key);
  };
  await reaches("STG [RD0], R1");
  await keys("Control+Home", "End", "Enter");
  await page.keyboard.insertText("// é 😀 \uFF21");
  await reaches("😀");
  await keys("Backspace", "Backspace", "Backspace");
  await reaches("// é \nBB0");
  // All places of a register at once.
  await keys("ArrowDown", "ArrowDown", "End", "Home");
  await keys(...Array.from({ length: "IADD   ".length }, () => "ArrowRight"), "Shift+ArrowRight", "Shift+ArrowRight", "Control+Shift+l");
  await page.keyboard.insertText("R7");
  await keys("Escape");
  await reaches("STG [RD0], R7");
  await keys("Control+End");
  await page.keyboard.insertText(start.replace(".kernel k", ".kernel pasted"));
  await reaches("pasted");
  await keys("Control+z");
  await expect.poll(async () => (await told()).text).not.toContain("pasted");
  await reaches("R7");
  await keys("Control+y");
  await reaches("pasted");
  await waitForRun(page);
  await keys("Shift+Alt+F");
  await reaches("IADD    R7, R0, 1");
  const edits = await told();
  expect(edits.edits).toBeGreaterThan(5);
  expect(edits.characters).toBeLessThan(edits.edits * edits.text.length);
  // Another program, and the one before it again.
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "other.ori", { type: "text/plain" }));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, ".kernel other()\nFIRST:\n    BAR.SYNC\n    EXIT\n");
  await reaches("BAR.SYNC");
  await code.click();
  await keys("Control+z");
  await reaches("pasted");
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
