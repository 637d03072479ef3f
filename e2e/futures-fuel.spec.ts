/** Phases at every position, a dropped condition, fuel with its verdicts, and the search for the wrong rewrite. */
import { expect } from "@playwright/test";
import { ADDS } from "../src/cli/testing/futures-programs.ts";
import { expectFuture, goToPhase, openProgram } from "./futures-page.ts";
import { openTab, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("a phase is tried at every place; a condition is dropped, its program opened, and the wrong rewrite found and run", async ({
  page,
}) => {
  // A whole session of a person: many runs, one page.
  test.setTimeout(180_000);
  const quiet = watchConsole(page);

  await test.step("a phase is tried at every place", async () => {
    await openProgram(page, "adds.ori", ADDS);
    await goToPhase(page, "gvn-cse");
    await openTab(page, "All runs");
    await openTab(page, "Phase order");
    await page.getByRole("button", { name: "Try this phase at every place" }).click();
    const places = page.getByTestId("places");
    await expect(places.getByRole("row", { name: /^where it is 4 / })).toBeVisible();
    // Each position needs a run of the whole pipeline: they arrive one by one.
    for (const more of [6, 12, 18, 24]) await expect.poll(() => places.getByRole("row").count()).toBeGreaterThan(more);
    await expect(page.getByRole("button", { name: "Try this phase at every place" })).toBeVisible();
    await expect(places.getByRole("row", { name: /^after / })).toContainText("same");
    await expect(page.getByTestId("places-verdict")).toContainText(/^\d+ places tried\. .* warp instructions/);
    await expect(page.getByTestId("places-verdict")).toBeInViewport({ ratio: 0.9 });
    await places.getByRole("button", { name: /^before 13 / }).click();
    await expectFuture(page, "Value numbering moved before Correlated branch elimination");
  });

  await test.step("what it became is compared", async () => {
    await openTab(page, "Compare two runs");
    await expectFuture(page, "Value numbering moved before Correlated branch elimination");
    const compare = page.getByRole("region", { name: "Compare", exact: true });
    await expect(compare.getByLabel("Left", { exact: true }).locator("option:checked")).toHaveText("Original");
    await expect(compare.getByLabel("Right", { exact: true }).locator("option:checked")).toHaveText(
      "Value numbering moved before Correlated branch elimination",
    );
    await expect(compare.getByTestId("compare-said")).toHaveText("Both programs are the same.");
  });

  await test.step("a condition is dropped, and the program that needs it opened", async () => {
    await goToPhase(page, "gvn-cse");
    await openTab(page, "Drop a condition");
    await page.getByRole("button", { name: "Drop value-overwritten", exact: true }).click();
    await expectFuture(page, "Value numbering without the condition 'value overwritten'");
    await openTab(page, "Drop a condition");
    // The stored program opens immediately, as a separate program.
    const condition = page.getByRole("region", { name: "gvn-cse: value-overwritten" });
    await condition.getByText("A program that shows this").click();
    await expect(page.getByRole("region", { name: "The program that shows why value-overwritten is needed" })).toContainText(
      "// drops: value-overwritten",
    );
    await condition.getByRole("button", { name: "Show me why value-overwritten is needed" }).click();
    await expect(condition.getByTestId("need")).toContainText("Found in the collection");
    await condition.getByRole("button", { name: "Open it with the condition dropped" }).click();
    await expect.poll(() => page.title()).toContain("why value-overwritten");
    await waitForRun(page);
    await expect(page.getByTestId("dropped")).toContainText("The result may be wrong");
  });

  await test.step("the lights, and the fuel that is dragged", async () => {
    await openTab(page, "Stop after a rewrite");
    const lights = page.getByTestId("lights");
    await expect(lights.locator('[data-light="red"]').first()).toBeVisible();
    const slider = page.getByRole("slider", { name: /^Rewrites performed/ });
    const most = Number(await slider.getAttribute("max"));
    await expect(lights).toHaveAttribute("data-known", String(most + 1));
    await expect(lights.locator('[data-light="green"]').first()).toBeVisible();
    // The strip shows it for each phase.
    await expect(page.locator('[data-phase="gvn-cse"] [data-strip-light="red"]')).toBeVisible();
    await slider.focus();
    await page.keyboard.press("Home");
    await expect(page.getByTestId("light")).toContainText("same meaning");
    await expect(page.getByTestId("step")).toHaveText(/^input/);
    await page.keyboard.press("End");
    await expect(page.getByTestId("light")).toContainText("different meaning");
  });

  await test.step("the first wrong rewrite is found, with both runs side by side", async () => {
    await page.getByRole("button", { name: "Find the first wrong rewrite" }).click();
    const found = page.getByTestId("bisected");
    await expect(found).toContainText("is the first wrong rewrite");
    await expect(found).toBeInViewport({ ratio: 0.9 });
    await expect(found.locator("span").first()).toHaveText(/^49#\d$/);
    const runs = page.getByTestId("two-runs");
    await expect(runs.getByRole("row", { name: /^Ends/ })).toContainText("normally");
    const memory = runs.getByRole("row", { name: /^Memory of out/ }).getByRole("cell");
    expect(await memory.nth(0).textContent()).not.toBe(await memory.nth(1).textContent());
    await expect(page.getByText("Before and after the rewrite:")).toBeVisible();
    await page.getByRole("button", { name: "Go to the step" }).click();
    await expect(page.getByTestId("phase")).toContainText("GvnCse");
    await expect(page.getByTestId("step")).not.toHaveText(/^input/);
  });

  await test.step("its input is run", async () => {
    await page.getByRole("button", { name: "Load the input into Run" }).click();
    await page.getByRole("button", { name: "Compare before and after optimization" }).click();
    await expect(page.getByTestId("verdict")).toContainText("The memory differs");
  });
  quiet();
});
