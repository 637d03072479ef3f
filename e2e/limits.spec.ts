import { deflateRawSync } from "node:zlib";
import { expect } from "@playwright/test";
import { dropFile, waitForRun } from "./page.ts";
import { test } from "./test.ts";

/** Too long to be read on the page's thread, with more values than any link has. */
const BOMB = `{"oriscope":1,"source":".kernel kept()\\nA:\\n    EXIT\\n","knobs":[${"1,".repeat(200_000)}1]}`;

const fragment = (json: string): string => `v1.${deflateRawSync(Buffer.from(json), { level: 9 }).toString("base64url")}`;

test("a link and a case file of too many values are refused off the page's thread, with their program; a link to no kernel says which is open", async ({
  page,
}) => {
  const decoder = () => page.waitForEvent("worker", (worker) => /decode\.worker/.test(worker.url()));
  const notices = page.getByRole("region", { name: "Notices" });
  await test.step("a link", async () => {
    const decodes = decoder();
    await page.goto(`./#${fragment(BOMB)}`);
    await decodes;
    await expect(page.getByTestId("refused")).toContainText("far more data than any link");
    await page.getByRole("button", { name: "Open the text that could be read" }).click();
    await expect(page.locator("[data-editor]")).toContainText("kept");
    await expect(page.getByTestId("refused")).toHaveCount(0);
  });
  await test.step("a link to a kernel that its program does not have", async () => {
    const text = fragment(JSON.stringify({ source: ".kernel here()\nA:\n    EXIT\n", kernel: "gone", title: "a\u202egpj.exe" }));
    await page.evaluate((to) => {
      window.location.hash = to;
    }, text);
    // The message is about the run's result, and stays until it is dismissed.
    await expect(page.getByLabel("Kernel")).toContainText("here");
    await waitForRun(page);
    await expect(notices).toContainText("The link names the kernel gone, which its program does not have: here is open instead.");
    await expect(page).toHaveTitle(/agpj\.exe · Oriscope$/);
  });
  await test.step("a case file", async () => {
    const decodes = decoder();
    await dropFile(page, "case.json", BOMB);
    await decodes;
    await expect(notices).toContainText("case.json contains far more data than any link");
    await expect(page.getByLabel("Kernel")).toContainText("kept");
  });
});
