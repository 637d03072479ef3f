/** What a student's work on a lab lives through: a stopped run, a thread that ends, a second tab, another version of the lab; and what is offered after a wrong answer. */
import { readFileSync } from "node:fs";
import { expect, type Locator, type Page } from "@playwright/test";
import { encodeLab } from "../src/links/lab-link.ts";
import { expectAccessible } from "./axe.ts";
import { dropFile, openMenu, openPage, waitForRun, watchConsole } from "./page.ts";
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

/** The pane, its thread and the engine in that, or the compiler and the sandbox: they come when they are first wanted, one after the other. */
const FIRST = { timeout: 45_000 };

const fence = (info: string, text: string): string => `\n\`\`\`${info}\n${text.trimEnd()}\n\`\`\`\n`;
const head = (id: string, more = ""): string => `---\ntitle: Work\nid: ${id}\nversion: 1\n${more}---\n\nSome tasks.\n`;
const number = (id: string, value: number): string => fence(`task {id=${id} points=1}`, `kind: number\nask: How many?\nvalue: ${value}`);
const TWO = head("two-e2e") + number("a", 1) + number("b", 2);

const points = (page: Page): Locator => page.getByTestId("lab-points");
const taskOf = (page: Page, id: string): Locator => page.locator(`[data-task="${id}"]`);
const said = (task: Locator, text: string): Locator => task.getByRole("status").filter({ hasText: text });
const goTo = (page: Page, index: number): Promise<string[]> => page.getByLabel("Go to").selectOption({ index });

async function giveNumber(page: Page, id: string, value: number): Promise<void> {
  await taskOf(page, id).getByRole("textbox").fill(String(value));
  await taskOf(page, id).getByRole("button", { name: "Answer", exact: true }).click();
}

test("a run of code is stopped, and the next one gives the points", async ({ page }) => {
  test.setTimeout(240_000);
  const done = watchConsole(page);
  await page.emulateMedia({ reducedMotion: "reduce" });
  await openPage(page);
  const must = "must: [{ program: p, measure: instructions, at-most: 7 }]";
  const dead = PROGRAM.replace("    EXIT", "    IADD R9, R2, 1\n    IADD R10, R9, 1\n    EXIT");
  const task = `kind: write\nask: Remove what is dead.\ncount: 200\nunlock: predict\n${must.replace("7", "8")}`;
  await dropFile(page, "stop.md", head("stop-e2e") + fence("ori {name=p}", dead) + fence("task {id=write points=2}", task));
  await expect(points(page)).toHaveText("0 of 2 points", FIRST);
  const write = taskOf(page, "write");
  const answer = write.getByRole("button", { name: "Answer", exact: true });
  const slow = `import { definePass } from "oriscope/pass";
export default definePass({ name: "slow", run() { let n = 0; for (let i = 0; i < 300000; i++) n += i; if (n < 0) throw new Error(); } });`;
  await write.getByLabel("Source").fill(slow);
  // What is to be expected is said first.
  await expect(answer).toBeDisabled();
  await write.getByRole("radio", { name: "it fails on p" }).check();
  await answer.click();
  await expect(write.getByRole("progressbar", { name: "Programs done" })).toBeVisible(FIRST);
  await write.getByRole("button", { name: "Stop", exact: true }).click();
  await expect(write.getByRole("button", { name: "Stop", exact: true })).toBeHidden();
  await expect(answer).toBeEnabled();
  await expect(points(page)).toHaveText("0 of 2 points");
  await expect(write.locator("[data-status]")).toHaveCount(0);
  await expect(write.getByLabel("Source")).toHaveValue(slow);

  await write.getByLabel("Source").fill(readFileSync("passes/dead-code.ts", "utf8"));
  await write.getByRole("radio", { name: "it holds on every program" }).check();
  await answer.click();
  await expect(said(write, "Right: 2 of 2 points")).toBeVisible({ timeout: 120_000 });
  await expect(write.getByText("You expected: it holds on every program.")).toBeVisible();
  done();
});

test("two tabs and a thread that ends lose no answer", async ({ page, context }) => {
  test.setTimeout(180_000);
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
  await openPage(page);
  await dropFile(page, "two.md", TWO);
  await expect(points(page)).toHaveText("0 of 2 points", FIRST);
  const other = await context.newPage();
  await openPage(other);
  await dropFile(other, "two.md", TWO);
  await expect(points(other)).toHaveText("0 of 2 points", FIRST);

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
  await expect(said(taskOf(page, "a"), "it is 1, not 7")).toBeVisible(FIRST);
  await giveNumber(page, "a", 1);
  await expect(points(page)).toHaveText("2 of 2 points");
  await page.reload();
  await expect(points(page)).toHaveText("2 of 2 points", FIRST);
});

test("a reset draws the programs of a new attempt, and undo brings back those before with their answers", async ({ page }) => {
  test.setTimeout(180_000);
  const done = watchConsole(page);
  await openPage(page);
  const lab = `${head("attempt-e2e", "seed: attempt\n")}\n\`\`\`program {name=own generate=graph blocks=6..9}\n\`\`\`\n${number("a", 1)}${number("b", 2)}`;
  await dropFile(page, "attempt.md", lab);
  await expect(points(page)).toHaveText("0 of 2 points", FIRST);
  const program = page.locator("[data-lab] figure pre");
  const first = await program.innerText();
  await giveNumber(page, "a", 1);
  await expect(points(page)).toHaveText("1 of 2 points");
  await page.reload();
  await expect(points(page)).toHaveText("1 of 2 points", FIRST);
  await expect(program).toHaveText(first, { useInnerText: true });

  await page.getByLabel("Go to").selectOption({ label: "Hand in" });
  await page.getByRole("button", { name: "Reset the whole lab" }).click();
  await expect(points(page)).toHaveText("0 of 2 points");
  await goTo(page, 0);
  await expect(program).not.toHaveText(first, { useInnerText: true });
  await page.getByRole("button", { name: "Undo the reset" }).click();
  await expect(points(page)).toHaveText("1 of 2 points");
  await expect(program).toHaveText(first, { useInnerText: true });
  await page.reload();
  await expect(points(page)).toHaveText("1 of 2 points", FIRST);
  await expect(program).toHaveText(first, { useInnerText: true });
  done();
});

test("an engine that is ended or crashes takes no answer and no draft with it", async ({ page }) => {
  test.setTimeout(180_000);
  await openPage(page);
  const predict = 'kind: predict\nask: Does it?\nprogram: p\nat: { phase: 49, when: "verdict = no" }\nwhat: verdict';
  await dropFile(
    page,
    "crash.md",
    head("crash-e2e") + number("a", 1) + fence("ori {name=p}", PROGRAM) + fence("task {id=verdict points=1}", predict),
  );
  await expect(points(page)).toHaveText("0 of 2 points", FIRST);
  await giveNumber(page, "a", 1);
  await expect(points(page)).toHaveText("1 of 2 points");
  await goTo(page, 1);
  const verdict = taskOf(page, "verdict");
  await expect(page.getByTestId("phase")).toContainText("Value numbering");
  await verdict.getByRole("radio", { name: /^no/ }).check();
  const later = page.locator('[role="option"][data-phase="gvn-cse"]').locator("xpath=following-sibling::*");
  /** Nothing is lost, and what was covered stays so. */
  const same = async (): Promise<void> => {
    await waitForRun(page);
    await expect(points(page)).toHaveText("1 of 2 points");
    await expect(verdict.getByRole("radio", { name: /^no/ })).toBeChecked();
    await expect(page.getByTestId("phase")).toContainText("Value numbering");
    await expect(later).toHaveCount(0);
  };
  await same();

  await openMenu(page, "Phase");
  await page.getByRole("menuitem", { name: "Restart the engine" }).click();
  await expect(page.getByTestId("crash")).toBeVisible();
  await same();
  const engine = page.workers().find((worker) => /host/.test(worker.url()));
  expect(engine).toBeDefined();
  await engine?.evaluate(() => {
    setTimeout(() => {
      throw new Error("out of luck");
    });
  });
  await expect(page.getByTestId("crash")).toContainText("out of luck");
  await same();

  await verdict.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(said(verdict, "Right: 1 of 1 point")).toBeVisible(FIRST);
  await expect(points(page)).toHaveText("2 of 2 points");
  await page.reload();
  await expect(points(page)).toHaveText("2 of 2 points", FIRST);
});

test("work on another version stays apart, and another text of the same version is judged again", async ({ page }) => {
  test.setTimeout(180_000);
  const done = watchConsole(page);
  await openPage(page);
  await dropFile(page, "two.md", TWO);
  await expect(points(page)).toHaveText("0 of 2 points", FIRST);
  await giveNumber(page, "a", 1);
  await expect(points(page)).toHaveText("1 of 2 points");

  await dropFile(page, "two.md", TWO.replace("version: 1", "version: 2"));
  await expect(page.getByText("You worked on version 1 of this lab.", { exact: false })).toBeVisible(FIRST);
  await expect(points(page)).toHaveText("0 of 2 points");
  await expectAccessible(page, "earlier version");
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
  await expect(points(page)).toHaveText("1 of 2 points", FIRST);
  await dropFile(page, "two.md", TWO.replace("value: 1", "value: 4"));
  await expect(page.getByText("your answers are being graded again", { exact: false })).toBeVisible(FIRST);
  await expect(points(page)).toHaveText("0 of 2 points");
  await expect(said(taskOf(page, "a"), "it is 4, not 1")).toBeVisible();
  done();
});

test("a wrong verdict leads to a smaller program and a twin; what has no answer to show offers none", async ({ page }) => {
  test.setTimeout(180_000);
  const done = watchConsole(page);
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  const predict = 'kind: predict\nask: Does it?\nprogram: p\nat: { phase: 49, when: "verdict = no" }\nwhat: verdict\nagain: lvn-1/hit';
  const lab =
    head("after-e2e") +
    fence("ori {name=p}", PROGRAM) +
    fence("task {id=verdict points=1}", predict) +
    fence("task {id=edit points=1}", "kind: edit\nask: Make it stay.\nprogram: p\nphase: 49\nmust: fires\nrewrites: 3") +
    number("count", 3);
  await openPage(page, `./#${await encodeLab(lab)}`);
  await expect(points(page)).toHaveText("0 of 3 points", FIRST);
  const verdict = taskOf(page, "verdict");
  await expect(verdict).toContainText("again, from lvn-1");
  await expect(verdict.getByRole("button", { name: "Twin" })).toHaveCount(0);
  await verdict.getByRole("radio", { name: /^yes/ }).check();
  await verdict.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(said(verdict, "Not right: 0 of 1 point")).toBeVisible();
  await verdict.getByRole("button", { name: "Smaller" }).click();
  const shown = verdict.locator("figure pre");
  await expect(shown).toBeVisible(FIRST);
  expect((await shown.innerText()).trim().split("\n").length).toBeLessThan(PROGRAM.trim().split("\n").length);
  await verdict.getByRole("button", { name: "Twin" }).click();
  await expect(verdict.getByText("A program that differs in one line", { exact: false })).toBeVisible(FIRST);
  await expectAccessible(page, "twin, dark");
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
  done();
});

test("a lab is previewed with the programs of any seed, and what our answer and none are worth", async ({ page }) => {
  test.setTimeout(180_000);
  const done = watchConsole(page);
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openPage(page);
  await openMenu(page, "File");
  await page.getByRole("menuitem", { name: "Write a lab" }).click();
  const dialog = page.getByRole("dialog", { name: "Write a lab" });
  const lab =
    head("preview-e2e", "seed: per-student\n") +
    "\n```program {name=own generate=graph blocks=4..6}\n```\n" +
    fence("task {id=order points=3}", "kind: mark\nask: Number them.\nprogram: own\nwhat: rpo");
  await dialog.getByRole("textbox", { name: /^The lab’s text/ }).fill(lab);
  await expect(dialog.getByText("1 task, 3 points.", { exact: false })).toBeVisible(FIRST);
  await dialog.getByRole("button", { name: "Preview" }).click();
  const preview = dialog.getByRole("region", { name: "Preview" });
  const program = preview.locator("figure pre");
  await expect(preview.getByText("The engine’s answer earns 3 of 3", { exact: false })).toBeVisible(FIRST);
  await expect(preview.getByText("An empty answer earns: 0 of 3", { exact: false })).toBeVisible();
  const first = await program.innerText();
  await preview.getByRole("button", { name: "Next student" }).click();
  await expect(preview.getByLabel("Seed")).toHaveValue("2");
  await expect(program).not.toHaveText(first, { useInnerText: true });
  await preview.getByLabel("Seed").fill("1");
  await expect(program).toHaveText(first, { useInnerText: true });
  await preview.getByRole("button", { name: "Next variant" }).click();
  await expect(preview.getByText("Variant 1 of each task.")).toBeVisible();
  await expectAccessible(page, "preview");
  await preview.getByRole("checkbox", { name: "With answers" }).uncheck();
  await expect(preview.getByText("The engine’s answer", { exact: false })).toHaveCount(0);

  // What does not fit into a link says so.
  const noise = Array.from({ length: 4000 }, (_, i) => Math.imul(i + 1, 0x9e3779b1).toString(36)).join(" ");
  await dialog.getByRole("textbox", { name: /^The lab’s text/ }).fill(`${lab}\n${noise}\n`);
  await expect(dialog.getByText("1 task, 3 points.", { exact: false })).toBeVisible();
  await dialog.getByRole("button", { name: "Copy a link to it" }).click();
  await expect(page.getByText("This lab is too long for a link. Give your students the file", { exact: false })).toBeVisible();
  done();
});
