import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { packFiles } from "../src/cli/labs/pack.ts";
import { TWO_ADDS } from "../src/labs/testing/two-adds.ts";
import { encodeLab } from "../src/links/lab-link.ts";
import { decodeState } from "../src/links/lab-state.ts";
import { expectAccessible } from "./axe.ts";
import { host } from "./host.ts";
import { dropFile, openPage, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

/** The text tries to be markup. */
const LAB = `---
title: A small lab
id: small-e2e
version: 1
---

Look at <img src=x onerror="window.hacked = 1"> two <script>window.hacked = 1</script> adds. [Run](javascript:window.hacked=1)

\`\`\`ori {name=p}
${TWO_ADDS}\`\`\`

\`\`\`task {id=same points=2}
kind: choice
ask: Which block computes a sum again?
options:
  - { text: BB2, because: BB2 only stores it. }
  - { text: BB1, right: true }
\`\`\`

\`\`\`task {id=found points=2}
kind: predict
ask: In which block does value numbering rewrite first?
program: p
at: { phase: 49, when: "kind = rewrite", nth: 1 }
what: block
\`\`\`

\`\`\`task {id=walk points=2}
kind: mark
ask: Number the blocks in reverse post-order.
program: p
what: rpo
\`\`\`

\`\`\`task {id=dead points=2}
kind: simulate
of: rpo
ask: Walk the graph depth first.
program: p
\`\`\`
`;

/** Collects what is asked of any other host. */
function foreignRequests(page: Page, own: (url: string) => boolean): readonly string[] {
  const found: string[] = [];
  page.on("request", (request) => {
    const url = request.url();
    if (!/^(?:blob|data):/.test(url) && !own(url)) found.push(url);
  });
  return found;
}

/** Goes on with the Tab key until something has the focus. */
async function tabTo(page: Page, target: Locator): Promise<void> {
  await expect(target).toBeVisible();
  for (let i = 0; i < 40; i++) {
    await page.keyboard.press("Tab");
    if (await target.evaluate((e) => e === document.activeElement)) return;
  }
  throw new Error("forty Tabs do not lead there");
}

/** Gives the answer of the task that is shown, and waits for what it is worth. */
async function answer(page: Page, task: Locator, said: string): Promise<void> {
  await tabTo(page, task.getByRole("button", { name: "Answer", exact: true }));
  await page.keyboard.press("Enter");
  await expect(task.getByRole("status").filter({ hasText: said })).toBeVisible();
}

const MOVES = ["BB0", "BB1", "BB3", "done BB3", "done BB1", "BB2", "done BB2", "done BB0"];

test("a lab is done with the keyboard, nothing after an open prediction is shown, and a reload keeps it all", async ({ page }) => {
  test.setTimeout(240_000);
  const done = watchConsole(page);
  const strangers = foreignRequests(page, (url) => new URL(url).hostname === "127.0.0.1");
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openPage(page);
  await dropFile(page, "small.md", LAB);
  const lab = page.getByRole("region", { name: "Lab", exact: true });
  const points = page.getByTestId("lab-points");
  // The pane, its thread and the engine in that come one after the other.
  await expect(points).toHaveText("0 of 8 points", { timeout: 45_000 });
  // Hostile markup is text, or nothing.
  await expect(lab.locator("script, img, a[href^='javascript']")).toHaveCount(0);
  expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();

  await page.getByLabel("Go to").focus();
  const task = (id: string): Locator => page.locator(`[data-task="${id}"]`);
  await tabTo(page, task("same").getByRole("radio").first());
  await page.keyboard.press("Space");
  await answer(page, task("same"), "BB2 only stores it.");
  await page.getByLabel("Go to").focus();
  await tabTo(page, task("same").getByRole("radio", { checked: true }));
  await page.keyboard.press("ArrowDown");
  await answer(page, task("same"), "Right: 2 of 2 points.");
  await expect(points).toHaveText("2 of 8 points");
  await expectAccessible(page, "choice, light");

  await page.keyboard.press("n");
  // The tool stands right before the decision, and value numbering is the last phase that it knows of.
  await expect(page.getByTestId("phase")).toContainText("Value numbering");
  await waitForRun(page);
  await expect(page.locator('[role="option"][data-phase="gvn-cse"]').locator("xpath=following-sibling::*")).toHaveCount(0);
  await tabTo(page, task("found").getByRole("radio").first());
  await page.keyboard.press("Space");
  await page.keyboard.press("ArrowDown");
  await answer(page, task("found"), "Right: 2 of 2 points.");
  await expect(page.locator('[role="option"][data-phase="gvn-cse"]').locator("xpath=following-sibling::*").first()).toBeAttached();

  await lab.focus();
  await page.keyboard.press("n");
  for (const [label, number] of [
    ["BB0", "1"],
    ["BB1", "2"],
    ["BB2", "3"],
    ["BB3", "4"],
  ] as const) {
    await tabTo(page, task("walk").getByLabel(label, { exact: true }));
    await page.keyboard.type(number);
  }
  await answer(page, task("walk"), "Right: 2 of 2 points.");
  await page.emulateMedia({ colorScheme: "dark", reducedMotion: "reduce" });
  await expectAccessible(page, "numbers, dark");

  await lab.focus();
  await page.keyboard.press("n");
  await tabTo(page, task("dead").getByLabel("Next move"));
  for (const move of MOVES) {
    await page.keyboard.type(move);
    await page.keyboard.press("Enter");
  }
  await expect(task("dead").getByText("All moves are made: press Answer.")).toBeVisible();
  await answer(page, task("dead"), "Right: 2 of 2 points.");
  await expect(points).toHaveText("8 of 8 points");

  await page.reload();
  await expect(points).toHaveText("8 of 8 points");
  await page.getByLabel("Go to").selectOption({ label: "Hand in" });
  await expect(page.getByRole("button", { name: "Download the hand-in" })).toBeVisible();
  const [file] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: "Download the hand-in" }).click()]);
  expect(file.suggestedFilename()).toBe("small-e2e.student.json");
  // A reset can be taken back.
  await page.getByRole("button", { name: "Reset the whole lab" }).click();
  await expect(points).toHaveText("0 of 8 points");
  await page.getByRole("button", { name: "Undo the reset" }).click();
  await expect(points).toHaveText("8 of 8 points");
  expect(strangers).toEqual([]);
  done();
});

test("a link opens a lab on a phone; marks on the graph are the answer of the list", async ({ page }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await openPage(page, `./#${await encodeLab(LAB)}`);
  const points = page.getByTestId("lab-points");
  await expect(points).toHaveText("0 of 8 points", { timeout: 45_000 });
  await page.getByRole("radio", { name: "BB1" }).check();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(points).toHaveText("2 of 8 points");
  await expectAccessible(page, "phone");

  await page.getByLabel("Go to").selectOption({ index: 2 });
  const task = page.locator('[data-task="walk"]');
  // What is covered is said in the pane: nothing lies over its buttons.
  await expect(page.getByText("what comes next until you have answered task 2 about this program", { exact: false })).toBeVisible();
  await expect(page.getByRole("region", { name: "Notices" }).locator("p")).toHaveCount(0);
  await task.getByRole("button", { name: "Mark on the graph" }).click();
  await page.getByRole("tab", { name: "Graph" }).click();
  await waitForRun(page);
  for (const [id, label] of [
    ["b0", "BB0"],
    ["b1", "BB1"],
  ] as const)
    await page.locator(`[data-node="${id}"]`).getByText(label, { exact: true }).first().click();
  await expect(page.locator('[data-node="b1"]').getByText("yours: 2")).toBeVisible();
  await page.getByRole("tab", { name: "Lab" }).click();
  await expect(task.getByLabel("BB0", { exact: true })).toHaveValue("1");
  await expect(task.getByLabel("BB1", { exact: true })).toHaveValue("2");

  // A larger window rearranges the pane and does not reload it.
  const lab = page.getByRole("region", { name: "Lab", exact: true });
  const pane = await lab.elementHandle();
  await page.setViewportSize({ width: 1024, height: 768 });
  await expect(page.getByRole("tablist", { name: "Lab and panes" })).toBeVisible();
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(page.getByRole("tablist", { name: "Lab and panes" })).toHaveCount(0);
  await expect(lab).toBeVisible();
  expect(await pane?.evaluate((element) => element.isConnected)).toBe(true);
});

test("a package runs in a course system, which keeps score, state and status", async ({ page }) => {
  test.setTimeout(180_000);
  const folder = mkdtempSync(join(tmpdir(), "oriscope-package-"));
  const built = readdirSync("dist", { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const tree = new Map(
    built.map((entry) => {
      const path = join(entry.parentPath, entry.name);
      return [relative("dist", path).replaceAll("\\", "/"), readFileSync(path)] as const;
    }),
  );
  const files = new Map<string, string | Uint8Array>(
    packFiles(tree, { id: "small-e2e", title: "A small lab", version: 1, text: LAB }, "1.2", ""),
  );
  files.set("again.js", readFileSync("node_modules/scorm-again/dist/scorm12.min.js"));
  files.set(
    "course.html",
    `<script src="./again.js"></script><script>window.API = new (window.Scorm12API ?? window.ScormAgain.Scorm12API)({ logLevel: 5 });
     API.loadFromJSON({ core: { student_id: "4711", student_name: "Lovelace, Ada" } });</script>
     <iframe src="./index.html" style="width:1400px;height:850px;border:0"></iframe>`,
  );
  for (const [name, content] of files) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), content);
  }
  const server = await host(folder);
  const strangers = foreignRequests(page, (url) => url.startsWith(server.address));
  try {
    await page.goto(`${server.address}course.html`);
    const frame = page.frameLocator("iframe");
    await expect(frame.getByTestId("lab-points")).toHaveText("0 of 8 points", { timeout: 45_000 });
    await expect(frame.getByText(/^Sent to the course at/)).toBeVisible();
    await frame.getByRole("radio", { name: "BB1" }).check();
    await frame.getByRole("button", { name: "Answer", exact: true }).click();
    await expect(frame.getByTestId("lab-points")).toHaveText("2 of 8 points");
    const kept = (element: string): Promise<string> =>
      page.evaluate((name) => (Reflect.get(window, "API") as { LMSGetValue(n: string): string }).LMSGetValue(name), element);
    await expect.poll(() => kept("cmi.core.score.raw")).toBe("25");
    expect(await kept("cmi.core.lesson_status")).toBe("incomplete");
    const state = decodeState(await kept("cmi.suspend_data"));
    expect(state.ok && (JSON.parse(state.text) as object)).toMatchObject({
      lab: { id: "small-e2e" },
      student: { number: "4711" },
      answers: { same: { choose: [1] } },
    });
    await frame.getByRole("button", { name: "Submit to the course" }).click();
    await expect.poll(() => kept("cmi.core.lesson_status")).toBe("completed");
    expect(strangers).toEqual([]);
  } finally {
    server.close();
    rmSync(folder, { recursive: true, force: true });
  }
});
