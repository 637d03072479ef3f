/** Labs as students do them: every form by keyboard, code, on a phone, in a course system. */
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, relative, resolve } from "node:path";
import { expect, type Locator, type Page } from "@playwright/test";
import { packFiles } from "../src/features/labs/cli/pack.ts";
import type { GradeJson } from "../src/features/labs/cli/shapes.ts";
import { TWO_ADDS } from "../src/features/labs/engine/testing/two-adds.ts";
import { encodeLab } from "../src/features/labs/link/lab-link.ts";
import { decodeState } from "../src/features/labs/link/lab-state.ts";
import { expectAccessible, setTheme } from "./axe.ts";
import { host } from "./host.ts";
import { dropFile, waitForRun, watchConsole } from "./page.ts";
import { someOf } from "./sample.ts";
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

/** With an add whose result nothing reads. */
const PROGRAM = TWO_ADDS.replace("    ISETP", "    IADD R7, R2, 1\n    ISETP");

/** R2 is written again before its first value is used: a phase that fails to check uses the wrong one. */
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
const FORMS = [
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
    "kind: write\nask: Remove what is dead.\ncount: 3\nhidden: true\nunlock: predict\nmust: [{ program: p, measure: instructions, at-most: 8 }]",
  ),
].join("");

/** Time for the pane, its thread and the engine in it, or the compiler and the sandbox: they are loaded on first use, one after the other. */
const FIRST = { timeout: 45_000 };

/** Collects the requests to any other host. */
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
  await expect(target).toBeEnabled();
  // There are at least as many stops before it as buttons and fields: a group of radio buttons is one, or none.
  const least = await target.evaluate((e) => {
    const stops = [...document.querySelectorAll<HTMLElement>("button, input:not([type=radio]), select, textarea")].filter(
      (stop) => stop.tabIndex >= 0 && !stop.matches(":disabled") && stop.checkVisibility({ visibilityProperty: true }),
    );
    const from = document.activeElement;
    const after = (stop: Element): boolean =>
      from !== null && (from.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0;
    return stops.filter((stop) => after(stop) && (stop.compareDocumentPosition(e) & Node.DOCUMENT_POSITION_FOLLOWING) !== 0).length;
  });
  for (let i = 0; i < Math.min(least, 60); i++) await page.keyboard.press("Tab");
  for (let i = least; i < 60; i++) {
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

/** Gives the answer of the task that is shown, and waits for what it is worth. */
async function answer(page: Page, task: Locator, said: string): Promise<void> {
  await press(page, task.getByRole("button", { name: "Answer", exact: true }));
  await expect(task.getByRole("status").filter({ hasText: said })).toBeVisible();
}

const MOVES = ["BB0", "BB1", "BB3", "done BB3", "done BB1", "BB2", "done BB2", "done BB0"];
/** The forms that axe sees this time. */
const SEEN = someOf(["choice", "numbers", "order", "plan", "tests", "1024 px", "390 px", "write"], 2);

test("every form of a lab is done by keyboard alone, nothing after an open prediction is shown, a reload keeps it all, and a pass counts the same on the command line", async ({
  page,
}) => {
  test.setTimeout(240_000);
  const done = watchConsole(page);
  const strangers = foreignRequests(page, (url) => new URL(url).hostname === "127.0.0.1");
  const accessible = async (where: string): Promise<void> => {
    if (SEEN.includes(where)) await expectAccessible(page, where, { part: "[data-lab]" });
  };
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto("./");
  await waitForRun(page);
  await dropFile(page, "small.md", LAB);
  const lab = page.getByRole("region", { name: "Lab", exact: true });
  const points = page.getByTestId("lab-points");
  const task = (id: string): Locator => page.locator(`[data-task="${id}"]`);
  await points.waitFor(FIRST);
  await expect(points).toHaveText("0 of 8 points");
  // Hostile markup is text, or nothing.
  await expect(lab.locator("script, img, a[href^='javascript']")).toHaveCount(0);
  expect(await page.evaluate(() => Reflect.get(window, "hacked"))).toBeUndefined();

  await test.step("a choice", async () => {
    await page.getByLabel("Go to").focus();
    await tabTo(page, task("same").getByRole("radio").first());
    await page.keyboard.press("Space");
    await answer(page, task("same"), "BB2 only stores it.");
    await page.getByLabel("Go to").focus();
    await tabTo(page, task("same").getByRole("radio", { checked: true }));
    await page.keyboard.press("ArrowDown");
    await answer(page, task("same"), "Right: 2 of 2 points.");
    await expect(points).toHaveText("2 of 8 points");
    await accessible("choice");
  });
  await test.step("a prediction", async () => {
    await page.keyboard.press("n");
    // The tool is one step before the decision, and shows no phase after value numbering.
    await expect(page.getByTestId("phase")).toContainText("Value numbering");
    await waitForRun(page);
    const later = page.locator('[role="option"][data-phase="gvn-cse"]').locator("xpath=following-sibling::*");
    await expect(later).toHaveCount(0);
    await tabTo(page, task("found").getByRole("radio").first());
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowDown");
    await answer(page, task("found"), "Right: 2 of 2 points.");
    await expect(later.first()).toBeAttached();
  });
  await test.step("numbers", async () => {
    await lab.focus();
    await page.keyboard.press("n");
    for (const number of [1, 2, 3, 4]) {
      await tabTo(page, task("walk").getByLabel(`BB${number - 1}`, { exact: true }));
      await page.keyboard.type(String(number));
    }
    await answer(page, task("walk"), "Right: 2 of 2 points.");
    await accessible("numbers");
  });
  await test.step("moves", async () => {
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
  });
  await page.reload();
  await expect(points).toHaveText("8 of 8 points");

  await setTheme(page, "dark");
  await dropFile(page, "forms.md", FORMS);
  await points.waitFor(FIRST);
  await expect(points).toHaveText("0 of 7 points");
  /** Goes to the task by the menu, does it, hands it in. */
  const work = (index: number, id: string, said: string, steps: (task: Locator) => Promise<void>): Promise<void> =>
    test.step(id, async () => {
      await page.getByLabel("Go to").focus();
      await page.getByLabel("Go to").selectOption({ index });
      await expect(task(id)).toBeVisible();
      await lab.focus();
      await steps(task(id));
      await answer(page, task(id), said);
    });
  await work(0, "fill", "Right: 1 of 1 point", async (task) => {
    await fill(page, task.getByLabel("BB0", { exact: true }), "BB2 BB1");
    await fill(page, task.getByLabel("BB1", { exact: true }), "BB3");
  });
  await work(1, "order", "Right: 1 of 1 point", async (task) => {
    // The pressed button is removed: the line that replaces it has the focus.
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
    await accessible("order");
    await lab.focus();
  });
  await work(2, "edit", "Right: 1 of 1 point", async (task) => {
    await fill(page, task.getByLabel("Program"), PROGRAM.replace("IADD R4, R0, R1", "IADD R4, R0, 9"));
  });
  await work(3, "reach", "Right: 1 of 1 point", async (task) => {
    await fill(page, task.getByLabel("Phases in order, one per line"), "6\n16");
    await accessible("plan");
  });
  await work(4, "wrong", "Right: 1 of 1 point", async (task) => {
    await tabTo(page, task.getByRole("radio").first());
    await page.keyboard.press("Space");
    const wanted = task.getByRole("radio", { name: /^side-effects/ });
    for (let i = 0; i < 20 && !(await wanted.isChecked()); i++) await page.keyboard.press("ArrowDown");
    await expect(wanted).toBeChecked();
  });
  await work(5, "tests", "Right: 1 of 1 point", async (task) => {
    await press(page, task.getByRole("button", { name: "Add an empty test" }));
    await lab.focus();
    await fill(page, task.getByLabel("Test 1"), TEST);
    await accessible("tests");
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
    await accessible(`${width} px`);
  }
  // A pass runs when Answer is pressed, is stopped, and is worth what the command line gives for it.
  await page.setViewportSize({ width: 1440, height: 900 });
  await dropFile(page, "write.md", WRITE);
  await points.waitFor(FIRST);
  await expect(points).toHaveText("0 of 2 points");
  const write = page.locator('[data-task="write"]');
  const said = (text: string): Locator => write.getByRole("status").filter({ hasText: text });
  const button = write.getByRole("button", { name: "Answer", exact: true });
  const pass = (name: string, run: string): string =>
    `import { definePass } from "oriscope/pass";\nexport default definePass({ name: "${name}", run() { ${run} } });`;
  /** By keyboard alone. */
  const hand = async (source: string): Promise<void> => {
    await lab.focus();
    await fill(page, write.getByLabel("Source"), source);
    await press(page, button);
  };
  await test.step("what is to be expected is said first, and a run is stopped", async () => {
    const slow = pass("slow", "let n = 0; for (let i = 0; i < 4_000_000; i++) n += i; if (n < 0) throw new Error();");
    await write.getByLabel("Source").fill(slow);
    expect(page.frames()).toHaveLength(1);
    await expect(button).toBeDisabled();
    await write.getByRole("radio", { name: "it fails on p" }).check();
    await button.click();
    // The compiler and the sandbox come with the first press.
    await write.getByRole("progressbar", { name: "Programs done" }).waitFor(FIRST);
    await write.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(write.getByRole("button", { name: "Stop", exact: true })).toBeHidden();
    await expect(button).toBeEnabled();
    await expect(points).toHaveText("0 of 2 points");
    await expect(write.locator("[data-status]")).toHaveCount(0);
    await expect(write.getByLabel("Source")).toHaveValue(slow);
  });
  await test.step("a wrong pass, and a right one", async () => {
    await hand(pass("none", ""));
    await said("Not right: 0 of 2 points").waitFor(FIRST);
    await expect(write.getByText("p: 9 instructions, at most 8 are wanted")).toBeVisible();
    await write.getByRole("radio", { name: "it holds on every program" }).check();
    await hand(readFileSync("passes/dead-code.ts", "utf8"));
    await said("Right: 2 of 2 points").waitFor(FIRST);
    await expect(write.getByText("You expected: it holds on every program.")).toBeVisible();
    await accessible("write");
  });

  await page.getByRole("button", { name: "Next: hand in" }).click();
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
  // What it replaced comes back as it was, with what was graded.
  await page.getByRole("button", { name: "Restore the work before the hand-in" }).click();
  await expect(points).toHaveText("2 of 2 points");
  await expect(page.getByRole("button", { name: "Restore the work you left" })).toBeVisible();
  expect(strangers).toEqual([]);
  done();
});

test("a link opens a lab on a phone; marks on the graph are the answer of the list", async ({ page }) => {
  test.setTimeout(180_000);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.emulateMedia({ colorScheme: "light", reducedMotion: "reduce" });
  await page.goto(`./#${await encodeLab(LAB)}`);
  const points = page.getByTestId("lab-points");
  await expect(points).toHaveText("0 of 8 points", { timeout: 45_000 });
  await page.getByRole("radio", { name: "BB1" }).check();
  await page.getByRole("button", { name: "Answer", exact: true }).click();
  await expect(points).toHaveText("2 of 8 points");
  await expectAccessible(page, "phone", { part: "[data-lab]" });

  await page.getByLabel("Go to").selectOption({ index: 2 });
  const task = page.locator('[data-task="walk"]');
  // The pane says what is hidden: nothing covers its buttons.
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
