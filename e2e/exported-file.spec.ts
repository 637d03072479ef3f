import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "@playwright/test";
import { watchConsole } from "./page.ts";

const KERNEL = "src/features/examples/page/ptx/05_loop_nest.sm_90.ptx";

test("an exported file steps both ways from the disk, goes on into the next phase, fits a narrow window, and prints a figure a change", async ({
  page,
}, info) => {
  const quiet = watchConsole(page);
  // As a user writes the file and opens it, without a network.
  const options = { encoding: "utf8", maxBuffer: 1e8 } as const;
  const file = join(info.outputPath(), "trace.html");
  writeFileSync(file, execFileSync(process.execPath, ["bin/oriscope.mjs", "export", KERNEL, "--as", "html"], options));
  await page.context().setOffline(true);
  await page.goto(pathToFileURL(file).href);
  const step = page.getByTestId("step");
  const phases = page.getByRole("combobox");

  const first = await phases.inputValue();
  await page.keyboard.press("End");
  await expect(page.getByRole("button", { name: "Step forward", exact: true })).toBeEnabled();
  await page.keyboard.press("ArrowRight");
  await expect(phases).not.toHaveValue(first);
  await page.keyboard.press("ArrowLeft");
  await expect(phases).toHaveValue(first);

  const branches = phases.locator("option", { hasText: "OriBranchOpt" }).first();
  await phases.selectOption(await branches.getAttribute("value"));
  await phases.blur();
  await page.keyboard.press("Home");
  await expect(step).toHaveText(/^input \/ \d+$/);
  await page.keyboard.press("Shift+ArrowRight");
  const place = await step.textContent();
  await expect(page.getByTestId("sentence")).toHaveText(/BRA .* is inserted into BB1/);
  await expect(page.locator(".graph .changed > text").first()).toHaveText("BB1");
  await expect(page.locator(".changes .added")).toHaveText(/\+ BRA/);
  const after = await page.locator(".graph").innerHTML();
  await page.getByRole("button", { name: "Step back", exact: true }).click();
  await expect(page.locator(".changes .added")).toHaveCount(0);
  await page.getByRole("button", { name: "Step forward", exact: true }).click();
  await expect(step).toHaveText(place ?? "");
  expect(await page.locator(".graph").innerHTML()).toBe(after);

  await page.setViewportSize({ width: 320, height: 640 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
  // Its lines wrap.
  expect(await page.getByLabel("Pseudocode").evaluate((code) => code.scrollWidth - code.clientWidth)).toBe(0);
  await page.pdf();
  await expect(page.locator(".paper")).toHaveCount(0);
  await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
  const figures = await page.locator("figure").count();
  expect(figures).toBeGreaterThan(10);
  expect(await page.locator("figure figcaption").count()).toBe(figures);
  expect(await page.locator("figure svg").count()).toBe(figures);
  quiet();
});
