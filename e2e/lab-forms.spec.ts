/** Every form of a lab that is more than a choice, done by keyboard alone, with what it is worth. */
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import type { GradeJson } from "../src/cli/shapes.ts";
import { expectAccessible } from "./axe.ts";
import { dropFile, openMenu, openPage, watchConsole } from "./page.ts";
import { test } from "./test.ts";

const PROGRAM = `.kernel k(a: R0, b: R1, out: RD1)
BB0:
    IADD R2, R0, R1
    IADD R7, R2, 1
    ISETP.LT P0, R0, 5
    @P0 BRA BB2
BB1:
    IADD R4, R0, R1
    STG [RD1], R4
    BRA BB3
BB2:
    STG [RD1], R2
BB3:
    EXIT
`;

/** The pane, its thread and the engine in that, or the compiler and the sandbox: they come when they are first wanted, one after the other. */
const FIRST = { timeout: 45_000 };

/** R2 is written again before its first value is wanted: a phase that forgets to look takes the wrong one. */
const TEST = `.kernel b(n: R0, out: RD1)
BB0:
    IADD R2, R0, 7
    STG [RD1], R2
    MOV R2, 1
    IADD R3, R0, 7
    STG [RD1+4], R3
    STG [RD1+8], R2
    EXIT
`;

const fence = (info: string, text: string): string => `\n\`\`\`${info}\n${text.trimEnd()}\n\`\`\`\n`;
const LAB = [
  "---\ntitle: All forms\nid: forms-e2e\nversion: 1\nopt-level: 3\n---\n\nOne task of each kind.\n",
  fence("ori {name=p}", PROGRAM),
  fence("task {id=fill points=1}", "kind: fill\nask: Where can control go?\nprogram: p\nstructure: succs\ncells: [BB0, BB1]"),
  fence(
    "task {id=order points=1}",
    "kind: order\nask: Put them in order.\nlines: [first line, second line, third line]\ndistractors: [no line]",
  ),
  fence("task {id=edit points=1}", "kind: edit\nask: Make value numbering find nothing.\nprogram: p\nphase: 49\nmust: stays"),
  fence(
    "task {id=reach points=1}",
    "kind: reach\nask: Remove what is dead.\nprogram: p\nplan: { phases: [6] }\nmeasure: instructions\nat-most: 8\nzero: 9\nallow: [phases]",
  ),
  fence("task {id=wrong points=1}", "kind: find-wrong\nask: What is forgotten?\nprogram: p\ndrop: 38:side-effects\nfind: condition"),
  fence(
    "task {id=tests points=1}",
    'kind: tests\nask: Tell it from the right one.\nagainst: ["49:value-overwritten"]\nmost: 2\nplan: { phases: [49] }',
  ),
  fence("task {id=text points=1}", "kind: text\nask: Why?\nleast: 3"),
].join("");

const WRITE = [
  "---\ntitle: A pass\nid: write-e2e\nversion: 1\n---\n\nOne pass.\n",
  fence("ori {name=p}", PROGRAM),
  fence(
    "task {id=write points=2}",
    "kind: write\nask: Remove what is dead.\ncount: 6\nhidden: true\nmust: [{ program: p, measure: instructions, at-most: 8 }]",
  ),
].join("");

/** Goes on with the Tab key until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  await expect(target).toBeEnabled();
  for (let i = 0; i < 60; i++) {
    if (await target.evaluate((e) => e === document.activeElement)) return;
    await page.keyboard.press("Tab");
  }
  throw new Error("sixty Tabs do not lead there");
}

async function press(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("Enter");
}

async function fill(page: Page, target: Locator, text: string): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
  await expect(target).toHaveValue(text);
}

test("fill, order, edit, reach, find-wrong, tests and text are done by keyboard alone", async ({ page }) => {
  test.setTimeout(240_000);
  const done = watchConsole(page);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openPage(page);
  await dropFile(page, "forms.md", LAB);
  const lab = page.getByRole("region", { name: "Lab", exact: true });
  const points = page.getByTestId("lab-points");
  await expect(points).toHaveText("0 of 7 points", FIRST);
  /** Goes to the task by the menu, does it, hands it in. */
  const work = async (index: number, id: string, said: string, steps: (task: Locator) => Promise<void>): Promise<void> => {
    await page.getByLabel("Go to").focus();
    await page.getByLabel("Go to").selectOption({ index });
    const task = page.locator(`[data-task="${id}"]`);
    await expect(task).toBeVisible();
    await lab.focus();
    await steps(task);
    await press(page, task.getByRole("button", { name: "Answer", exact: true }));
    await expect(task.getByRole("status").filter({ hasText: said })).toBeVisible();
  };

  await work(0, "fill", "Right: 1 of 1 point", async (task) => {
    await fill(page, task.getByLabel("BB0", { exact: true }), "BB2 BB1");
    await fill(page, task.getByLabel("BB1", { exact: true }), "BB3");
  });
  await work(1, "order", "Right: 1 of 1 point", async (task) => {
    // What was pressed goes away: the focus is on the line that takes its place.
    const put = (line: string): Locator => task.getByRole("button", { name: `Insert: ${line}` });
    await press(page, put("second line"));
    await expect(put("third line")).toBeFocused();
    await lab.focus();
    await press(page, put("first line"));
    await expect(put("no line")).toBeFocused();
    await lab.focus();
    await press(page, put("third line"));
    await expect(put("no line")).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(task.getByRole("button", { name: "Remove: no line" })).toBeFocused();
    await page.keyboard.press("Enter");
    await expect(task.getByRole("button", { name: "Remove: third line" })).toBeFocused();
    await lab.focus();
    await press(page, task.getByRole("button", { name: "Up: first line" }));
    await expect(task.getByRole("button", { name: "Up: first line" })).toBeFocused();
    await expect(task.getByRole("list", { name: "Your order" }).getByRole("listitem")).toHaveCount(3);
    await expectAccessible(page, "order", { part: "[data-lab]" });
    await lab.focus();
  });
  await work(2, "edit", "Right: 1 of 1 point", async (task) => {
    await fill(page, task.getByLabel("Program"), PROGRAM.replace("IADD R4, R0, R1", "IADD R4, R0, 9"));
  });
  await work(3, "reach", "Right: 1 of 1 point", async (task) => {
    await fill(page, task.getByLabel("Phases in order, one per line"), "6\n16");
    await expectAccessible(page, "plan", { part: "[data-lab]" });
  });
  await work(4, "wrong", "Right: 1 of 1 point", async (task) => {
    await tabTo(page, task.getByRole("radio").first());
    await page.keyboard.press("Space");
    const wanted = task.getByRole("radio", { name: /^side-effects/ });
    for (let i = 0; i < 20 && !(await wanted.isChecked()); i++) await page.keyboard.press("ArrowDown");
    await expect(wanted).toBeChecked();
  });
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await work(5, "tests", "Right: 1 of 1 point", async (task) => {
    await press(page, task.getByRole("button", { name: "Add an empty test" }));
    await lab.focus();
    await fill(page, task.getByLabel("Test 1"), TEST);
    await expectAccessible(page, "tests, dark", { part: "[data-lab]" });
  });
  await work(6, "text", "Saved; a person will grade it", async (task) => {
    await fill(page, task.getByLabel("Your text"), "Because control joins.");
  });
  await expect(points).toHaveText("6 of 7 points, 1 by hand");

  // The same forms in little room: nothing is cut off, nothing hides.
  for (const [width, height] of [
    [1024, 768],
    [390, 844],
  ] as const) {
    await page.setViewportSize({ width, height });
    for (const index of [1, 3, 5]) {
      await page.getByLabel("Go to").selectOption({ index });
      await expect(page.locator("[data-task]")).toBeVisible();
      const cut = await lab.evaluate((element) => element.scrollWidth - element.clientWidth);
      expect(cut, `${width}, task ${index}`).toBeLessThanOrEqual(0);
    }
    await expectAccessible(page, `${width} px, dark`, { part: "[data-lab]" });
    await page.screenshot({ path: test.info().outputPath(`lab-${width}.png`) });
  }
  done();
});

test("a pass runs when Answer is pressed, and is worth what the command line gives for it", async ({ page }) => {
  test.setTimeout(240_000);
  const done = watchConsole(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await openPage(page);
  await dropFile(page, "write.md", WRITE);
  const points = page.getByTestId("lab-points");
  await expect(points).toHaveText("0 of 2 points", FIRST);
  const lab = page.getByRole("region", { name: "Lab", exact: true });
  const write = page.locator('[data-task="write"]');
  const said = (text: string): Locator => write.getByRole("status").filter({ hasText: text });
  /** By keyboard alone. */
  const hand = async (source: string): Promise<void> => {
    await lab.focus();
    await fill(page, write.getByLabel("Source"), source);
    await press(page, write.getByRole("button", { name: "Answer", exact: true }));
  };
  await expect(write.getByLabel("Source")).toBeVisible();
  expect(page.frames()).toHaveLength(1);
  await hand('import { definePass } from "oriscope/pass";\nexport default definePass({ name: "none", run() {} });');
  // The compiler and the sandbox come with the first press.
  await expect(said("Not right: 0 of 2 points")).toBeVisible(FIRST);
  await expect(write.getByText("p: 9 instructions, at most 8 are wanted")).toBeVisible();
  await hand(readFileSync("passes/dead-code.ts", "utf8"));
  await expect(said("Right: 2 of 2 points")).toBeVisible(FIRST);
  await expectAccessible(page, "write, dark", { part: "[data-lab]" });

  await page.getByLabel("Go to").selectOption({ label: "Hand in" });
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download the hand-in" }).click()]);
  const handIn = readFileSync(await file.path(), "utf8");
  const folder = mkdtempSync(join(tmpdir(), "oriscope-write-"));
  writeFileSync(join(folder, "lab.md"), WRITE);
  writeFileSync(join(folder, "mine.json"), handIn);
  const graded = execFileSync(process.execPath, [resolve("bin/oriscope.mjs"), "grade", "lab.md", "mine.json", "--json", "--jobs", "1"], {
    cwd: folder,
    encoding: "utf8",
  });
  rmSync(folder, { recursive: true, force: true });
  expect((JSON.parse(graded) as GradeJson).results).toMatchObject([{ status: "graded", points: 2, open: 0 }]);

  // What a file brings runs nothing before a press.
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), page.getByRole("button", { name: "Open a hand-in" }).click()]);
  await chooser.setFiles({ name: "mine.json", mimeType: "application/json", buffer: Buffer.from(handIn) });
  await expect(points).toHaveText("0 of 2 points, 1 by hand");
  await page.getByLabel("Go to").selectOption({ index: 0 });
  await expect(write.getByText("the code has not been run yet")).toBeVisible();
  done();
});

test("a question is made of the step that is shown, its problems are located, and it is tried as a student", async ({ page }) => {
  test.setTimeout(180_000);
  const done = watchConsole(page);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openPage(page);
  await openMenu(page, "Step");
  await page.getByRole("menuitem", { name: /^Ask about this step/ }).click();
  const dialog = page.getByRole("dialog", { name: "Write a lab" });
  const text = dialog.getByRole("textbox");
  await expect(text).toHaveValue(/```task \{id=q1 points=1\}/);
  await expect(dialog.getByText("1 task, 1 point.", { exact: false })).toBeVisible(FIRST);
  // What fits at the caret is put in by keyboard.
  const asked = await text.inputValue();
  await text.fill(asked.replace(/```\s*$/, "show: at-e"));
  const offer = dialog.getByRole("toolbar", { name: "What can go here" }).getByRole("button", { name: "at-end" });
  await expect(offer).toBeVisible();
  await text.press("Control+Space");
  await expect(offer).toBeFocused();
  await page.keyboard.press("Enter");
  await expect(text).toBeFocused();
  await expect(text).toHaveValue(/\nshow: at-end$/);
  await text.fill(asked);
  await expect(dialog.getByText("1 task, 1 point.", { exact: false })).toBeVisible();
  await expectAccessible(page, "writing a lab");

  const good = await text.inputValue();
  await text.fill(good.replace("kind: ", "kind: un"));
  const problem = dialog.getByRole("list", { name: "Problems" }).getByRole("listitem").first();
  await expect(problem).toContainText("There is no kind");
  await expect(dialog.getByRole("button", { name: "Try it as a student" })).toBeDisabled();
  await problem.getByRole("button").click();
  const line = await text.evaluate(
    (e) => (e as HTMLTextAreaElement).value.slice(0, (e as HTMLTextAreaElement).selectionStart).split("\n").length,
  );
  expect(good.split("\n")[line - 1]).toMatch(/^kind: /);

  await text.fill(good);
  await dialog.getByLabel("New task").selectOption("text");
  await expect(dialog.getByText("2 tasks, 2 points.", { exact: false })).toBeVisible();
  await dialog.getByRole("button", { name: "Try it as a student" }).click();
  await expect(page.getByTestId("lab-points")).toHaveText("0 of 2 points", FIRST);
  await expect(page.locator('[data-task="q1"]')).toBeVisible();
  done();
});
