import { readFileSync, writeFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { expect, type Page } from "@playwright/test";
import { dropFile, expectStep, exportAs, focusTimeline, openPage, openTab, place, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

// Five programs are opened after one another.
test.describe.configure({ timeout: 180_000 });

/** Drops a file on the window, and waits until it is open. */
async function drop(page: Page, name: string, text: string): Promise<void> {
  await dropFile(page, name, text);
  await expect.poll(() => page.title()).toContain(`${name} · Oriscope`);
}

/** Saves the open phase through the menu. */
async function exported(page: Page, command: string): Promise<string> {
  const download = page.waitForEvent("download");
  await exportAs(page, command);
  return readFileSync(await (await download).path(), "utf8");
}

/** The sentences of the first steps, forwards and back to the input. */
async function walk(page: Page, steps: number): Promise<string[]> {
  await focusTimeline(page);
  await page.keyboard.press("Home");
  await expectStep(page, 0);
  const said: string[] = [];
  for (let step = 1; step <= steps; step++) {
    await page.keyboard.press("ArrowRight");
    await expectStep(page, step);
    said.push((await place(page)).sentence);
  }
  await page.keyboard.press("Home");
  await expectStep(page, 0);
  return said;
}

const TOY = readFileSync(new URL("../examples/toy.trace.jsonl", import.meta.url), "utf8");

const inst = (ptr: number, id: number, opcode: string) => ({
  ptr,
  id,
  opcode,
  attributes: [],
  inputs: [],
  uses: [],
  memInputs: [],
  type: "Int32",
});
const block = (ptr: number, id: number, successors: number[], ...instructions: unknown[]) => ({
  ptr,
  id,
  loopDepth: 0,
  attributes: [],
  predecessors: [],
  successors,
  instructions,
});
const pass = (name: string, ...blocks: unknown[]) => ({ name, mir: { blocks }, lir: { blocks: [] } });
const [test1, left, right, end] = [inst(1, 0, "test parameter0"), inst(2, 1, "goto"), inst(3, 2, "goto"), inst(4, 3, "return phi4")];
const ION = JSON.stringify({
  version: 1,
  functions: [
    {
      name: "max (t.js:1)",
      passes: [
        pass("BuildSSA", block(9, 0, [1, 2], test1), block(10, 1, [3], left), block(11, 2, [3], right), block(12, 3, [], end)),
        pass("Fold Tests", block(9, 0, [1], inst(5, 5, "goto")), block(10, 1, [3], left), block(12, 3, [], end)),
      ],
    },
  ],
});

test("what the page exports it opens again, and traces of other compilers too", async ({ page, context }, info) => {
  const quiet = watchConsole(page);
  await openPage(page);
  const live = await walk(page, 4);
  const phase = (await place(page)).phase;
  const trace = await exported(page, "Export this phase as a trace");
  const html = await exported(page, "Export this phase as an HTML file");

  // The file plays the same steps on its own.
  const file = info.outputPath("phase.html");
  writeFileSync(file, html);
  const other = await context.newPage();
  const quietFile = watchConsole(other);
  await other.goto(pathToFileURL(file).href);
  await expect(other.getByRole("combobox").locator("option")).toHaveCount(1);
  for (const sentence of live) {
    await other.keyboard.press("ArrowRight");
    const shown = await other.getByTestId("sentence").textContent();
    expect(sentence).toContain(shown?.replace(/^[a-z-]+: /, "") ?? "?");
  }
  quietFile();
  await other.close();

  for (const [name, text] of [
    ["again.trace.jsonl", trace],
    ["again.html", html],
  ] as const) {
    await drop(page, name, text);
    await waitForRun(page);
    expect((await place(page)).phase).toBe(phase);
    expect(await walk(page, 4)).toEqual(live);
    await expect(page.locator(".react-flow__node").first()).toBeVisible();
  }

  await drop(page, "toy.trace.jsonl", TOY);
  await waitForRun(page);
  // Another compiler's phases have no numbers, its blocks no record of ptxas, and nothing can be set or tried.
  await expect(page.getByTestId("phase")).toHaveText("Fold branches");
  await expect(page.getByText("recorded trace", { exact: true })).toBeVisible();
  await expect(page.getByRole("button", { name: "What if" })).toHaveCount(0);
  await openTab(page, "Data");
  await expect(page.getByRole("tabpanel", { name: "Data" })).toHaveText(/^No data structures/);
  const toy = TOY.split("\n").flatMap((line) => (line.includes('"step"') ? [(JSON.parse(line) as { sentence: string }).sentence] : []));
  const said = await walk(page, 2);
  expect(said.map((sentence, i) => sentence.includes(toy[i] ?? "?"))).toEqual([true, true]);
  await expect(page.locator(".react-flow__node")).toHaveCount(4);

  await drop(page, "ion.json", ION);
  await waitForRun(page);
  // The first pass that changes something.
  await expect(page.getByTestId("phase")).toContainText("Fold Tests");
  await expect(page.locator(".react-flow__node")).toHaveCount(4);
  expect(await walk(page, 1)).toEqual([expect.stringContaining("Fold Tests leads to this graph.")]);
  quiet();

  // After a damaged one the previous program stays, and a message says where it is damaged.
  await drop(page, "cut.trace.jsonl", TOY.replace('"kind": "match"', '"kind": "nonsense"'));
  await expect(page.getByText("TRC001").first()).toBeVisible();
});
