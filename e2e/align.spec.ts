import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { openExample, openPageAt, openTab, watchConsole } from "./page.ts";
import { test } from "./test.ts";

const LISTING = readFileSync(new URL("../src/engine/import/sass/fixtures/12_state_machine.sm_90.cuobjdump.sass", import.meta.url), "utf8");

test("a pasted listing is aligned with the result, a matched block selects ours; another is opened as a program", async ({ page }) => {
  const quiet = watchConsole(page);
  await openPageAt(page, "two-adds");
  await openExample(page, "12_state_machine.sm_90");
  await openTab(page, "Real SASS");
  const inspector = page.locator("#pane-inspectors");
  await inspector.getByRole("textbox", { name: /SASS of the same kernel/ }).fill(LISTING);
  await inspector.getByRole("button", { name: "Align" }).click();
  await expect(inspector).toContainText(/Decisions: \d+ of \d+ agree/);
  await expect(inspector).toContainText(/Matched blocks: \d\d/);
  const block = inspector.getByRole("row", { name: /compare 46/ }).getByRole("button");
  await block.click();
  await expect(block).toHaveAttribute("aria-pressed", "true");
  await expect(inspector.getByRole("region", { name: "Real" })).toContainText("ISETP.NE P1, R13, 46");
  await inspector.getByRole("button", { name: "Other listing" }).click();
  await inspector.getByRole("button", { name: /Use State machine · SASS/ }).click();
  await expect(inspector).toContainText(/Decisions: \d+ of \d+ agree/);

  // Another opens from the gallery, as a program with its whole graph.
  await openExample(page, "03_nested_and.sm_90.sass");
  // The graph shows the cards in sight only; the outline has every block.
  await page.keyboard.press("Control+Shift+O");
  await expect(page.locator("main")).toContainText(".L_x_2");
  quiet();
});
