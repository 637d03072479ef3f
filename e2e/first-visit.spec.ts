/** What somebody sees who comes for the first time. */
import { expect, test } from "@playwright/test";
import { expectStep, focusTimeline, openExample, openPage, waitForRun, watchConsole } from "./page.ts";

test("a first visit opens where something happens and says what this is; closed, its line stays closed", async ({ page }) => {
  const quiet = watchConsole(page);
  await page.goto("./");
  await waitForRun(page);
  await expect(page.getByRole("region", { name: "Welcome" })).toContainText("See what a GPU compiler’s optimizer does to a program");
  await expect(page.getByTestId("sentence")).toContainText("the triangle at BB1.1 becomes guarded instructions");
  // Numbered already: the picture is not that of a program that nothing has looked at.
  await expect(page.locator('#pane-graph [data-node="b0"]')).toContainText("rpo 1");
  await page.getByRole("button", { name: "Open an example" }).click();
  await expect(page.getByRole("dialog", { name: "Examples" })).toBeVisible();
  await page.keyboard.press("Escape");
  await page.reload();
  await waitForRun(page);
  await expect(page.getByRole("region", { name: "Welcome" })).toHaveCount(0);
  quiet();
});

test("the guided minute: six stops by keyboard, each at its step, announced, left at any time", async ({ page }) => {
  await page.goto("./");
  await waitForRun(page);
  await page.getByRole("button", { name: /^Show me/ }).press("Enter");
  const card = page.getByTestId("tour");
  await expect(card).toContainText("1 of 6");
  await expect(page.getByTestId("sentence")).toContainText("computes again what R4 holds");
  await expect(card.getByRole("status")).not.toHaveText("");
  // The page works beside it: a key steps, and the next stop brings one to its own place.
  await page.keyboard.press("s");
  await expect(page.getByTestId("sentence")).toContainText("becomes 'MOV R5, R4'");
  const next = card.getByRole("button", { name: "Next" });
  for (const [stop, sentence] of [
    [2, "becomes 'MOV R5, R4'"],
    [3, "computes again what R4 holds"],
    [4, "computes again what R4 holds"],
    [5, "hit"],
  ] as const) {
    await next.press("Enter");
    await expect(card).toContainText(`${stop} of 6`);
    await expect(page.getByTestId("sentence")).toContainText(sentence);
  }
  await expect(page.getByRole("tab", { name: "Structures" })).toHaveAttribute("aria-selected", "true");
  await next.press("Enter");
  await expect(card.getByRole("button", { name: "Done" })).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(card).toHaveCount(0);
  await expect(page.getByRole("slider", { name: "Step of this phase" })).toBeFocused();
});

test("an emptied editor says what to paste; what is pasted opens where it changes", async ({ page }) => {
  await page.goto("./");
  await waitForRun(page);
  await page.getByRole("button", { name: /^Paste or drop/ }).click();
  await expect(page.getByTestId("blank")).toContainText("nvcc -ptx");
  await expect(page.locator('[data-editor="monaco"]')).toBeVisible();
  await page
    .locator(".monaco-editor")
    .first()
    .click({ position: { x: 90, y: 10 } });
  await page.keyboard.insertText(".kernel mine(out: RD2)\nBB0:\n    MOV R4, 1\n    MOV R5, R4\n    STG [RD2], R5\n    EXIT\n");
  await expect(page.getByTestId("blank")).toHaveCount(0);
  await expect(page.getByLabel("Kernel")).toContainText("mine");
  await expectStep(page, 0);
});

test("the task of an example stays over the text, and its controls are links; every phase is found by its textbook name", async ({
  page,
}) => {
  await openPage(page);
  await openExample(page, "local-array");
  const task = page.getByRole("region", { name: "What to look at" });
  await expect(task).toContainText("Nothing is promoted.");
  await task.getByRole("button", { name: "knob 135" }).click();
  await expect(page.getByRole("tab", { name: "Knobs" })).toHaveAttribute("aria-selected", "true");
  await page.keyboard.press("Control+k");
  await page.keyboard.type("common subexpression");
  await expect(page.getByRole("option", { name: /Value numbering · GvnCse/ })).toBeVisible();
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("phase")).toContainText("Value numbering");
  // Nothing is selected: T says so.
  await focusTimeline(page);
  await page.keyboard.press("t");
  await expect(page.getByText("Nothing is selected: press a block")).toBeVisible();
});
