/** Helpers of the browser tests: opening the page, watching its console, reading its current position. */
import { expect, type Locator, type Page } from "@playwright/test";
import { LOOPS } from "../src/features/examples/page/rows/loops.ts";
import { REDUNDANCY } from "../src/features/examples/page/rows/redundancy.ts";
import { SWITCHES } from "../src/features/examples/page/rows/switches.ts";
import { TAILS } from "../src/features/examples/page/rows/tails.ts";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";

/** Collects what the page complains about; call the result at the end of a test. */
export function watchConsole(page: Page): () => void {
  const complaints: string[] = [];
  page.on("console", (message) => {
    if (message.type() === "error" || message.type() === "warning") complaints.push(message.text());
  });
  page.on("pageerror", (error) => complaints.push(error.message));
  return () => expect(complaints).toEqual([]);
}

/** Opens the page and waits until its program has run. A first visit opens at a rewrite, with a welcome: tests begin at the first phase's input. */
export async function openPage(page: Page, path = "./"): Promise<void> {
  await page.goto(path);
  await waitForRun(page);
  // The handbook, once it is there, covers the welcome.
  if (path.includes("handbook=")) return;
  const welcome = page.getByRole("region", { name: "Welcome" });
  if (!(await welcome.isVisible())) return;
  await welcome.getByRole("button", { name: "Close the welcome" }).click();
  await page.locator('[role="option"][data-phase="analyze-control-flow"]').click();
  await expectStep(page, 0);
  await waitForRun(page);
}

/**
 * Long waits here are `waitFor`: whenever `expect` finds nothing, it also describes the whole page for its message, which cost a tenth of the
 * processor time of all tests.
 */
export async function waitForRun(page: Page): Promise<void> {
  // The first one waits for the page's scripts, the engine's and the first run, one after the other.
  await page.getByTestId("phase").waitFor({ timeout: 45_000 });
  // Between a text and its run, the bar shows none of these.
  const rests = page.getByTestId("run-state").or(page.getByText(/^(?:no program|not run: the program has errors|engine failed)$/));
  await rests.first().waitFor({ state: "attached" });
  await expect(page.getByText(/^(?:tracing|running)…$|result of the last valid text/)).toHaveCount(0);
}

/** Opens an example of the gallery by its id. It opens where something happens: tests begin at the input of its phase. */
export async function openExample(page: Page, id: string): Promise<void> {
  await page.getByRole("button", { name: "Examples" }).click();
  const card = page.locator(`[data-example="${id}"]`);
  const title = await card.locator("span").first().textContent();
  await card.click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect.poll(() => page.title()).toContain(`${title} · Oriscope`);
  await waitForRun(page);
  await page.keyboard.press("ControlOrMeta+Home");
  await expect(page.getByTestId("sentence")).toHaveAttribute("data-step", "-1");
  await waitForDrawing(page);
}

/** Opens the page by a link to an example: at the input of its phase, as the two above, and no other program runs first. */
export async function openPageAt(page: Page, id: string): Promise<void> {
  const row = [...LOOPS, ...REDUNDANCY, ...SWITCHES, ...TAILS].find(([known]) => known === id);
  if (row === undefined) throw new Error(`there is no example ${id}`);
  const [, title, phase] = row;
  await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, example: id, title, format: "ori", phase, step: -1 })}`);
  await waitForRun(page);
  await expect(page.getByTestId("sentence")).toHaveAttribute("data-step", "-1");
  await waitForDrawing(page);
}

/** Waits until the graph on screen is the one that is open: drawing is done elsewhere. */
async function waitForDrawing(page: Page): Promise<void> {
  const graph = page.locator("[data-graph]");
  // The first drawing of a visit waits for ELK's script and its thread.
  if (await graph.isVisible()) await expect(graph).toHaveAttribute("aria-busy", "false", { timeout: 45_000 });
}

/** Allows the loading of what waits for idle time, mainly the editor: in a check, `test.ts` holds it back. */
export function becomeIdle(page: Page): Promise<void> {
  return page.evaluate(() => (Reflect.get(window, "becomeIdle") as (() => void) | undefined)?.());
}

/** Waits for the editor proper; typing works before, but differently. */
export async function waitForEditor(page: Page): Promise<void> {
  await becomeIdle(page);
  // The largest of the page's scripts, and the last to come.
  await page.locator('[data-editor="monaco"]').waitFor({ timeout: 45_000 });
}

/** Lets the engine's worker end by an error that nothing catches. */
export async function crashEngine(page: Page): Promise<void> {
  const engine = page.workers().find((worker) => /host/.test(worker.url()));
  if (engine === undefined) throw new Error("no engine");
  await engine.evaluate(() => {
    setTimeout(() => {
      throw new Error("out of luck");
    });
  });
}

/** The current position: phase, step and sentence as the page shows them. */
export async function place(page: Page): Promise<{ phase: string; step: string; sentence: string }> {
  return {
    phase: (await page.getByTestId("phase").textContent()) ?? "",
    step: (await page.getByTestId("step").textContent()) ?? "",
    sentence: (await page.getByTestId("sentence").textContent()) ?? "",
  };
}

/** Waits until the step shown has this number (from 1), or is the phase's input (0). */
export async function expectStep(page: Page, step: number): Promise<void> {
  await expect(page.getByTestId("step")).toHaveText(new RegExp(step === 0 ? "^input /" : `^step ${step} /`));
  // The sentence belongs to the state shown, which follows the number within a frame or two.
  await expect(page.getByTestId("sentence")).toHaveAttribute("data-step", String(step - 1));
}

/** Puts the focus where single-letter shortcuts work. */
export async function focusTimeline(page: Page): Promise<void> {
  await page.getByRole("slider", { name: "Step of this phase" }).focus();
}

/** Scrolls the editor with the wheel until a line with this text is visible: its position depends on the step, which the text follows. */
export async function showLine(page: Page, text: string): Promise<Locator> {
  await waitForEditor(page);
  const code = page.locator(".monaco-editor").first();
  const line = code.locator(".view-line").filter({ hasText: text }).first();
  await expect(async () => {
    if (await isInside(line, code)) return;
    const box = await code.boundingBox();
    expect(box).not.toBeNull();
    // Not `hover`, which waits until nothing covers the middle of the editor.
    if (box !== null) await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    // Up and then down: Monaco takes a part of a long turn only.
    for (const [turn, times] of [
      [-300, 20],
      [40, 60],
    ] as const) {
      for (let i = 0; i < times && !(await isInside(line, code)); i++) {
        await page.mouse.wheel(0, turn);
        await nextFrame(page);
      }
    }
    expect(await isInside(line, code)).toBe(true);
  }).toPass();
  return line;
}

/** Points at a word of a line of the text until its hover contains the expected text; the editor may not listen yet, or its lines may still move. */
export async function hoverWord(page: Page, text: string, word: string, says: string): Promise<Locator> {
  const hover = page.locator(".monaco-hover:visible");
  await expect(async () => {
    const line = await showLine(page, text);
    const at = await line.evaluate((element, wanted) => {
      const walk = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      for (let node = walk.nextNode(); node !== null; node = walk.nextNode()) {
        const start = node.textContent?.indexOf(wanted) ?? -1;
        if (start < 0) continue;
        const range = document.createRange();
        range.setStart(node, start);
        range.setEnd(node, start + wanted.length);
        const { x, y, width, height } = range.getBoundingClientRect();
        return { x: x + width / 2, y: y + height / 2 };
      }
      throw new Error(`the line has no ${wanted}`);
    }, word);
    await page.mouse.move(at.x, at.y + 60);
    await page.mouse.move(at.x, at.y, { steps: 3 });
    await expect(hover).toContainText(says, { timeout: 4_000 });
  }).toPass();
  return hover;
}

/** Whether a line is completely inside the box of the editor. */
async function isInside(line: Locator, code: Locator): Promise<boolean> {
  if ((await line.count()) === 0) return false;
  const [inner, outer] = [await line.boundingBox(), await code.boundingBox()];
  if (inner === null || outer === null) return false;
  return inner.y >= outer.y && inner.y + inner.height <= outer.y + outer.height;
}

async function nextFrame(page: Page): Promise<void> {
  await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

/** Replaces the whole source text as a person would. */
export async function typeSource(page: Page, text: string): Promise<void> {
  await waitForEditor(page);
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Opens a program as if its file had been dropped on the window, with other empty files. */
export async function dropFile(page: Page, name: string, text: string, others: readonly string[] = []): Promise<void> {
  await page.evaluate(
    ([fileName, content, more]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName));
      for (const other of more) dataTransfer.items.add(new File([], other));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text, others] as const,
  );
}

/** A command by the palette. */
export async function runCommand(page: Page, title: string): Promise<void> {
  await page.keyboard.press("ControlOrMeta+k");
  await page.getByRole("combobox", { name: /^Command/ }).fill(title);
  await page.keyboard.press("Enter");
  await expect(page.getByRole("combobox", { name: /^Command/ })).toHaveCount(0);
}

/** Opens one of the menus. */
export async function openMenu(page: Page, title: "File" | "Step" | "Phase" | "View" | "Help"): Promise<void> {
  await page.getByRole("button", { name: "Menu", exact: true }).click();
  await page.getByRole("menuitem", { name: title, exact: true }).click();
}

/** Saves a file of another kind, by the dialog of exports. */
export async function exportAs(page: Page, title: string): Promise<void> {
  await openMenu(page, "File");
  await page.getByRole("menuitem", { name: "Export…" }).click();
  await page.getByRole("dialog", { name: "Export" }).getByRole("button", { name: title }).click();
}

/** Target, level, rules or format: what the button at the top opens. */
export async function setOption(page: Page, label: "Target" | "Level" | "Policy" | "Format", value: string): Promise<void> {
  await page.getByTitle("Target, optimization level, rules and source format").click();
  await page.getByLabel(label, { exact: true }).selectOption(value);
  await page.keyboard.press("Escape");
}

/** Parts of the tab Data. */
const DATA = ["Structures", "Values", "Switches", "Tails", "Record"];
const EXPERIMENTS = ["Drop a condition", "Stop after a rewrite", "Set a knob", "Phase order", "Run on inputs", "Real SASS", "All runs"];

/** What shows an experiment: it covers the explanation. */
export const drawer = (page: Page): Locator => page.getByRole("region", { name: "Experiment" });

/** Opens what a pane shows by its title, wherever it is: a tab of the program or the explanation, a part of Data, the rule, an experiment. */
export async function openTab(page: Page, name: string): Promise<void> {
  if (name === "Compare two runs") {
    await runCommand(page, name);
    await expect(page.getByRole("region", { name: "Compare", exact: true })).toBeVisible();
    return;
  }
  if (EXPERIMENTS.includes(name)) {
    if (!(await drawer(page).isVisible())) await page.getByRole("button", { name: "What if …?" }).click();
    const all = drawer(page).getByRole("button", { name: "All experiments" });
    const entry = drawer(page).getByRole("button", { name: new RegExp(`^${name}`) });
    await all.or(entry).first().waitFor();
    if (await all.isVisible()) await all.click();
    await entry.click();
    await expect(drawer(page).getByRole("heading", { name })).toBeVisible();
    return;
  }
  // A tab that exists only while it is used.
  const command = { Pass: "Your own pass" }[name];
  if (command !== undefined) {
    if (!(await page.getByRole("tab", { name, exact: true }).isVisible())) await runCommand(page, command);
    await page.getByRole("tab", { name, exact: true }).click();
    return;
  }
  const fold = DATA.includes(name) ? name : name === "Rule" ? "The rule and its source" : null;
  const tab = page.getByRole("tab", { name: fold === null ? name : fold === name ? "Data" : "Why", exact: true });
  const close = drawer(page).getByRole("button", { name: "Close the experiments" });
  await expect(tab.or(close).first()).toBeVisible();
  if (!(await tab.isVisible())) await close.click();
  await tab.click();
  if (fold === null) return;
  const heading = page.locator("#pane-inspectors").getByRole("button", { name: fold, exact: true });
  if ((await heading.getAttribute("aria-expanded")) !== "true") await heading.click();
  await expect(heading).toHaveAttribute("aria-expanded", "true");
}

/** Opens one of the panes where the window has room for one or two. */
export async function showPane(page: Page, name: "Program" | "Graph" | "Explanation"): Promise<void> {
  // The drawer covers the tabs.
  if (await drawer(page).isVisible()) await drawer(page).getByRole("button", { name: "Close the experiments" }).click();
  const panes = page.getByRole("tablist", { name: "Panes" });
  if (await panes.isVisible()) await panes.getByRole("tab", { name, exact: true }).click();
  else if (name !== "Graph") {
    const tab = page.locator("#pane-inspectors").getByRole("tab", { name: name === "Program" ? name : "Why", exact: true });
    if (await tab.isVisible()) await tab.click();
  }
}
