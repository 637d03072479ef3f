import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, type Page, test } from "@playwright/test";
import { expectStep, exportAs, focusTimeline, openPage, place, watchConsole } from "./page.ts";

const KERNEL = "src/app/examples/ptx/05_loop_nest.sm_90.ptx";

/** Writes the file as a user would, and opens it from the disk without a network. */
async function openExport(page: Page, folder: string, ...options: string[]): Promise<void> {
  const html = execFileSync(process.execPath, ["bin/oriscope.mjs", "export", KERNEL, "--as", "html", ...options], {
    encoding: "utf8",
    maxBuffer: 1e8,
  });
  const file = join(folder, "trace.html");
  // Small enough to be sent by mail: a phase of 334 steps has 73 kB.
  if (options.includes("--phase")) expect(Buffer.byteLength(html)).toBeLessThan(300_000);
  writeFileSync(file, html);
  await page.context().setOffline(true);
  await page.goto(pathToFileURL(file).href);
}

test("an exported file steps both ways from the disk", async ({ page }, info) => {
  const quiet = watchConsole(page);
  await openExport(page, info.outputPath(), "--phase", "ori-branch-opt");
  const step = page.getByTestId("step");
  const sentence = page.getByTestId("sentence");
  await expect(step).toHaveText(/^input \/ \d+$/);
  await page.keyboard.press("Shift+ArrowRight");
  const place = await step.textContent();
  await expect(sentence).toHaveText(/BRA .* is inserted into BB1/);
  await expect(page.locator(".graph .changed .label")).toHaveText("BB1");
  await expect(page.locator(".changes .added")).toHaveText(/\+ BRA/);
  const after = await page.locator(".graph").innerHTML();
  await page.getByRole("button", { name: "Step back", exact: true }).click();
  await expect(page.locator(".changes .added")).toHaveCount(0);
  await page.getByRole("button", { name: "Step forward", exact: true }).click();
  await expect(step).toHaveText(place ?? "");
  expect(await page.locator(".graph").innerHTML()).toBe(after);
  await page.keyboard.press("End");
  await expect(page.getByRole("button", { name: "Step forward", exact: true })).toBeDisabled();
  await page.keyboard.press("Home");
  await expect(step).toHaveText(/^input/);
  quiet();
});

test("an exported pipeline goes on into the next phase, fits a narrow window, and prints a figure a change", async ({ page }, info) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await openExport(page, info.outputPath());
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // Its lines wrap.
  expect(await page.getByLabel("Pseudocode").evaluate((code) => code.scrollWidth - code.clientWidth)).toBe(0);
  const first = await page.getByRole("combobox").inputValue();
  await page.keyboard.press("End");
  await page.keyboard.press("ArrowRight");
  await expect(page.getByRole("combobox")).not.toHaveValue(first);
  await page.keyboard.press("ArrowLeft");
  await expect(page.getByRole("combobox")).toHaveValue(first);
  await page.pdf();
  await expect(page.locator(".paper")).toHaveCount(0);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const figures = await page.locator("figure").count();
  expect(figures).toBeGreaterThan(10);
  expect(await page.locator("figure figcaption").count()).toBe(figures);
  expect(await page.locator("figure svg").count()).toBe(figures);
});

test("the page exports the open phase as a file that plays the same steps", async ({ page, context }, info) => {
  const quiet = watchConsole(page);
  await openPage(page);
  const phase = (await place(page)).phase;
  const download = page.waitForEvent("download");
  await exportAs(page, "Export this phase as an HTML file");
  const file = info.outputPath("phase.html");
  const saved = await download;
  expect(saved.suggestedFilename()).toMatch(/\.html$/);
  await saved.saveAs(file);
  const sentences: string[] = [];
  await focusTimeline(page);
  for (let step = 1; step <= 4; step++) {
    await page.keyboard.press("ArrowRight");
    await expectStep(page, step);
    sentences.push((await place(page)).sentence);
  }
  quiet();
  const other = await context.newPage();
  const quietFile = watchConsole(other);
  await other.goto(pathToFileURL(file).href);
  await expect(other.getByRole("combobox").locator("option")).toHaveCount(1);
  expect(phase).toContain((await other.getByRole("combobox").locator("option").textContent())?.replace(/^\d+ |:.*$/g, "") ?? "?");
  for (const sentence of sentences) {
    await other.keyboard.press("ArrowRight");
    const shown = await other.getByTestId("sentence").textContent();
    expect(sentence).toContain(shown?.replace(/^[a-z-]+: /, "") ?? "?");
  }
  quietFile();
});
