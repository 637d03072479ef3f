/** Fuel with its lights, and the wrong rewrite that is found after a condition was dropped. */
import { expect } from "@playwright/test";
import { ADDS, TABLE } from "../src/cli/testing/futures-programs.ts";
import { expectFuture, goToPhase, openProgram } from "./futures-page.ts";
import { openTab, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

// Each is a whole session of a person: many runs, one page.
test.describe.configure({ timeout: 180_000 });

test("drop a condition, see the lights, drag the fuel, and find the wrong rewrite", async ({ page }) => {
  const quiet = watchConsole(page);
  await openProgram(page, "table.ori", TABLE);
  await goToPhase(page, "expand-jmx-computation");
  await openTab(page, "All runs");
  await openTab(page, "Drop a condition");
  await page.getByRole("button", { name: "Drop unbounded" }).click();
  await expectFuture(page, "Jump table expansion without the condition 'unbounded'");
  await expect(page.getByTestId("dropped")).toContainText("The result may be wrong");

  await openTab(page, "Stop after a rewrite");
  const lights = page.getByTestId("lights");
  await expect(lights.locator('[data-light="red"]').first()).toBeVisible();
  const slider = page.getByRole("slider", { name: /^Rewrites performed/ });
  const most = Number(await slider.getAttribute("max"));
  await expect(lights).toHaveAttribute("data-known", String(most + 1));
  await expect(lights.locator('[data-light="green"]').first()).toBeVisible();
  // The strip says it of each phase.
  await expect(page.locator('[data-phase="expand-jmx-computation"] [data-strip-light="red"]')).toBeVisible();
  await slider.focus();
  await page.keyboard.press("Home");
  await expect(page.getByTestId("light")).toContainText("same meaning");
  await expect(page.getByTestId("step")).toHaveText(/^input/);
  await page.keyboard.press("End");
  await expect(page.getByTestId("light")).toContainText("different meaning");

  await page.getByRole("button", { name: "Find the first wrong rewrite" }).click();
  await expect(page.getByTestId("bisected")).toContainText("is the first wrong rewrite");
  await expect(page.getByTestId("bisected")).toBeInViewport({ ratio: 0.9 });
  await expect(page.getByTestId("two-runs")).toContainText("Memory of out");
  await page.getByRole("button", { name: "Go to the step" }).click();
  await expect(page.getByTestId("phase")).toContainText("ExpandJmxComputation");
  quiet();
});

test("a program that needs a condition is found, opened, bisected and run; a phase is tried at every place; the graph marks what differs", async ({
  page,
}) => {
  const quiet = watchConsole(page);
  await openProgram(page, "adds.ori", ADDS);
  await goToPhase(page, "gvn-cse");
  await openTab(page, "All runs");

  await openTab(page, "Phase order");
  await page.getByRole("button", { name: "Try this phase at every place" }).click();
  const places = page.getByTestId("places");
  await expect(places.getByRole("row", { name: /^where it is 4 / })).toBeVisible();
  // Each place is a run of the whole pipeline: they come one by one.
  for (const more of [6, 12, 18, 24]) await expect.poll(() => places.getByRole("row").count()).toBeGreaterThan(more);
  await expect(page.getByRole("button", { name: "Try this phase at every place" })).toBeVisible();
  await expect(places.getByRole("row", { name: /^after / })).toContainText("same");
  await expect(page.getByTestId("places-verdict")).toContainText(/^\d+ places tried\. .* warp instructions/);
  await expect(page.getByTestId("places-verdict")).toBeInViewport({ ratio: 0.9 });
  await places.getByRole("button", { name: /^before 13 / }).click();
  await expectFuture(page, "Value numbering moved before Correlated branch elimination");

  await openTab(page, "Compare two runs");
  await expectFuture(page, "Value numbering moved before Correlated branch elimination");
  const compare = page.getByRole("region", { name: "Compare", exact: true });
  await expect(compare.getByLabel("Left", { exact: true }).locator("option:checked")).toHaveText("Original");
  await expect(compare.getByLabel("Right", { exact: true }).locator("option:checked")).toHaveText(
    "Value numbering moved before Correlated branch elimination",
  );
  await expect(compare.getByTestId("compare-said")).toHaveText("Both programs are the same.");

  // The kept program comes at once, and is opened as a program of its own.
  await goToPhase(page, "gvn-cse");
  await openTab(page, "Drop a condition");
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
  await openTab(page, "Stop after a rewrite");
  await page.getByRole("button", { name: "Find the first wrong rewrite" }).click();
  await expect(page.getByTestId("bisected")).toContainText("is the first wrong rewrite");
  await page.getByRole("button", { name: "Load the input into Run" }).click();
  await page.getByRole("button", { name: "Compare before and after optimization" }).click();
  await expect(page.getByTestId("verdict")).toContainText("The memory differs");
  quiet();
});

/** OriLinearReplacement makes a select of the branch, and its edge goes; GvnCse finds two equal adds. */
const NO_DOMINATOR = `.kernel either(n: R0, a: RD0, out: RD1)
BB0:
    ISETP.GT P0, R0, 4
    IADD    R2, R0, 7
@P0 BRA     BB2
BB1:
    LDG     R2, [RD0]
    STG     [RD1+4], R2
    BRA     BB3
BB2:
    LDG     R3, [RD0]
    STG     [RD1+8], R3
    STG     [RD1+12], R2
BB3:
    EXIT
`;
/** Both blocks end alike with a vote, which lanes that part in BB0 take apart from each other. */
const TAILS = `.kernel tails(out: RD0)
BB0:
    S2R     R4, SR_TID.X
    IMAD.WIDE RD1, R4, 4, RD0
    ISETP.LT P0, R4, 9
    ISETP.LT P1, R4, 5
@P0 BRA     BB2
BB1:
    MOV     R5, 1
    IADD    R6, R4, 1
    IMUL    R6, R6, 3
    IADD    R6, R6, R5
@P1 BRA     BB8
    BRA     BB7
BB2:
    MOV     R5, 2
    IADD    R6, R4, 1
    IMUL    R6, R6, 3
    IADD    R6, R6, R5
@P1 BRA     BB8
    BRA     BB7
BB7:
    VOTE.BALLOT R6, PT
BB8:
    STG     [RD1], R6
    EXIT
`;

const WRONG = [
  {
    what: "dominance in value numbering",
    program: NO_DOMINATOR,
    phase: "gvn-cse",
    title: "Value numbering",
    drops: ["leader-dominates", "value-overwritten"],
    address: "49#1",
    step: "GvnCse",
  },
  {
    what: "parting tails in tail merging",
    program: TAILS,
    phase: "branch-folding",
    title: "Branch folding",
    drops: ["tail-parts"],
    address: "branch-folding#1",
    step: "BranchFolding",
  },
] as const;
for (const { what, program, phase, title, drops, address, step } of WRONG) {
  test(`without ${what} the wrong rewrite is found: both programs, the input made small, and both runs side by side`, async ({ page }) => {
    const quiet = watchConsole(page);
    await openProgram(page, "wrong.ori", program);
    await goToPhase(page, phase);
    for (const drop of drops) {
      // What comes of a drop is compared in the middle, and the drawer makes room.
      await openTab(page, "Drop a condition");
      await page.getByRole("button", { name: `Drop ${drop}`, exact: true }).click();
      await expectFuture(page, `${title} without the condition '${drop.replaceAll("-", " ")}'`);
    }
    await openTab(page, "Stop after a rewrite");
    await page.getByRole("button", { name: "Find the first wrong rewrite" }).click();
    const found = page.getByTestId("bisected");
    await expect(found).toContainText("is the first wrong rewrite");
    await expect(found.locator("span").first()).toHaveText(address);
    const runs = page.getByTestId("two-runs");
    await expect(runs.getByRole("row", { name: /^Ends/ })).toContainText("normally");
    const memory = runs.getByRole("row", { name: /^Memory of out/ }).getByRole("cell");
    expect(await memory.nth(0).textContent()).not.toBe(await memory.nth(1).textContent());
    await expect(page.getByText("Before and after the rewrite:")).toBeVisible();
    await page.getByRole("button", { name: "Go to the step" }).click();
    await expect(page.getByTestId("phase")).toContainText(step);
    await expect(page.getByTestId("step")).not.toHaveText(/^input/);
    quiet();
  });
}
