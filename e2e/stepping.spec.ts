import { expect } from "@playwright/test";
import { expectStep, focusTimeline, openMenu, openPage, openPageAt, openTab, place, setOption, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("steps go forwards and back, to a breakpoint and over phases that changed nothing; the selection is shared", async ({ page }) => {
  const quiet = watchConsole(page);
  await openPage(page);
  await test.step("steps forwards and comes back to the same sentences", async () => {
    await focusTimeline(page);
    const seen: string[] = [];
    for (let step = 1; step <= 4; step++) {
      await page.keyboard.press("s");
      await expectStep(page, step);
      await expect.poll(async () => (await place(page)).sentence).not.toBe(seen.at(-1));
      seen.push((await place(page)).sentence);
    }
    for (let step = 3; step >= 1; step--) {
      await page.keyboard.press("Shift+S");
      await expectStep(page, step);
      await expect.poll(async () => (await place(page)).sentence).toBe(seen[step - 1]);
    }
  });
  await test.step("a key held down ends at the last step asked for", async () => {
    await focusTimeline(page);
    await page.keyboard.press("Control+Home");
    await expectStep(page, 0);
    for (let i = 0; i < 40; i++) await page.keyboard.press("s", { delay: 0 });
    await expectStep(page, 40);
    await page.keyboard.press("Control+End");
    const { step } = await place(page);
    const total = Number(/\/ ([\d]+)/.exec(step)?.[1]);
    await expectStep(page, total);
    await page.keyboard.press("Control+Home");
    await expectStep(page, 0);
  });
  await test.step("a breakpoint on a pseudocode line stops there, both ways", async () => {
    await openTab(page, "Algorithm");
    const line = page.locator('[role="treeitem"][data-line="7"]');
    await line.click();
    await focusTimeline(page);
    await page.keyboard.press("b");
    await expect(line).toHaveAttribute("aria-selected", "true");
    const first = (await place(page)).step;
    await page.keyboard.press("b");
    await expect(page.getByTestId("step")).not.toHaveText(first);
    await expect(line).toHaveAttribute("aria-selected", "true");
    await page.keyboard.press("Shift+B");
    await expect(page.getByTestId("step")).toHaveText(first);

    // What a run does not use of an algorithm is folded: here a pre-pass of another mode.
    await page.locator('[role="option"][data-phase="gvn-cse"]').click();
    const unused = page.getByRole("treeitem", { name: /^5 EBB pre-pass/ });
    await expect(unused).toHaveAttribute("aria-expanded", "false");
    await expect(page.locator('[role="treeitem"][data-line="6"]')).toHaveCount(0);
    await unused.getByRole("button", { name: /^Unfold/ }).click();
    await expect(page.locator('[role="treeitem"][data-line="6"]')).toBeVisible();
    await expect(page.locator('[role="treeitem"][data-line="4"]')).toBeVisible();
  });
  await test.step("the selection is shared: outline, text, record, why", async () => {
    await page.locator('[role="option"][data-phase="analyze-control-flow"]').click();
    await page.keyboard.press("Control+Shift+O");
    await page
      .getByRole("treeitem")
      .filter({ has: page.getByText("BB1.1", { exact: true }) })
      .click();
    await openTab(page, "At this step");
    await openTab(page, "Record");
    await expect(page.getByLabel("Block", { exact: true })).toHaveValue("2");
    await openTab(page, "Why");
    await expect(page.getByRole("tabpanel", { name: "Why" })).toContainText("BB1.1");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("tabpanel", { name: "Why" })).toContainText("AnalyzeControlFlow");
  });
  await test.step("the strip has all positions and says why a phase did not run", async () => {
    const strip = page.getByRole("listbox", { name: "Phases" });
    await expect(strip.getByRole("option")).toHaveCount(160);
    // What a phase did is over the sentence only until the first step.
    await page.keyboard.press("Tab");
    await strip.locator('[aria-selected="true"]').focus();
    const tip = page.getByText(/^\d+ blocks, \d+/).first();
    await expect(tip).toBeVisible();
    await page.keyboard.press("s");
    await expect(tip).toHaveCount(0);
    await setOption(page, "Level", "0");
    await waitForRun(page);
    const gated = strip.locator('[data-phase="gvn-cse"]');
    await expect(gated).toHaveAttribute("data-status", /gated|no-op/);
    await gated.click();
    await expect(page.getByTestId("phase")).toContainText("GvnCse");
    await expect(page.getByRole("tabpanel", { name: "Why" })).toContainText(/gated off|no-op/);
    // One that is known by its name only.
    await gated.press("Shift+ArrowRight");
    await strip.locator('[data-phase="gvn-cse"] + [role="option"] + [role="option"]').press("Shift+ArrowRight");
    await expect(page.getByTestId("sentence")).toContainText("is not modelled");
    await focusTimeline(page);
    await page.keyboard.press("s");
    await expect(page.getByText("there is nothing to step through")).toBeVisible();
  });
  quiet();
});

test("walks over phases that changed something, shows what changed, and compares both ends by a run", async ({ page }) => {
  await openPageAt(page, "unreachable-chain");
  await focusTimeline(page);
  const changed = page.locator('[role="option"][data-status="changed"]');
  expect(await changed.count()).toBeGreaterThan(0);
  await page.keyboard.press("]");
  await waitForRun(page);
  await page.keyboard.press("c");
  await openTab(page, "At this step");
  await expect(page.getByTestId("sentence")).not.toHaveText("");
  await expect(page.locator('[role="option"][data-status="changed"][aria-selected="true"]')).toHaveCount(1);
  // After the last one there is a message.
  const none = page.getByText("No phase after this one changes the program.");
  await expect(async () => {
    await page.keyboard.press("]");
    await expect(none).toBeVisible({ timeout: 500 });
  }).toPass();
  await openTab(page, "Run on inputs");
  await page.getByRole("button", { name: "Compare before and after optimization" }).click();
  const result = page.getByRole("table").filter({ hasText: "Result" });
  await expect(result.getByText("ok")).toHaveCount(2);
  await expect(page.getByTestId("verdict")).toHaveText(/^Same (memory|output), .* instructions? issued/);
  await expect(page.getByTestId("verdict")).toBeInViewport();
  // A light for each phase that changed the program, and the verdict in words.
  await openMenu(page, "Phase");
  await page.getByRole("menuitemcheckbox", { name: "Check equivalence of each phase" }).click();
  await expect(page.getByRole("region", { name: "Notices" })).toContainText(/Checked: each of the \d phases .* kept its meaning/);
  await expect(page.locator('[data-check="true"]')).toHaveCount(await changed.count());
});
