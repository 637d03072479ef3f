/** Empty states, and ways back from what a press takes away. */

import { expect } from "@playwright/test";
import { openMenu, openPage, waitForEditor } from "./page.ts";
import { test } from "./test.ts";

for (const theme of ["light", "dark"] as const)
  test(`a cleared text is an empty state: hint beside the line numbers, no marks, a dimmed picture (${theme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await openPage(page);
    await waitForEditor(page);
    await page.keyboard.press("s");
    const code = page.locator(".monaco-editor").first();
    await code.click();
    await page.keyboard.press("ControlOrMeta+A");
    await page.keyboard.press("Delete");
    const hint = page.getByTestId("blank");
    await expect(hint).toBeVisible();
    const [lead, number, caret] = [hint.locator("p").first(), code.locator(".line-numbers").first(), code.locator(".cursor").first()];
    const boxes = await Promise.all([lead.boundingBox(), number.boundingBox(), caret.boundingBox()]);
    const [text, line, cursor] = boxes.map((box) => box ?? { x: 0, y: 0, width: 0, height: 0 });
    // Neither on the number of the line nor in the caret.
    expect(text?.x ?? 0).toBeGreaterThanOrEqual((line?.x ?? 0) + (line?.width ?? 0));
    expect(text?.y ?? 0).toBeGreaterThanOrEqual((cursor?.y ?? 0) + (cursor?.height ?? 0));
    await expect(code.locator(".ori-step-line")).toHaveCount(0);
    await expect(page.getByRole("button", { name: "Empty", exact: true })).toBeVisible();
    await expect(page.getByText("result is of an")).toHaveCount(0);
    await expect(page.getByText("showing the last valid text")).toHaveCount(0);
    await expect
      .poll(() => page.locator("[data-graph]").evaluate((graph) => getComputedStyle(graph.parentElement?.parentElement ?? graph).opacity))
      .toBe("0.35");
    // Undo brings all of it back.
    await page.keyboard.press("ControlOrMeta+z");
    await expect(hint).toHaveCount(0);
    await expect(page.getByRole("button", { name: "No problems" })).toBeVisible();
  });

test("Start again in Write a lab puts the text aside, and Undo brings it back", async ({ page }) => {
  await openPage(page);
  await openMenu(page, "File");
  await page.getByRole("menuitem", { name: "Write a lab" }).click();
  const dialog = page.getByRole("dialog", { name: "Write a lab" });
  const text = dialog.getByRole("textbox").first();
  await text.fill("# My lab\n\nWords that took an evening.\n");
  await dialog.getByRole("button", { name: "Start again" }).click();
  await expect(text).toHaveValue("");
  await dialog.getByRole("button", { name: "Bring back the lab before" }).click();
  await expect(text).toHaveValue(/Words that took an evening/);
});

test("a program with errors that takes another's place shows no picture of the one before", async ({ page }) => {
  await openPage(page);
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([".kernel broken(n: R0)\nA:\n    EXITT\n"], "broken.ori"));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await expect(page.getByTestId("problems")).toContainText("EXITT");
  await expect(page.getByText("This program has errors, so it has no picture yet.")).toBeVisible();
  await expect(page.locator("[data-graph]")).not.toBeVisible();
  await expect(page.getByTestId("sentence")).not.toBeVisible();
});
