import { expect } from "@playwright/test";
import { dropFile, hoverWord, openExample, openPage, openTab, typeSource, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("a Bril program opens, runs, and shows what it prints", async ({ page }) => {
  const quiet = watchConsole(page);
  const loaded: string[] = [];
  page.on("response", (response) => loaded.push(response.url()));
  await openPage(page);
  // Nothing of it is there before it is needed.
  expect(loaded.filter((url) => /bril/i.test(url))).toEqual([]);
  await openExample(page, "bril-sum");
  await expect(page.getByLabel("Format", { exact: true })).toContainText("Bril");
  await openTab(page, "Run on inputs");
  await page.getByLabel("n (int)").fill("10");
  await page.getByRole("button", { name: "Run", exact: true }).click();
  await expect(page.getByText("Printed at this step: 1 line")).toBeVisible();
  await expect(page.locator("figure pre")).toHaveText("55");
  quiet();
});

test("a variable of Bril says what it became", async ({ page }) => {
  await openPage(page);
  await openExample(page, "bril-gcd");
  const hover = await hoverWord(page, "mul q b", "mul", "a * b, 64 bits");
  await expect(hover).toContainText("IMUL.64");
});

test("CUDA that was pasted is answered with the command that makes PTX of it", async ({ page, context }) => {
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  await openPage(page);
  await typeSource(page, "__global__ void k(int *p) { *p = 1; }\n");
  const panel = page.getByTestId("toolchain");
  await expect(panel).toContainText("This looks like CUDA C++ source");
  await panel.getByRole("button", { name: /^Copy: nvcc/ }).click();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe("nvcc -arch=sm_90 -lineinfo -ptx kernel.cu -o kernel.ptx");
  await typeSource(page, "@main {\n  x: int = const 4;\n  print x;\n}\n");
  await waitForRun(page);
  await expect(panel).toHaveCount(0);
});

const LAB = `---
title: Bril
id: bril
version: 1
---

\`\`\`bril {name=p}
@main(a: int, b: int) {
  spare: int = const 7;
  x: int = add a b;
  print x;
}
\`\`\`

\`\`\`task {id=shorter points=2}
kind: edit
ask: Leave out what nothing reads.
program: p
want: [{ of: instructions, at-most: 3 }]
same-as: p
\`\`\`
`;

test("a lab shows a program in Bril, and takes one as the answer", async ({ page }) => {
  const quiet = watchConsole(page);
  await openPage(page);
  await dropFile(page, "bril.md", LAB);
  const task = page.locator('[data-task="shorter"]');
  await expect(task).toBeVisible({ timeout: 45_000 });
  const answer = task.getByRole("textbox", { name: "Program" });
  await expect(answer).toHaveValue(/spare: int = const 7;/);
  await answer.fill("@main(a: int, b: int) {\n  x: int = add a a;\n  print x;\n}\n");
  await task.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(task.getByText(/the meaning differs/)).toBeVisible({ timeout: 45_000 });
  await answer.fill("@main(a: int, b: int) {\n  x: int = add a b;\n  print x;\n}\n");
  await task.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(task.getByRole("status").filter({ hasText: "Right: 2 of 2 points" })).toBeVisible({ timeout: 45_000 });
  quiet();
});
