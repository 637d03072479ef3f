import { expect } from "@playwright/test";
import { focusTimeline, openExample, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("the page keeps its content policy and asks no other host, is printed, and goes back and forward", async ({ page, baseURL }) => {
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(baseURL ?? "") && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  const quiet = watchConsole(page);
  await page.emulateMedia({ colorScheme: "dark" });
  await page.goto("./");
  await expect(page).toHaveTitle(/Oriscope/);
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.locator('meta[http-equiv="Content-Security-Policy"]')).toHaveCount(1);
  await waitForRun(page);
  await openExample(page, "two-adds");
  await test.step("what is printed is a light page with the place, the sentence, the graph and the program of the step", async () => {
    await focusTimeline(page);
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.press("Shift+s");
    await expect(page.getByTestId("sentence")).toContainText("becomes 'MOV R5, R4'");
    await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    const sheet = page.getByTestId("print-sheet");
    await expect(sheet.getByRole("heading", { name: "Two equal adds" })).toBeVisible();
    await expect(sheet).toContainText("49 Value numbering (GvnCse), step 67 of 68");
    await expect(sheet).toContainText("'IADD R5, R0, R1' becomes 'MOV R5, R4'");
    await expect(sheet.locator("svg")).toBeVisible();
    await expect(sheet.locator("pre").nth(1)).toContainText("MOV R5, R4");
    await expect(page.locator("html")).toHaveAttribute("data-theme", "light");
    await expect(page.locator("#root")).toBeHidden();
    await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
    await page.emulateMedia({ media: "screen", colorScheme: "dark" });
    await expect(sheet).toHaveCount(0);
    await expect(page.locator("html")).toHaveAttribute("data-theme", "dark");
  });
  await test.step("Back and Forward walk what was opened, each where it was left, and the title says where one is", async () => {
    await openExample(page, "five-blocks");
    await expect(page).toHaveTitle(/ · Five blocks · Oriscope$/);
    await page.goBack();
    await expect(page).toHaveTitle("Value numbering · Two equal adds · Oriscope");
    await waitForRun(page);
    await expect(page.getByTestId("step")).toHaveText("step 67 / 68");
    await page.goBack();
    await expect(page).toHaveTitle(/ · Sum of positives · Oriscope$/);
    // Pressed twice before the first program is there: the second one stays, and the history is whole.
    await page.evaluate(() => {
      window.addEventListener("popstate", () => window.history.forward(), { once: true });
      window.history.forward();
    });
    await expect(page).toHaveTitle(/ · Five blocks · Oriscope$/);
    await waitForRun(page);
    await page.goBack();
    await expect(page).toHaveTitle(/ · Two equal adds · Oriscope$/);
    await page.goForward();
    await expect(page).toHaveTitle(/ · Five blocks · Oriscope$/);
  });
  quiet();
  expect(foreign).toEqual([]);
});
