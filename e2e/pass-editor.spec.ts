/** Writing a pass in the page: the editor with types and docs, Run, Check and Compare. */
import { readFileSync } from "node:fs";
import AxeBuilder from "@axe-core/playwright";
import { expect, type Page, test } from "@playwright/test";
import { openPage, watchConsole } from "./page.ts";

const panels = (page: Page) => page.getByTestId("pass-panels");
const said = (page: Page) => page.getByTestId("pass-said");
const typeScriptRuns = (page: Page): boolean => page.workers().some((worker) => worker.url().includes("ts.worker"));

const passFile = (name: string): string => readFileSync(new URL(`../passes/${name}`, import.meta.url), "utf8");

/** One of the kept broken passes: a template with one line changed. */
function brokenPass(id: string): string {
  const all = JSON.parse(passFile("broken.json")) as { id: string; from: string; find: string; put: string }[];
  const { from, find, put } = all.find((broken) => broken.id === id)!;
  return passFile(`${from}.ts`).replace(find, () => put);
}

/** Opens a pass as a file of one's own. */
async function openPass(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("tab", { name: "Pass", exact: true }).click();
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a file…" }).click()]);
  await chooser.setFiles({ name, mimeType: "text/typescript", buffer: Buffer.from(text) });
  await expect(page.locator('[data-pass-editor="monaco"]')).toBeVisible();
}

test("a template is edited with completion and types, and runs as a phase", async ({ page }) => {
  const complaints = watchConsole(page);
  await openPage(page);
  expect(typeScriptRuns(page)).toBe(false);
  await page.getByRole("menuitem", { name: "Phase", exact: true }).click();
  await page.getByRole("menuitem", { name: "Write a pass", exact: true }).click();
  await page.getByRole("button", { name: "Jump to next: solution" }).click();
  const code = page.locator('[data-pass-editor="monaco"]');
  await expect(code).toBeVisible();
  await expect(page.getByRole("tab", { name: "Tests 2/2" })).toBeVisible();

  await code.locator(".view-line").first().click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText('\nconst wrong: number = "text";\n');
  await expect(page.getByTestId("pass-messages")).toContainText("not assignable to type 'number'");
  await expect(code.locator(".squiggly-error").first()).toBeVisible();
  expect(typeScriptRuns(page)).toBe(true);
  // A list that was asked for before TypeScript has read the file has less in it.
  await expect(async () => {
    await page.keyboard.press("Escape");
    await page.keyboard.press("ControlOrMeta+Space");
    await expect(page.locator(".suggest-widget")).toContainText("definePass", { timeout: 5_000 });
  }).toPass();
  await page.keyboard.press("Escape");

  // The wrong type stops nothing.
  await page.keyboard.press("ControlOrMeta+Enter");
  await expect(said(page)).toHaveText(/^jump to next: /);
  await expect(page.getByTestId("phase")).toContainText("jump to next");
  complaints();
});

test("Check finds a broken pass and opens its program; Compare has figures", async ({ page }) => {
  const complaints = watchConsole(page);
  await openPage(page);
  await openPass(page, "mine.ts", brokenPass("dead-stores"));
  await page.getByRole("tab", { name: "Check", exact: true }).click();
  await page.getByLabel("Random programs").fill("12");
  await page.getByRole("checkbox", { name: "the examples" }).uncheck();
  await panels(page).getByRole("button", { name: "Check", exact: true }).click();
  await expect(page.getByTestId("check-verdict")).toContainText("wrong");
  const failing = (await page.getByTestId("failing-program").textContent()) ?? "";
  expect(failing).toContain(".kernel");
  const { violations } = await new AxeBuilder({ page })
    .include("#pass")
    .withTags(["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"])
    .analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map((node) => node.html)])).toEqual([]);
  const [report] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Save the report/ }).click()]);
  expect(readFileSync(await report.path(), "utf8")).toContain("another meaning");

  await page.getByRole("button", { name: "Open this program" }).click();
  await expect(page.getByTestId("phase")).toContainText("dead code");
  await expect.poll(() => page.title()).toContain("dead code:");
  // At a rewrite of the pass, with its line marked.
  await expect(page.getByTestId("step")).toHaveText(/^step \d/);
  await expect(page.locator("[data-pass-editor] .ori-step-line").first()).toBeVisible();

  await page.getByRole("tab", { name: "Compare", exact: true }).click();
  await page.getByLabel("Random programs").fill("6");
  await panels(page).getByRole("button", { name: "Compare", exact: true }).click();
  await expect(page.getByTestId("compare-verdict")).toContainText("The same program on");
  await expect(page.getByTestId("compare-figures").getByRole("row", { name: "executed warp instructions" })).toContainText(/\d/);
  complaints();
});
