/** The inspectors of single phases: switches, values, the life of a register. */
import { expect } from "@playwright/test";
import { dropFile, focusTimeline, openExample, openPageAt, openTab, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("a switch shows its strategies as predicted and as measured; a value, the memory that its load reads", async ({ page }) => {
  const done = watchConsole(page);
  await openPageAt(page, "switch-dense");
  await openTab(page, "Switches");
  await page.getByRole("combobox", { name: "Program" }).selectOption("written");
  const table = page.getByRole("table").filter({ hasText: "jump table" });
  await expect(table.getByRole("row", { name: /^jump table/ })).toContainText("3 ·");
  await page.getByLabel("Lanes take").selectOption("default");
  await expect(page.getByText(/^Lanes: -?\d+ ×32$/)).toBeVisible();
  await page.getByLabel("Lanes take").selectOption("one");
  await page.getByLabel("Value", { exact: true }).fill("x");
  await expect(page.getByText("one 32-bit integer")).toBeVisible();

  await dropFile(
    page,
    "loads.ori",
    ".kernel loads(in: RD0, out: RD1)\nBB0:\n    LDG R2, [RD0]\n    STG [RD1], R2\n    LDG R3, [RD0]\n    STG [RD1+0x4], R3\n    EXIT\n",
  );
  await expect(page.getByLabel("Kernel")).toContainText("loads");
  await page.locator('[role="option"][data-phase="gvn-cse"]').click();
  await waitForRun(page);
  await focusTimeline(page);
  await page.keyboard.press("End");
  await openTab(page, "Data");
  const numbers = page.getByRole("table").filter({ hasText: "Held by, leader first" });
  await expect(numbers).toContainText(/by 'STG \[RD1\], R2' in BB0/);
  await openTab(page, "Values");
  await page.getByLabel("Show", { exact: true }).selectOption("modes");
  await expect(page.getByRole("table", { name: /Each mode on the input/ })).toContainText("4, 'notes'");
  done();
});

test("a register's life goes through the phases; a decision leads to its rule's code and to the other policy", async ({ page }) => {
  const done = watchConsole(page);
  await openPageAt(page, "copy-chain");
  await focusTimeline(page);
  await page.keyboard.press("Home");
  await page.locator('[data-reg="R2"]').first().click();
  await openTab(page, "Why");
  await page.getByLabel("all phases").check();
  const written = page.getByRole("region", { name: "As written" });
  await expect(written).toContainText("MOV R2, R1");
  const changes = page.getByRole("region", { name: "Changes through the phases" });
  await expect(changes).toContainText(/R2 changed in \d+ of \d+ phases?\./);
  await expect(page.getByRole("region", { name: "Phase by phase" }).getByRole("button").first()).toContainText("because");
  await expect(page.getByText("R2 is not in the program after this phase.")).toHaveCount(0);
  await page.getByRole("button", { name: "Show every event that touches it" }).click();
  await expect(page.getByText("R2 is not in the program after this phase.").first()).toBeVisible();
  await openExample(page, "fixture:general-optimize-early/lane-id-notes");
  // An example of one phase also has a task, whose words lead to the tab.
  await openTab(page, "Log");
  await expect(page.getByRole("tabpanel", { name: "Why" })).toHaveCount(0);
  await page.getByRole("region", { name: "What to look at" }).getByRole("button", { name: "Why" }).click();
  await expect(page.getByRole("tabpanel", { name: "Why" })).toBeVisible();
  await expect(page.getByText("as measured on ptxas 13: a different program (3 matches, 1 rewrite)")).toBeVisible();
  const refused = page.getByRole("button", { name: /'ISETP.GT P0, R1, 32' stays/ });
  await expect(refused).toContainText("as measured on ptxas 13: yes: 'ISETP.GT P0, R1, 32' becomes");
  await refused.click();
  const sentence = page.getByTestId("sentence");
  await expect(sentence).toContainText("'ISETP.GT P0, R1, 32' stays");
  await expect(sentence).toContainText("as measured on ptxas 13: yes");
  // The rule has no name but its line of the pseudocode; the phase and its parts go before it.
  await expect(page.getByTestId("rule-link")).toHaveText(/^line \d+: .{10}/);
  await expect(page.getByRole("navigation", { name: "Enclosing spans" })).toHaveText(
    /^Correlated branch elimination(?!.*GeneralOptimizeEarly)/,
  );
  await page.getByTestId("rule-link").click();
  await expect(page.getByTestId("rule-place")).toContainText("src/engine/passes/shared/copies/constant-folding.ts:");
  await expect(page.getByTestId("rule-code")).toContainText('miss("policy"');
  await expect(page.getByRole("list", { name: /^Conditions/ }).locator('[aria-current="step"]')).toContainText("policy");
  await openTab(page, "Why");
  await focusTimeline(page);
  await page.keyboard.press("r");
  await expect(page.getByRole("button", { name: "The rule and its source" })).toHaveAttribute("aria-expanded", "true");
  // Pressed, both ends are compared in the middle, and the page's own rules stay.
  await sentence.getByRole("button", { name: /^as measured on ptxas 13/ }).click();
  const compare = page.getByRole("region", { name: "Compare", exact: true });
  await expect(compare.getByTestId("compare-said")).toContainText("as measured on ptxas 13", { timeout: 30_000 });
  await expect(page.getByLabel("Policy", { exact: true })).toHaveValue("notes");
  await expect(page.locator('[data-graph] [data-node][class*="diff-"]').first()).toBeVisible();
  await openExample(page, "fixture:do-switch-opt-first/kepler");
  await page.getByText("Numbers and internals").click();
  const slots = page.getByRole("table", { name: "Slot 17 by backend" });
  await expect(slots.getByRole("row")).toHaveCount(8);
  await expect(slots.getByRole("row", { name: /^SM30 this run/ })).toContainText("no-op");
  done();
});
