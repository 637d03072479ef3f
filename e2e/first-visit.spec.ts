/** What somebody sees who comes for the first time. */
import { expect, type Locator, test } from "@playwright/test";
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

test("the guided minute is a lab: predicted, stepped and looked up by keyboard, and left at any time", async ({ page }) => {
  test.setTimeout(180_000);
  const quiet = watchConsole(page);
  await page.goto("./");
  await waitForRun(page);
  await page.getByRole("button", { name: /^Show me/ }).press("Enter");
  const lab = page.getByRole("region", { name: "Lab", exact: true });
  // The pane, its thread and the engine in that come one after the other.
  await expect(lab).toBeFocused({ timeout: 45_000 });
  await expect(page.getByText("0 of 3 done")).toBeVisible();
  // A narrower window arranges it anew, and does not read it again.
  const pane = await lab.elementHandle();
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(page.getByRole("tablist", { name: "Lab and panes" })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole("tablist", { name: "Lab and panes" })).toHaveCount(0);
  expect(await pane?.evaluate((element) => element.isConnected)).toBe(true);
  const task = (id: string): Locator => page.locator(`[data-task="${id}"]`);
  const answer = async (id: string, option: string): Promise<void> => {
    await task(id).getByRole("radio", { name: option }).press("Space");
    await task(id).getByRole("button", { name: "Answer", exact: true }).press("Enter");
    await expect(task(id).getByRole("status").filter({ hasText: "Right." })).toBeVisible();
  };
  // The decision is not told before it is predicted.
  await expect(page.getByTestId("phase")).toContainText("Value numbering");
  await expect(page.getByTestId("sentence")).toContainText("BB0 dominates BB1");
  await answer("decision", "yes: it does");
  await expect(page.getByTestId("sentence")).toContainText("computes again what R4 holds");
  await lab.press("n");
  await expect(page.getByTestId("sentence")).toContainText("becomes 'MOV R5, R4'");
  // The page works beside it.
  await focusTimeline(page);
  await page.keyboard.press("Shift+s");
  await expect(page.getByTestId("sentence")).toContainText("computes again what R4 holds");
  await answer("rewrite", "MOV R5, R4");
  await lab.press("n");
  await expect(page.getByTestId("sentence")).toContainText("hit");
  await answer("table", "Their value number");
  await expect(page.getByText("3 of 3 done")).toBeVisible();
  await lab.press("n");
  await expect(lab.getByRole("heading", { name: "A hundred and fifty-nine phases" })).toBeVisible();
  await page.getByRole("button", { name: "Close the lab; your work is kept" }).press("Enter");
  await expect(lab).toHaveCount(0);
  await expect(page.getByTestId("sentence")).toContainText("hit");
  quiet();
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
