import { expect, type Page } from "@playwright/test";
import { manyKernels } from "../src/engine/import/ptx/testing/many-kernels.ts";
import { dropFile, openPageAt, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

/** Over the 100 kB from which a text is read in parts. */
const KERNELS = manyKernels(12, 24);
const COUNT = 13;

/** Records each progress that the page shows: of reading, with the number of kernels that can be chosen and that are read, and of running. */
async function noteProgress(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const ahead = document.querySelector('[data-testid="ahead"]')?.textContent ?? "";
      const said = document.querySelector('[data-testid="progress"]')?.textContent ?? ahead;
      if (said === "" || seen.at(-1)?.startsWith(said) === true) return;
      const options = [...document.querySelectorAll('select[id] option[value^="k"]')].map((option) => option.textContent ?? "");
      seen.push(`${said}; ${options.length} listed, ${options.filter((title) => title.endsWith("not read yet")).length} to be read`);
    }).observe(document.body, { subtree: true, childList: true, characterData: true });
  });
  return () => page.evaluate(() => (window as unknown as { readonly seen: readonly string[] }).seen);
}

const picker = (page: Page) => page.getByLabel("Kernel", { exact: true });

/** All of the text that was dropped is read, and its first kernel is drawn. */
async function waitForAll(page: Page): Promise<void> {
  await page.getByLabel(/^Control-flow graph of k0:/).waitFor({ timeout: 45_000 });
  await expect(picker(page).locator("option")).toHaveCount(COUNT, { timeout: 45_000 });
  await expect(picker(page).locator("option", { hasText: "not read yet" })).toHaveCount(0, { timeout: 45_000 });
}

/** As nvcc names kernels: alike at the beginning, where a list shows them. */
const mangled = (i: number): string => `_ZN3app6detail6reduceINS0_6policyILi${i * 32}EEEfEEvPKT0_PS3_i`;

test("many kernels: the first is shown, all are listed from the beginning, and the page says how far the reading is", async ({ page }) => {
  test.slow();
  const clean = watchConsole(page);
  await openPageAt(page, "two-adds");
  await test.step("each is read and then run in the background, and opens", async () => {
    const progress = await noteProgress(page);
    await dropFile(page, "library.ptx", KERNELS);
    await waitForAll(page);
    await waitForRun(page);
    await expect(page.getByTestId("progress")).toHaveCount(0);
    await expect(page.getByText("No problems")).toBeVisible();
    await expect.poll(async () => (await progress()).some((said) => /^running kernels: \d+ of 11;/.test(said))).toBe(true);
    await picker(page).selectOption("k11");
    await page.getByLabel(/^Control-flow graph of k11:/).waitFor({ timeout: 45_000 });
    await expect(page.getByTestId("ahead")).toHaveCount(0, { timeout: 90_000 });
    const said = await progress();
    expect(said[0]).toBe(`reading kernels: 2 of ${COUNT}; 12 listed, 11 to be read`);
    expect(new Set(said).size).toBe(said.length);
  });
  await test.step("an error in one is named where it is, and the others are shown", async () => {
    const wrong = KERNELS.replace("add.s32 %r5, %r4, 3;", "add.s32 %r5, ;");
    await dropFile(page, "wrong.ptx", wrong);
    const line = wrong.slice(0, wrong.indexOf("add.s32 %r5, ;")).split("\n").length;
    await expect(page.getByTestId("problems")).toContainText(`${line}:`, { timeout: 45_000 });
    await expect(picker(page).locator('option[value="k3"]')).toHaveText("k3 · has errors");
    await expect(picker(page).locator('option[value="k3"]')).toBeDisabled();
    await waitForEditor(page);
    await picker(page).selectOption("k4");
    await page.getByLabel(/^Control-flow graph of k4:/).waitFor({ timeout: 45_000 });
    await expect(page.locator(".view-line", { hasText: /\.entry\sk4\b/ }), "its text is brought into view").toBeVisible();
  });
  await test.step("mangled names are told apart in the list, and are found by any part", async () => {
    const entries = [1, 2, 4].map((i) => `.visible .entry ${mangled(i)}()\n{\n  .reg .b32 %r<2>;\n  mov.u32 %r1, ${i};\n  ret;\n}\n`);
    await dropFile(page, "mangled.ptx", `.version 8.0\n.target sm_80\n.address_size 64\n${entries.join("")}`);
    await expect(picker(page).locator("option")).toHaveText([/^reduce ‹32› · /, /^reduce ‹64› · /, /^reduce ‹128› · /]);
    // The whole name is its title, of the list and of each in it.
    await expect(picker(page).locator("xpath=..")).toHaveAttribute("title", `Current kernel: ${mangled(1)}`);
    await expect(picker(page).locator("option").nth(2)).toHaveAttribute("title", mangled(4));
    await page.keyboard.press("Control+k");
    await page.keyboard.type("kernel policyILi128");
    await expect(page.getByRole("option", { name: /reduce ‹128›/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByLabel(new RegExp(`^Control-flow graph of ${mangled(4)}:`))).toBeVisible();
  });
  clean();
});
