import { expect } from "@playwright/test";
import { hoverWord, openExample, openPageAt, openTab, typeSource, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("a Bril program is read, runs and shows what it prints; CUDA that is pasted is answered with the command that makes PTX of it", async ({
  page,
  context,
}) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const quiet = watchConsole(page);
  const loaded: string[] = [];
  page.on("response", (response) => loaded.push(response.url()));
  await openPageAt(page, "two-adds");
  // None of it is loaded before it is needed.
  expect(loaded.filter((url) => /bril/i.test(url))).toEqual([]);
  await openExample(page, "bril-gcd");
  await expect(page.getByLabel("Format", { exact: true })).toContainText("Bril");
  const hover = await hoverWord(page, "mul q b", "mul", "a * b, 64 bits");
  await expect(hover).toContainText("IMUL.64");
  await openTab(page, "Run on inputs");
  await page.getByLabel("a (int)").fill("12");
  await page.getByLabel("b (int)").fill("18");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("Printed at this step: 1 line")).toBeVisible();
  await expect(page.locator("figure pre")).toHaveText("6");

  await typeSource(page, "__global__ void k(int *p) { *p = 1; }\n");
  const panel = page.getByTestId("toolchain");
  await expect(panel).toContainText("This looks like CUDA C++ source");
  await panel.getByRole("button", { name: /^Copy: nvcc/ }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("nvcc -arch=sm_90 -lineinfo -ptx kernel.cu -o kernel.ptx");
  await typeSource(page, "@main {\n  x: int = const 4;\n  print x;\n}\n");
  await waitForRun(page);
  await expect(panel).toHaveCount(0);
  quiet();
});
