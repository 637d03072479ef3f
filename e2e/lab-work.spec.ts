/** What a student's work on a lab lives through: a second tab, a thread that ends, another version, a new attempt; what is offered after a wrong answer; and how a lab is written. */
import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { crashEngine, dropFile, openMenu, openPageAt, waitForRun, watchConsole } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

const PROGRAM = `.kernel k(n: R0, out: RD1)
BB0:
    IADD R2, R0, 4
    IADD R3, R0, 7
    IADD R2, R2, 1
    IADD R5, R0, 4
    IADD R3, R3, R5
    STG [RD1], R3
    STG [RD1 + 4], R2
    EXIT
`;

/** Time for the pane, its thread and the engine in it, or the compiler and the sandbox: they are loaded on first use, one after the other. */
const FIRST = { timeout: 45_000 };

const fence = (info: string, text: string): string => `\n\`\`\`${info}\n${text.trimEnd()}\n\`\`\`\n`;
const head = (id: string, more = ""): string => `---\ntitle: Work\nid: ${id}\nversion: 1\n${more}---\n\nSome tasks.\n`;
const number = (id: string, value: number): string => fence(`task {id=${id} points=1}`, `kind: number\nask: How many?\nvalue: ${value}`);
const TWO = head("two-e2e") + number("a", 1) + number("b", 2);

const points = (page: Page): Locator => page.getByTestId("lab-points");
const taskOf = (page: Page, id: string): Locator => page.locator(`[data-task="${id}"]`);
const said = (task: Locator, text: string): Locator => task.getByRole("status").filter({ hasText: text });
const goTo = (page: Page, index: number): Promise<string[]> => page.getByLabel("Go to").selectOption({ index });

/** What axe sees this time. */
const SEEN = someOf(["earlier version", "writing a lab", "twin, dark", "preview"], 2);

async function accessible(page: Page, where: string, part: string): Promise<void> {
  if (SEEN.includes(where)) await expectAccessible(page, where, { part });
}

async function giveNumber(page: Page, id: string, value: number): Promise<void> {
  await taskOf(page, id).getByRole("textbox").fill(String(value));
  await taskOf(page, id).getByRole("button", { name: "Answer", exact: true }).click();
}

test("a student's work lives through a second tab, a thread that ends, another version of the lab, a new attempt and a crash", async ({
  page,
  context,
}) => {
  test.setTimeout(240_000);
  const done = watchConsole(page);
  await page.addInitScript(() => {
    const workers: Worker[] = [];
    Reflect.set(window, "labWorkers", workers);
    const Plain = window.Worker;
    window.Worker = class extends Plain {
      constructor(url: string | URL, options?: WorkerOptions) {
        super(url, options);
        if (String(url).includes("lab.worker")) workers.push(this);
      }
    };
  });
  await test.step("two tabs and a thread that ends lose no answer", async () => {
    await page.goto("./");
    await waitForRun(page);
    await dropFile(page, "two.md", TWO);
    await points(page).waitFor(FIRST);
    await expect(points(page)).toHaveText("0 of 2 points");
    const other = await context.newPage();
    await other.goto("./");
    await waitForRun(other);
    await dropFile(other, "two.md", TWO);
    await points(other).waitFor(FIRST);
    await expect(points(other)).toHaveText("0 of 2 points");

    await giveNumber(page, "a", 1);
    await expect(points(page)).toHaveText("1 of 2 points");
    await expect(points(other)).toHaveText("1 of 2 points");
    await goTo(other, 1);
    await giveNumber(other, "b", 2);
    await expect(points(other)).toHaveText("2 of 2 points");
    await expect(points(page)).toHaveText("2 of 2 points");
    await other.close();

    // The thread ends between two questions: the next one starts another.
    const ended = await page.evaluate(() => {
      const workers = Reflect.get(window, "labWorkers") as Worker[];
      for (const worker of workers) {
        worker.terminate();
        worker.dispatchEvent(new ErrorEvent("error", { message: "out of memory" }));
      }
      return workers.length;
    });
    expect(ended).toBeGreaterThan(0);
    await giveNumber(page, "a", 7);
    await said(taskOf(page, "a"), "it is 1, not 7").waitFor(FIRST);
    await giveNumber(page, "a", 1);
    await expect(points(page)).toHaveText("2 of 2 points");
  });
  await test.step("work on another version stays apart, and another text of the same version is judged again", async () => {
    await dropFile(page, "two.md", TWO.replace("version: 1", "version: 2"));
    await page.getByText("You worked on version 1 of this lab.", { exact: false }).waitFor(FIRST);
    await expect(points(page)).toHaveText("0 of 2 points");
    await accessible(page, "earlier version", "[data-lab]");
    const [file] = await Promise.all([
      page.waitForEvent("download"),
      page.getByRole("button", { name: "Download the hand-in of version 1" }).click(),
    ]);
    expect(JSON.parse(readFileSync(await file.path(), "utf8"))).toMatchObject({
      lab: { id: "two-e2e", version: 1 },
      answers: { a: { number: 1 } },
    });
    await giveNumber(page, "a", 5);
    await expect(said(taskOf(page, "a"), "it is 1, not 5")).toBeVisible();

    // The first version is as it was; with another right answer in its text, its answer is judged again.
    await dropFile(page, "two.md", TWO);
    await points(page).waitFor(FIRST);
    await expect(points(page)).toHaveText("2 of 2 points");
    await dropFile(page, "two.md", TWO.replace("value: 1", "value: 4"));
    await page.getByText("your answers are being graded again", { exact: false }).waitFor(FIRST);
    await expect(points(page)).toHaveText("1 of 2 points");
    await expect(said(taskOf(page, "a"), "it is 4, not 1")).toBeVisible();
  });
  await test.step("a reset draws the programs of a new attempt, and undo brings back those before with their answers", async () => {
    const lab = `${head("attempt-e2e", "seed: attempt\n")}\n\`\`\`program {name=own generate=graph blocks=6..9}\n\`\`\`\n${number("a", 1)}${number("b", 2)}`;
    await dropFile(page, "attempt.md", lab);
    await points(page).waitFor(FIRST);
    await expect(points(page)).toHaveText("0 of 2 points");
    const program = page.locator("[data-lab] figure pre");
    const first = await program.innerText();
    await giveNumber(page, "a", 1);
    await expect(points(page)).toHaveText("1 of 2 points");

    await page.getByLabel("Go to").selectOption({ label: "Hand in" });
    await page.getByRole("button", { name: "Reset the whole lab" }).click();
    await expect(points(page)).toHaveText("0 of 2 points");
    await goTo(page, 0);
    await expect(program).not.toHaveText(first, { useInnerText: true });
    await page.getByRole("button", { name: "Undo the reset" }).click();
    await expect(points(page)).toHaveText("1 of 2 points");
    await expect(program).toHaveText(first, { useInnerText: true });
    await page.reload();
    await points(page).waitFor(FIRST);
    await expect(points(page)).toHaveText("1 of 2 points");
    await expect(program).toHaveText(first, { useInnerText: true });
  });
  await test.step("a crash of the engine takes no draft with it; a wrong verdict leads to a smaller program and a twin", async () => {
    await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
    const predict = 'kind: predict\nask: Does it?\nprogram: p\nat: { phase: 49, when: "verdict = no" }\nwhat: verdict\nagain: lvn-1/hit';
    const lab =
      head("after-e2e") +
      fence("ori {name=p}", PROGRAM) +
      fence("task {id=verdict points=1}", predict) +
      fence("task {id=edit points=1}", "kind: edit\nask: Make it stay.\nprogram: p\nphase: 49\nmust: fires\nrewrites: 3") +
      number("count", 3);
    await dropFile(page, "after.md", lab);
    await points(page).waitFor(FIRST);
    await expect(points(page)).toHaveText("0 of 3 points");
    const verdict = taskOf(page, "verdict");
    await expect(verdict).toContainText("again, from lvn-1");
    await expect(verdict.getByRole("button", { name: "Twin" })).toHaveCount(0);
    const yes = verdict.getByRole("radio", { name: /^yes/ });
    await yes.check();
    await waitForRun(page);
    await crashEngine(page);
    await expect(page.getByTestId("crash")).toContainText("out of luck");
    await waitForRun(page);
    await expect(yes).toBeChecked();
    await expect(page.getByTestId("phase")).toContainText("Value numbering");
    // What was covered stays so.
    await expect(page.locator('[role="option"][data-phase="gvn-cse"]').locator("xpath=following-sibling::*")).toHaveCount(0);
    await verdict.getByRole("button", { name: "Answer", exact: true }).click();
    await expect(said(verdict, "Not right: 0 of 1 point")).toBeVisible();
    await verdict.getByRole("button", { name: "Smaller" }).click();
    const shown = verdict.locator("figure pre");
    await shown.waitFor(FIRST);
    expect((await shown.innerText()).trim().split("\n").length).toBeLessThan(PROGRAM.trim().split("\n").length);
    await verdict.getByRole("button", { name: "Twin" }).click();
    await verdict.getByText("A program that differs in one line", { exact: false }).waitFor(FIRST);
    await accessible(page, "twin, dark", "[data-lab]");
    await verdict.locator("figure").getByRole("button", { name: "Show in the tool" }).click();
    await waitForRun(page);
    await expect(page.getByTestId("phase")).toContainText("Value numbering");

    await goTo(page, 1);
    const edit = taskOf(page, "edit");
    await edit.getByLabel("Program").fill(PROGRAM.replace("IADD R3, R0, 7", "IADD R3, R0, 8"));
    await edit.getByRole("button", { name: "Answer", exact: true }).click();
    await expect(said(edit, "Not right")).toBeVisible();
    await expect(edit.getByRole("button", { name: "Show the answer" })).toHaveCount(0);
    await goTo(page, 2);
    await giveNumber(page, "count", 4);
    await expect(taskOf(page, "count").getByRole("button", { name: "Show the answer" })).toBeVisible();
  });
  done();
});

test("a lab is made of the step that is shown, its problems are located, it is previewed and tried as a student", async ({ page }) => {
  test.setTimeout(180_000);
  const done = watchConsole(page);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openPageAt(page, "two-adds");
  await openMenu(page, "Step");
  await page.getByRole("menuitem", { name: /^Ask about this step/ }).click();
  const dialog = page.getByRole("dialog", { name: "Write a lab" });
  const text = dialog.getByRole("textbox", { name: /^The lab’s text/ });
  await expect(text).toHaveValue(/```task \{id=q1 points=1\}/);
  await dialog.getByText("1 task, 1 point.", { exact: false }).waitFor(FIRST);
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
  await accessible(page, "writing a lab", "[role=dialog]");

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

  await test.step("its programs of any seed, and what our answer and none are worth", async () => {
    const lab =
      head("preview-e2e", "seed: per-student\n") +
      "\n```program {name=own generate=graph blocks=4..6}\n```\n" +
      fence("task {id=order points=3}", "kind: mark\nask: Number them.\nprogram: own\nwhat: rpo");
    await text.fill(lab);
    await dialog.getByText("1 task, 3 points.", { exact: false }).waitFor(FIRST);
    await dialog.getByRole("button", { name: "Preview" }).click();
    const preview = dialog.getByRole("region", { name: "Preview" });
    const program = preview.locator("figure pre");
    await preview.getByText("The engine’s answer earns 3 of 3", { exact: false }).waitFor(FIRST);
    await expect(preview.getByText("An empty answer earns: 0 of 3", { exact: false })).toBeVisible();
    const first = await program.innerText();
    await preview.getByRole("button", { name: "Next student" }).click();
    await expect(preview.getByLabel("Seed")).toHaveValue("2");
    await expect(program).not.toHaveText(first, { useInnerText: true });
    await preview.getByLabel("Seed").fill("1");
    await expect(program).toHaveText(first, { useInnerText: true });
    await preview.getByRole("button", { name: "Next variant" }).click();
    await expect(preview.getByText("Variant 1 of each task.")).toBeVisible();
    await accessible(page, "preview", "[role=dialog]");
    await preview.getByRole("checkbox", { name: "With answers" }).uncheck();
    await expect(preview.getByText("The engine’s answer", { exact: false })).toHaveCount(0);

    // A lab that does not fit into a link causes a message.
    const noise = Array.from({ length: 4000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1).toString(36)).join(" ");
    await text.fill(`${lab}\n${noise}\n`);
    await expect(dialog.getByText("1 task, 3 points.", { exact: false })).toBeVisible();
    await dialog.getByRole("button", { name: "Copy a link to it" }).click();
    await expect(page.getByText("This lab is too long for a link. Give your students the file", { exact: false })).toBeVisible();
  });

  await text.fill(good);
  await dialog.getByLabel("New task").selectOption("text");
  await expect(dialog.getByText("2 tasks, 2 points.", { exact: false })).toBeVisible();
  await dialog.getByRole("button", { name: "Try it as a student" }).click();
  await page.getByTestId("lab-points").waitFor(FIRST);
  await expect(page.getByTestId("lab-points")).toHaveText("0 of 2 points");
  await expect(page.locator('[data-task="q1"]')).toBeVisible();
  done();
});
