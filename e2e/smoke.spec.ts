import { expect, test } from "@playwright/test";

test("the page opens under its own content policy without a word in the console", async ({ page }) => {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  await page.goto("./");
  await expect(page).toHaveTitle(/Oriscope/);
  await expect(page.getByRole("main")).toBeVisible();
  await expect(page.locator('meta[http-equiv="Content-Security-Policy"]')).toHaveCount(1);
  expect(complaints).toEqual([]);
});

test("nothing is fetched from another host", async ({ page, baseURL }) => {
  const foreign: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(baseURL ?? "") && !/^(data|blob):/.test(request.url())) foreign.push(request.url());
  });
  await page.goto("./");
  await page.waitForLoadState("networkidle");
  expect(foreign).toEqual([]);
});
