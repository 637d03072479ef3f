/** What a user sees on the first visit. */
import { expect, type Locator, type Page } from "@playwright/test";
import {
  drawer,
  dropFile,
  expectStep,
  focusTimeline,
  openExample,
  openMenu,
  runCommand,
  waitForEditor,
  waitForRun,
  watchConsole,
} from "./page.ts";
import { test } from "./test.ts";

/** What can be pressed and is in sight: not the program's text, the cards of the graph, the words of the sentence, a term of the handbook, or the rows of a list (phases, steps). */
const CONTROLS = 'button, input, select, textarea, a[href], summary, [role="tab"], [role="slider"]';

/** The coach mark that is shown, by the id of its stop. */
const mark = (page: Page, stop: string): Locator => page.locator(`[role="dialog"][data-stop="${stop}"]`);

test("a first visit opens where something happens, and leads through a tour to an example's task and to one's own program", async ({
  page,
  context,
}) => {
  test.setTimeout(180_000);
  await context.grantPermissions(["clipboard-read", "clipboard-write"]);
  const quiet = watchConsole(page);

  await test.step("it says what this is, and has at most thirty controls in sight", async () => {
    await page.goto("./");
    await waitForRun(page);
    await expect(page.locator("[data-graph]")).toHaveAttribute("aria-busy", "false");
    const controls = await page.locator(CONTROLS).evaluateAll((elements) =>
      elements
        .filter((element) => {
          if (
            element.closest(
              ".monaco-editor, [data-editor], [data-node], .react-flow__node, .skip-link, [role=listbox], [data-testid=sentence], button[data-handbook], #pane-inspectors li",
            ) !== null
          )
            return false;
          if (element.matches(":disabled, [aria-disabled=true]")) return false;
          const { left, top, right, bottom, width, height } = element.getBoundingClientRect();
          const inside = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight;
          return width > 2 && height > 2 && inside && element.checkVisibility({ visibilityProperty: true, opacityProperty: true });
        })
        .map((element) => element.getAttribute("aria-label") ?? element.textContent?.trim() ?? element.tagName),
    );
    expect(controls.length, controls.join("\n")).toBeLessThanOrEqual(30);
    await expect(page.getByRole("region", { name: "Welcome" })).toContainText("See what a GPU compiler’s optimizer does to a program");
    await expect(page.getByTestId("sentence")).toContainText("the triangle at BB1.1 becomes guarded instructions");
    // Numbered already: the picture is not that of a program that nothing has looked at.
    await expect(page.locator('#pane-graph [data-node="b1"]')).toContainText("head");
    // The phase that writes the numbers reports them, for the selected block.
    await expect(page.locator("#pane-graph")).not.toContainText("rpo");
    await page.locator('#pane-graph [data-node="b0"]').getByText("BB0", { exact: true }).click();
    await expect(page.locator('#pane-graph [data-node="b0"]')).toContainText("rpo 1");
  });

  await test.step("the tour is walked by keys, and left at its third mark by Escape", async () => {
    await page.getByRole("button", { name: "One-minute tour" }).press("Enter");
    // It opens at the rewrite, with the focus in the mark: S steps from there, Enter and the arrows continue.
    await mark(page, "step").waitFor({ timeout: 45_000 });
    await expect(mark(page, "step")).toBeFocused();
    await expect(mark(page, "step")).toContainText("1 of 6");
    await expect(page.getByTestId("sentence")).toContainText("computes again what R4 has contained since BB0, and becomes a MOV");
    await expect(page.locator("[data-coach]")).toHaveAttribute("data-command", "step.into");
    await page.keyboard.press("s");
    await expect(mark(page, "back")).toBeFocused();
    await expect(page.getByTestId("sentence")).toContainText("becomes 'MOV R5, R4'");
    // Enter moves forwards and does what the mark requests; backwards restores the start.
    await page.keyboard.press("Enter");
    await expect(mark(page, "why")).toBeFocused();
    await expect(page.getByTestId("sentence")).toContainText("and becomes a MOV");
    await page.keyboard.press("ArrowLeft");
    await expect(mark(page, "back")).toBeFocused();
    await expect(page.getByTestId("sentence")).toContainText("becomes 'MOV R5, R4'");
    await page.keyboard.press("ArrowRight");
    await expect(mark(page, "why")).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.locator("[data-stop]")).toHaveCount(0);
    await expect(page.locator("[data-coach]")).toHaveCount(0);
    // Everything stays where it was left, with the keys at the steps.
    await expect(page.getByRole("slider", { name: "Step of this phase" })).toBeFocused();
    await page.keyboard.press("s");
    await expect(page.getByTestId("sentence")).toContainText("becomes 'MOV R5, R4'");
  });

  await test.step("what was closed stays closed; another program ends the tour", async () => {
    await page.reload();
    await waitForRun(page);
    await expect(page.getByRole("region", { name: "Welcome" })).toHaveCount(0);
    await openMenu(page, "Help");
    await page.getByRole("menuitem", { name: "Guided tour (one minute)" }).click();
    await expect(mark(page, "step")).toBeFocused();
    await expect(page.getByTestId("sentence")).toContainText("and becomes a MOV");
    await dropFile(page, "other.ori", ".kernel other(out: RD2)\nBB0:\n    STG [RD2], 1\n    EXIT\n");
    await expect(page.getByLabel("Kernel")).toContainText("other");
    await expect(page.locator("[data-stop]")).toHaveCount(0);
  });

  await test.step("six marks that notice what was done", async () => {
    await runCommand(page, "Guided tour (one minute)");
    await expect(mark(page, "step")).toBeFocused();
    // The mark is there before its step is.
    await expect(page.getByTestId("sentence")).toContainText("and becomes a MOV");
    await page.keyboard.press("s");
    await expect(mark(page, "back")).toBeFocused();
    await page.keyboard.press("Shift+s");
    await expect(mark(page, "why")).toBeFocused();
    // Tabs have their own keys; the focus returns to the next mark.
    await page.getByRole("tab", { name: "Why", exact: true }).press("Enter");
    await expect(mark(page, "structures")).toBeFocused();
    await page.getByRole("tab", { name: "Data", exact: true }).press("Enter");
    await expect(mark(page, "sides")).toBeFocused();
    await expect(page.locator("#pane-inspectors")).toContainText("R5 in BB1");
    await page.getByRole("button", { name: "Before | After" }).press("Enter");
    await expect(mark(page, "phases")).toBeFocused();
    await page.keyboard.press("]");
    await expect(mark(page, "end")).toBeFocused();
    await expect(page.getByTestId("phase")).toContainText("If-conversion");
    await mark(page, "end").getByRole("button", { name: "Open an example" }).press("Enter");
    await expect(page.getByRole("dialog", { name: "Examples" })).toBeVisible();
    await expect(page.locator("[data-stop]")).toHaveCount(0);
    // The tour leaves the step with its picture and its reason, not what it opened last.
    await page.keyboard.press("Escape");
    await expect(page.getByRole("tab", { name: "Why", exact: true })).toHaveAttribute("aria-selected", "true");
    await expect(page.getByRole("button", { name: "All", exact: true })).toHaveAttribute("aria-pressed", "true");
  });

  await test.step("an emptied editor says what to paste; what is pasted, by keys alone, opens where it changes", async () => {
    await runCommand(page, "New: paste");
    await expect(page.getByTestId("blank")).toContainText("nvcc -ptx");
    await waitForEditor(page);
    // Beside the line numbers and below the caret; the bar does not name the program that is gone.
    const [hint, text] = [await page.getByTestId("blank").boundingBox(), await page.locator('[data-editor="monaco"]').boundingBox()];
    expect((hint?.x ?? 0) - (text?.x ?? 0)).toBeGreaterThan(40);
    expect((hint?.y ?? 0) - (text?.y ?? 0)).toBeGreaterThan(20);
    await expect(page.getByLabel("Kernel")).toHaveCount(0);
    // By the keyboard alone: the caret is in the text.
    await expect(page.locator('.monaco-editor [role="textbox"]')).toBeFocused();
    const program = ".kernel mine(out: RD2)\nBB0:\n    MOV R4, 1\n    MOV R5, R4\n    STG [RD2], R5\n    EXIT\n";
    await page.evaluate((text) => navigator.clipboard.writeText(text), program);
    await page.keyboard.press("ControlOrMeta+V");
    await expect(page.getByTestId("blank")).toHaveCount(0);
    await expect(page.getByLabel("Kernel")).toContainText("mine");
    await expectStep(page, 0);
  });

  await test.step("the task of an example stays over the text, and its controls are links; phases are found by their textbook names", async () => {
    await openExample(page, "local-array");
    const task = page.getByRole("region", { name: "What to look at" });
    await expect(task).toContainText("Nothing is promoted.");
    await task.getByRole("button", { name: "knob 135" }).click();
    await expect(drawer(page)).toContainText("Set a knob");
    await expect(task).toContainText("Nothing is promoted.");
    await page.keyboard.press("Control+k");
    await page.keyboard.type("common subexpression");
    await expect(page.getByRole("option", { name: /Value numbering · GvnCse/ })).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(page.getByTestId("phase")).toContainText("Value numbering");
    // The binary's spelling of a knob is one click away; the passes that read it have textbook names.
    const knobs = drawer(page);
    const spelling = knobs.getByText("RanoyrTiaPfr");
    await expect(spelling).toBeHidden();
    await knobs.getByText("in the binary").first().click();
    await expect(spelling).toBeVisible();
    await expect(knobs.getByText("read by Value numbering").first()).toBeVisible();
    // Nothing is selected: T reports it.
    await focusTimeline(page);
    await page.keyboard.press("t");
    await expect(page.getByText("Nothing is selected: click a block")).toBeVisible();
  });
  quiet();
});

test("the guided tour, begun by a link on a phone, names what leads to what is not in sight, and never covers what is to be pressed", async ({
  page,
}) => {
  test.setTimeout(120_000);
  const quiet = watchConsole(page);
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto("./?tour");
  await mark(page, "step").waitFor({ timeout: 60_000 });
  expect(new URL(page.url()).search).toBe("");
  const coached = page.locator("[data-coach]");
  const asked = async (name: string | RegExp): Promise<void> => {
    await expect(coached).toHaveAccessibleName(name);
    // A step moves the blocks, and the mark after them: both are read at one time, and again until they rest.
    await expect(async () => {
      const [box, ...seen] = await page
        .locator(':is([data-stop], [data-testid="sentence"], #pane-graph [data-node])')
        .evaluateAll((elements) =>
          elements
            .sort((a, b) => Number(b.matches("[data-stop]")) - Number(a.matches("[data-stop]")))
            .map((element) => element.getBoundingClientRect())
            .map(({ left, right, top, bottom }) => ({ left, right, top, bottom })),
        );
      if (box === undefined) throw new Error("there is no mark");
      expect(box.left).toBeGreaterThanOrEqual(0);
      expect(box.right).toBeLessThanOrEqual(390);
      for (const { top, bottom } of seen.filter((other) => other.bottom > other.top))
        expect(box.top + 2 >= bottom || box.bottom - 2 <= top, "the mark covers neither the sentence nor a block").toBe(true);
    }).toPass({ timeout: 15_000 });
    await coached.click();
  };
  await asked("Step into");
  await expect(mark(page, "back")).toBeVisible();
  await asked("Step back into");
  await expect(mark(page, "why")).toContainText("Open Explanation, then open Why");
  await asked("Explanation");
  await asked("Why");
  await expect(mark(page, "structures")).toBeVisible();
  await asked("Data");
  await expect(mark(page, "sides")).toContainText("Open Graph, then press Before | After");
  await asked("Graph");
  await asked("Before | After");
  await expect(mark(page, "phases")).toBeVisible();
  await asked(/^Next phase that changed/);
  await expect(mark(page, "end")).toBeVisible();
  await page.getByRole("button", { name: "Leave the guided tour" }).click();
  await expect(page.locator("[data-stop]")).toHaveCount(0);
  quiet();
});
