import { readFileSync } from "node:fs";
import { expect } from "@playwright/test";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import { openExample, openTab, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";
import { fillLong } from "./text-field.ts";

const LISTING = readFileSync(
  new URL("../src/features/sass/engine/fixtures/12_state_machine.sm_90.cuobjdump.sass", import.meta.url),
  "utf8",
);

test("a pasted listing is aligned with the result, a matched block selects ours; another is opened as a program", async ({ page }) => {
  const quiet = watchConsole(page);
  await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, example: "12_state_machine.sm_90" })}`);
  await waitForRun(page);
  await openTab(page, "Real SASS");
  const inspector = page.locator("#pane-inspectors");
  await fillLong(inspector.getByRole("textbox", { name: /SASS of the same kernel/ }), LISTING);
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
  // The graph contains only the visible cards; the outline has every block.
  await page.keyboard.press("Control+Shift+O");
  await expect(page.locator("main")).toContainText(".L_x_2");
  quiet();
});
