/** Results of a run and listings belong to their program, and made-up values are marked. */

import { expect } from "@playwright/test";
import { openExample, openPage, openTab, typeSource, waitForRun } from "./page.ts";
import { test } from "./test.ts";

const OPAQUE = `.target sm_90
.kernel k(out: RD0)
BB0:
    MOV R1, 5
    OPAQUE.pure {R0}, {R1}, "foo"
    STG [RD0], R1
    STG [RD0+0x4], R0
    EXIT
`;

test("what Run showed is gone with the program, the options and the text that it belongs to", async ({ page }) => {
  await openPage(page);
  await openTab(page, "Run on inputs");
  const verdict = page.getByTestId("verdict");
  const compare = page.getByRole("button", { name: "Compare before and after optimization" });
  await compare.click();
  await expect(verdict).toHaveText(/^Same (memory|output)/);
  await openExample(page, "jump-table");
  await openTab(page, "Run on inputs");
  await expect(verdict).toBeEmpty();
  await expect(page.getByRole("table").filter({ hasText: "Executions of each block" })).toHaveCount(0);
  await compare.click();
  await expect(verdict).toHaveText(/\S/);
  await typeSource(page, OPAQUE);
  await waitForRun(page);
  await expect(verdict).toBeEmpty();
});

test("a made-up value in memory is marked and says what it depends on", async ({ page }) => {
  await openPage(page);
  await typeSource(page, OPAQUE);
  await waitForRun(page);
  await openTab(page, "Run on inputs");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByTestId("verdict")).toContainText("1 of 1024 words depends on the opaque instruction 'foo' (line 5)");
  const marked = page.getByRole("button", { name: /Stand-in: depends on the opaque instruction 'foo' \(line 5\)$/ });
  await expect(marked).toHaveCount(1);
  await marked.hover();
  await expect(page.getByText(/^Stand-in: depends on the opaque instruction 'foo'/)).toBeVisible();
});

test("a listing is offered for the program that it is of, and leaves with it", async ({ page }) => {
  await openPage(page);
  await openExample(page, "01_switch_dense.sm_90");
  await openTab(page, "Real SASS");
  await page
    .getByRole("button", { name: /^Use .*SASS/ })
    .first()
    .click();
  await expect(page.getByRole("button", { name: "Other listing" })).toBeVisible();
  await openExample(page, "jump-table");
  await openTab(page, "Real SASS");
  await expect(page.getByRole("button", { name: "Other listing" })).toHaveCount(0);
  await expect(page.getByRole("button", { name: /^Use / })).toHaveCount(0);
});
