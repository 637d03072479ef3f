import { deflateRawSync } from "node:zlib";
import { expect } from "@playwright/test";
import { openPage, waitForEditor, waitForRun } from "./page.ts";
import { test } from "./test.ts";

/** Links and files of a few kilobytes that unpack to millions of values. */
const BOMBS = {
  "a list of numbers": `{"oriscope":1,"source":".kernel kept()\\nA:\\n    EXIT\\n","knobs":[${"1,".repeat(8_000_000)}1]}`,
  "empty objects": `{"oriscope":1,"source":".kernel kept()\\nA:\\n    EXIT\\n","breakpoints":[${"{},".repeat(5_000_000)}{}]}`,
  nesting: `{"oriscope":1,"source":".kernel kept()\\nA:\\n    EXIT\\n","view":${"[".repeat(8_000_000)}${"]".repeat(8_000_000)}}`,
};

const fragment = (json: string): string => `v1.${deflateRawSync(Buffer.from(json), { level: 9 }).toString("base64url")}`;

for (const [what, json] of Object.entries(BOMBS)) {
  test(`a link that unpacks to ${what} is refused off the page's thread, with its program`, async ({ page }) => {
    const decoder = page.waitForEvent("worker", (worker) => /decode\.worker/.test(worker.url()));
    await page.goto(`./#${fragment(json)}`);
    await decoder;
    await expect(page.getByTestId("refused")).toContainText("far more data than any link");
    await page.getByRole("button", { name: "Open the text that could be read" }).click();
    await waitForEditor(page);
    await expect(page.locator(".monaco-editor").first()).toContainText("kept");
  });
}

test("a case file that holds millions of values is refused off the page's thread, with its program", async ({ page }) => {
  await openPage(page);
  const decoder = page.waitForEvent("worker", (worker) => /decode\.worker/.test(worker.url()));
  await page.evaluate(() => {
    const transfer = new DataTransfer();
    const text = `{"oriscope":1,"source":".kernel kept()\\nA:\\n    EXIT\\n","knobs":[${"1,".repeat(7_000_000)}1]}`;
    transfer.items.add(new File([text], "case.json"));
    document.body.dispatchEvent(new DragEvent("drop", { dataTransfer: transfer, bubbles: true, cancelable: true }));
  });
  await decoder;
  await expect(page.getByRole("region", { name: "Notices" })).toContainText("case.json contains far more data than any link");
  await expect(page.getByLabel("Kernel")).toContainText("kept");
});

test("a link to a kernel that its program does not have says so, and which one is open", async ({ page }) => {
  const text = fragment(JSON.stringify({ source: ".kernel here()\nA:\n    EXIT\n", kernel: "gone", title: "a\u202egpj.exe" }));
  await page.goto(`./#${text}`);
  // It is said of the run's result, and stays until it is dismissed.
  await waitForRun(page);
  await expect(page.getByRole("region", { name: "Notices" })).toContainText(
    "The link names the kernel gone, which its program does not have: here is open instead.",
  );
  await expect(page).toHaveTitle(/agpj\.exe · Oriscope$/);
});
