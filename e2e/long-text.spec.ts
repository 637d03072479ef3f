import { deflateRawSync } from "node:zlib";
import { expect, type Page } from "@playwright/test";
import { manyKernels } from "../src/engine/import/ptx/testing/many-kernels.ts";
import { openPage, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";
import { noteTexts } from "./told-text.ts";

/** About a megabyte. */
const TEXT = manyKernels(30, 80);
const COUNT = 31;

/** Drops a file on the window. */
async function drop(page: Page, text: string): Promise<void> {
  await page.evaluate((program) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File([program], "library.ptx", { type: "text/plain" }));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, text);
}

/** Notes each progress that the page shows, with how many kernels can be chosen and how many of them are read. */
async function noteProgress(page: Page): Promise<() => Promise<readonly string[]>> {
  await page.evaluate(() => {
    const seen: string[] = [];
    Object.assign(window, { seen });
    new MutationObserver(() => {
      const said = document.querySelector('[data-testid="progress"]')?.textContent ?? "";
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
  await expect(page.getByLabel(/^Control-flow graph of k0:/)).toBeVisible({ timeout: 45_000 });
  await expect(picker(page).locator("option")).toHaveCount(COUNT, { timeout: 45_000 });
  await expect(picker(page).locator("option", { hasText: "not read yet" })).toHaveCount(0, { timeout: 45_000 });
}

test("a megabyte of PTX: the first kernel is shown, all are listed from the beginning, and the page says how far the reading is", async ({
  page,
}) => {
  test.slow();
  expect(TEXT.length).toBeGreaterThan(900_000);
  const clean = watchConsole(page);
  await openPage(page);
  const progress = await noteProgress(page);
  await drop(page, TEXT);
  await waitForAll(page);
  await waitForRun(page);
  const said = await progress();
  expect(said[0]).toBe(`reading kernels: 2 of ${COUNT}; 30 listed, 29 to be read`);
  expect(new Set(said).size).toBe(said.length);
  await expect(page.getByTestId("progress")).toHaveCount(0);
  await expect(page.getByText("No problems")).toBeVisible();
  // The others run in the background, and the page shows the progress.
  await expect(page.getByTestId("ahead")).toContainText(/^running kernels: \d+ of 29$/, { timeout: 45_000 });
  // Any of them opens.
  await picker(page).selectOption("k29");
  await expect(page.getByLabel(/^Control-flow graph of k29:/)).toBeVisible({ timeout: 45_000 });
  await expect(page.getByTestId("ahead")).toHaveCount(0, { timeout: 90_000 });
  await picker(page).selectOption("k5");
  await expect(page.getByLabel(/^Control-flow graph of k5:/)).toBeVisible();
  clean();
});

test("what is typed into a megabyte of PTX while its rest is read is what is shown", async ({ page }) => {
  test.slow();
  await openPage(page);
  await waitForEditor(page);
  await drop(page, TEXT);
  await expect(page.locator(".monaco-editor .view-line").filter({ hasText: ".target sm_80" })).toBeVisible();
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("} ");
  await expect(page.getByTestId("problems")).toContainText("'}' outside a function", { timeout: 45_000 });
  await page.keyboard.press("Backspace");
  await page.keyboard.press("Backspace");
  await expect(page.getByText("No problems")).toBeVisible({ timeout: 45_000 });
  await waitForAll(page);
  await waitForRun(page);
});

test("a megabyte comes into the editor in pieces that undo takes back as one, and a key tells the engine of itself alone", async ({
  page,
}) => {
  test.slow();
  const told = await noteTexts(page);
  await openPage(page);
  await waitForEditor(page);
  const text = async (): Promise<string> => (await told()).text;
  const before = await text();
  await page.locator(".monaco-editor").first().click();
  await drop(page, TEXT);
  // At once: some of it may still be on its way into the editor.
  await page.waitForFunction(
    (length) => (window as unknown as { readonly told: { readonly text: string } }).told.text.length === length,
    TEXT.length,
  );
  await page.keyboard.press("Control+z");
  await expect.poll(text).toBe(before);
  await page.keyboard.press("Control+y");
  await expect.poll(async () => (await text()) === TEXT).toBe(true);
  await waitForAll(page);
  const { edits, characters } = await told();
  await page.keyboard.press("Control+Home");
  await page.keyboard.type("// mine ");
  await expect.poll(async () => (await text()) === `// mine ${TEXT}`).toBe(true);
  const after = await told();
  expect(after.edits).toBeGreaterThan(edits);
  expect(after.characters - characters).toBeLessThan(100);
  // The editor has all of it, too.
  await page.keyboard.press("Control+End");
  await page.keyboard.type("// end");
  await expect.poll(async () => (await text()) === `// mine ${TEXT}// end`).toBe(true);
});

test("an error in one kernel of many is named where it is, and the others are shown", async ({ page }) => {
  test.slow();
  await openPage(page);
  await drop(page, TEXT.replace("add.s32 %r5, %r4, 3;", "add.s32 %r5, ;"));
  await waitForAll(page);
  await waitForRun(page);
  const line = TEXT.slice(0, TEXT.indexOf("add.s32 %r5, %r4, 3;")).split("\n").length;
  await expect(page.getByTestId("problems")).toContainText(`${line}:`);
  await expect(picker(page).locator('option[value="k3"]')).toHaveText("k3 · has errors");
  await expect(picker(page).locator('option[value="k3"]')).toBeDisabled();
  await picker(page).selectOption("k4");
  await expect(page.getByLabel(/^Control-flow graph of k4:/)).toBeVisible({ timeout: 45_000 });
});

/** As nvcc names kernels: alike at the beginning, where a list shows them. */
const mangled = (i: number): string => `_ZN3app6detail6reduceINS0_6policyILi${i * 32}EEEfEEvPKT0_PS3_i`;

test("kernels with mangled names are told apart in the list, and are found by any part of their names", async ({ page }) => {
  await openPage(page);
  const entries = [1, 2, 4].map((i) => `.visible .entry ${mangled(i)}()\n{\n  .reg .b32 %r<2>;\n  mov.u32 %r1, ${i};\n  ret;\n}\n`);
  await drop(page, `.version 8.0\n.target sm_80\n.address_size 64\n${entries.join("")}`);
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

test("a link of millions of empty lines shows the first of them until the editor is there, and then all", async ({ page }) => {
  test.slow();
  let load = (): void => undefined;
  const held = new Promise<void>((done) => (load = done));
  await page.route(/assets\/monaco-.*\.js$/, async (route) => {
    await held;
    await route.continue();
  });
  await page.goto(
    `./#v1.${deflateRawSync(Buffer.from(JSON.stringify({ source: "\n".repeat(7_900_000) })), { level: 9 }).toString("base64url")}`,
  );
  await expect(page.getByTestId("cut")).toHaveText("7,899,600 more lines, once the editor is loaded", { timeout: 45_000 });
  await expect(page.getByLabel("Source text")).toHaveJSProperty("readOnly", true);
  load();
  await waitForEditor(page);
  await expect(page.getByTestId("cut")).toHaveCount(0);
});

test("without its editor a long text cannot be changed, and the page says so", async ({ page }) => {
  await page.route(/assets\/monaco-.*\.js$/, (route) => route.abort());
  await page.goto(
    `./#v1.${deflateRawSync(Buffer.from(JSON.stringify({ source: "//\n".repeat(6_000) })), { level: 9 }).toString("base64url")}`,
  );
  await expect(page.getByTestId("cut")).toHaveText(
    "1,000 more lines: the text is too long for this field. Reload the page to load the editor.",
  );
  await expect(page.getByLabel("Source text")).toHaveJSProperty("readOnly", true);
  await page.getByRole("button", { name: "Examples" }).click();
  await page.locator("[data-example]").first().click();
  await expect(page.getByLabel("Source text")).toHaveJSProperty("readOnly", false);
});
