/** What could have been: watching, skipping and comparing, editing and going on, the menus of a step and of a phase. */
import { expect, type Locator } from "@playwright/test";
import { ADDS } from "../src/cli/testing/futures-programs.ts";
import { decodeLink } from "../src/links/link-codec.ts";
import { expectFuture, futures, goToPhase, openFuture, openProgram } from "./futures-page.ts";
import { becomeIdle, drawer, focusTimeline, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

const CHOICE = `.kernel pick(a: R0, out: RD2)
BB0:
    ISETP.GT P0, R0, 0
    @P0 BRA A
B:
    MOV     R5, 20
    BRA     JOIN
A:
    MOV     R5, 10
JOIN:
    IADD    R6, R5, R0
    IADD    R7, R5, R0
    IADD    R8, R6, R7
    STG     [RD2], R8
    EXIT
`;

test("watch a condition, skip a rewrite, compare, edit and go on, set a value, carry phases, and find all of it in a link", async ({
  page,
}) => {
  // A whole session of a person: many runs, one page.
  test.setTimeout(180_000);
  const quiet = watchConsole(page);
  const menu = page.getByRole("menu");
  const carried = page.getByTestId("carry");
  const compare = page.getByRole("region", { name: "Compare", exact: true });
  const breakpoints = page.getByRole("dialog", { name: "Breakpoints" });

  await test.step("a condition on the state is typed with completion, a mistake is said, and all phases are looked through", async () => {
    await openProgram(page, "adds.ori", ADDS);
    // What carries phases is loaded in spare time.
    await becomeIdle(page);
    await page.keyboard.press("ControlOrMeta+Shift+B");
    const watched = breakpoints.getByRole("combobox", { name: "State becomes" });

    // By keys alone: the list opens while one types, arrows choose, Enter takes; Escape closes the list and not the dialog.
    await watched.focus();
    await watched.pressSequentially("ins");
    const completions = page.getByRole("listbox");
    await expect(completions.getByRole("option")).toHaveText(["instructions", "inst("]);
    await expect(watched).toHaveAttribute("aria-expanded", "true");
    await watched.press("ArrowDown");
    const chosen = completions.getByRole("option", { name: "instructions" });
    await expect(chosen).toHaveAttribute("data-highlighted", "");
    await expect(watched).toHaveAttribute("aria-activedescendant", (await chosen.getAttribute("id")) ?? "no id");
    await watched.press("Enter");
    await expect(watched).toHaveValue("instructions");
    await expect(completions).toHaveCount(0);
    await expect(breakpoints.getByRole("list", { name: "Breakpoints" }).getByText("instructions")).toHaveCount(0);
    await watched.fill("edg");
    await expect(completions.getByRole("option")).toHaveText(["edges", "edge("]);
    await watched.press("Escape");
    await expect(completions).toHaveCount(0);
    await expect(breakpoints).toBeVisible();
    await watched.pressSequentially("e");
    await completions.getByRole("option", { name: "edges" }).click();
    await expect(watched).toHaveValue("edges");
    await expect(watched).toBeFocused();

    // A complete condition can only continue with a connective: nothing covers the buttons.
    await watched.fill("edge(BB0, BB1) ");
    await expect(completions.getByRole("option")).toHaveText(["edge(BB0, BB1) and", "edge(BB0, BB1) or"]);
    await watched.fill("edge(BB0, BB1)");
    await expect(completions).toHaveCount(0);
    await watched.fill("blocks");
    await watched.press("Enter");
    await expect(breakpoints.getByText("this is a number: compare it, or use")).toBeVisible();
    // The buttons stay in line with the field.
    const bottom = async (of: Locator): Promise<number> => of.evaluate((element) => Math.round(element.getBoundingClientRect().bottom));
    const find = breakpoints.getByRole("button", { name: "Find in all phases" });
    expect(Math.abs((await bottom(watched)) - (await bottom(find)))).toBeLessThanOrEqual(2);
    await watched.fill("changes(instructions)");
    await breakpoints.getByRole("button", { name: "Find in all phases" }).click();
    await expect(breakpoints.getByTestId("watch-hits")).toContainText("1 step in all phases");
    await watched.press("Enter");
    await expect(breakpoints.getByRole("checkbox", { name: "state: changes(instructions)" })).toBeChecked();
    await breakpoints.getByRole("list", { name: "Steps at which it becomes true" }).getByRole("button").first().click();
    await expect(breakpoints).toHaveCount(0);
    await waitForRun(page);
    await expect(page.getByTestId("step")).not.toHaveText(/^input/);

    // The strip shows in which phase, until the next run.
    const ticked = page.locator('[role="option"]:has([data-watched])');
    await expect(ticked).toHaveAccessibleName(/changes\(instructions\) becomes true once$/);
    await expect(ticked).toHaveAttribute("aria-selected", "true");
  });

  await test.step("a rewrite is skipped", async () => {
    await goToPhase(page, "gvn-cse");
    await focusTimeline(page);
    // At the input there is nothing to skip, and the page says so.
    await page.keyboard.press("x");
    await expect(page.getByRole("region", { name: "Notices" })).toContainText("This step is not part of a rewrite");
    await page.keyboard.press("c");
    await expect(page.getByTestId("step")).not.toHaveText(/^input/);
    await page.keyboard.press("x");
    await expectFuture(page, "without rewrite 1 of Value numbering");
    await expect(page.getByTestId("sentence")).toContainText("ewrite 1 is skipped");
    await expect(page.locator('[role="option"]:has([data-watched])')).toHaveCount(0);
  });

  await test.step("both futures are compared", async () => {
    await page.getByTestId("futures").getByRole("button", { name: "Compare", exact: true }).click();
    await compare.getByRole("button", { name: "Numbers" }).click();
    const figures = page.getByTestId("future-figures");
    await expect(figures.getByRole("row", { name: /^Instructions 4 5 \+1$/ })).toBeVisible();
    await expect(figures.getByRole("row", { name: /^Warp instructions executed/ })).toContainText("+");
    await expect(page.getByRole("table", { name: /^Phases that act differently/ })).toContainText("49 Value numbering");
    await expect(page.getByText("same meaning")).toHaveCount(2);
    await expect(page.getByTestId("futures-verdict")).toContainText(
      /^The programs differ after \d+ of the \d+ phases, from Value numbering on\. 'without rewrite 1 of Value numbering, after all phases' executes \d+ more/,
    );
  });

  await test.step("the program is edited: a mistake is said with its place, and nothing of the text is lost", async () => {
    await page.keyboard.press("ControlOrMeta+Shift+X");
    const text = page.getByRole("textbox", {
      name: /^The program at step \d+ of Value numbering\. .* Value numbering starts again on the edited program/,
    });
    await expect(text).toBeFocused();
    const program = await text.inputValue();
    const wrong = program.replace("IADD    R4", "IADE    R4");
    expect(wrong).not.toBe(program);
    await text.fill(wrong);
    await page.getByRole("button", { name: "Continue from here" }).click();
    await expect(page.getByTestId("edit-problems")).toContainText("line 5");
    await page.keyboard.press("Escape");
    await expect(text).toHaveCount(0);
    await expect(compare.getByRole("button", { name: "Numbers" })).toBeFocused();
    await page.keyboard.press("ControlOrMeta+Shift+X");
    await expect(text).toHaveValue(wrong);
    await text.fill(program);
    await page.keyboard.press("Escape");
    await page.keyboard.press("ControlOrMeta+Shift+X");
    await expect(text).toHaveValue(program);
    await text.fill(wrong.replace("IADE", "ISUB"));
    await page.getByRole("button", { name: "Continue from here" }).click();
    await expectFuture(page, "edited before Value numbering");
    await expect(futures(page).getByRole("option")).toHaveCount(3);
  });

  await test.step("a phase is moved by keys; a future is renamed, removed and brought back", async () => {
    await futures(page)
      .getByRole("option", { name: /^Original/ })
      .click();
    await expectFuture(page, "Original");
    await focusTimeline(page);
    await page.keyboard.press("Alt+Shift+ArrowRight");
    await expectFuture(page, "Value numbering moved after Reassociation");
    await futures(page)
      .getByRole("option", { name: /^Original/ })
      .click();
    await page.getByRole("button", { name: "Actions on futures" }).click();
    await page.getByRole("menuitem", { name: "All runs", exact: true }).click();
    await page.getByRole("button", { name: /^Rename without rewrite 1 of Value numbering/ }).click();
    await page.getByRole("textbox", { name: "Name of the future" }).fill("two adds");
    await page.keyboard.press("Enter");
    await expect(futures(page).getByRole("option", { name: /^two adds/ })).toBeVisible();
    const tree = page.getByRole("list", { name: "Tree of futures" });
    await expect(tree.getByRole("button", { name: /^two adds, from/ })).toBeFocused();
    await page.getByRole("button", { name: /^Remove Value numbering moved/ }).click();
    await expect(futures(page).getByRole("option")).toHaveCount(3);
    await expect(tree.getByRole("button", { name: /^edited before Value numbering, from/ })).toBeFocused();
    await page.getByRole("button", { name: "Undo", exact: true }).first().click();
    await expect(futures(page).getByRole("option")).toHaveCount(4);
    await futures(page)
      .getByRole("option", { name: /^two adds/ })
      .click();
    await expectFuture(page, "two adds");
    await drawer(page).getByRole("button", { name: "Close the experiments" }).click();
    await goToPhase(page, "gvn-cse");
  });

  // What a link of futures opens is in futures-link.spec.ts.
  await test.step("a link has all of it and the same place", async () => {
    await page.getByRole("button", { name: "Copy link to this step" }).click();
    const hash = () => new URL(page.url()).hash;
    await expect.poll(hash).toMatch(/^#v1\./);
    expect(await decodeLink(hash())).toMatchObject({
      data: {
        phase: "gvn-cse",
        future: 1,
        interventions: [{ kind: "skip" }],
        futures: [
          { name: "two adds", parent: 0, interventions: [{ kind: "skip" }] },
          { name: null, parent: 1, interventions: [{ kind: "skip" }, { kind: "edit" }] },
          { name: null, parent: 0, interventions: [{ kind: "move" }] },
        ],
      },
    });
  });

  await test.step("by a right press on the target of a branch in the graph, its edge is watched", async () => {
    await openProgram(page, "choice.ori", CHOICE);
    await goToPhase(page, "ori-linear-replacement");
    await page.locator('#pane-graph [data-label="A"]').first().click({ button: "right" });
    await expect(menu).toContainText("Watch BB0 → A");
    await menu.getByRole("menuitemcheckbox", { name: "Stop where this edge disappears" }).click();
    await expect(menu).toHaveCount(0);
    await page.getByRole("region", { name: "Notices" }).getByRole("button", { name: "Find in all phases" }).click();
    await expect(breakpoints.getByRole("checkbox", { name: "state: becomes(not edge(BB0, A))" })).toBeChecked();
    await expect(breakpoints.getByTestId("watch-hits")).toContainText("1 step in all phases");
    await breakpoints.getByRole("list", { name: "Steps at which it becomes true" }).getByRole("button").click();
    await expect(breakpoints).toHaveCount(0);
    await expect(page.getByTestId("sentence")).toContainText("the edge from BB0 to A");
  });

  await test.step("by keys: the menu names the step, and its first entry leaves the rewrite out; the focus comes back", async () => {
    await focusTimeline(page);
    await page.keyboard.press("Shift+F10");
    await expect(menu).toHaveAccessibleName(/^If-conversion to selects, step \d+$/);
    await expect(menu.getByRole("menuitem", { name: /^Skip this rewrite/ })).not.toHaveAttribute("aria-disabled", "true");
    // The focus comes a frame after the menu.
    await expect.poll(() => menu.evaluate((element) => element.contains(document.activeElement))).toBe(true);
    await page.keyboard.press("Tab");
    await expect(menu).toHaveCount(0);
    await expect(page.getByRole("slider", { name: "Step of this phase" })).toBeFocused();
    await page.keyboard.press("ContextMenu");
    await menu.getByRole("menuitem", { name: /^Skip this rewrite/ }).press("Enter");
    await expectFuture(page, "without rewrite 1 of If-conversion to selects");
    // The list of experiments offers the same, but not where the rewrite is refused already.
    await page.getByRole("button", { name: "What if …?" }).click();
    const offered = page.getByRole("region", { name: "At this rewrite" }).getByRole("button", { name: /^Skip it/ });
    // The heading is in line with its entries.
    const textLeft = (of: Locator): Promise<number> =>
      of.evaluate((element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return Math.round(range.getBoundingClientRect().left);
      });
    const heading = page.getByRole("heading", { name: "What if …?" });
    expect(await textLeft(heading)).toBe(await textLeft(page.getByRole("heading", { name: "At this rewrite" })));
    await expect(page.getByTestId("sentence")).toContainText("ewrite 1 is skipped");
    await expect(offered).toHaveAttribute("aria-disabled", "true");
    await futures(page)
      .getByRole("option", { name: /^Original/ })
      .click();
    await expectFuture(page, "Original");
    await expect(offered).not.toHaveAttribute("aria-disabled", "true");
  });

  await test.step("another value, from the menu of a phase: a wrong one is said where it is typed", async () => {
    await page.locator('[role="option"][data-phase="gvn-cse"]').click({ button: "right" });
    await expect(menu).toHaveAccessibleName("Value numbering");
    await menu.getByRole("menuitem", { name: /^Change a knob from here on/ }).click();
    const values = page.getByRole("dialog", { name: "Change a knob from Value numbering on" });
    await values.getByLabel("Knob", { exact: true }).selectOption({ value: "gvn-mode" });
    await values.getByLabel("Value", { exact: true }).fill("many");
    await values.getByRole("button", { name: "Continue with this value" }).click();
    await expect(values.getByText(/takes .*, not 'many'/)).toBeVisible();
    await values.getByLabel("Value", { exact: true }).fill("1");
    await values.getByRole("button", { name: "Continue with this value" }).click();
    await expect(values).toHaveCount(0);
    await expectFuture(page, "gvn-mode=1 from Value numbering");
    await futures(page)
      .getByRole("option", { name: /^Original/ })
      .click();
    await expectFuture(page, "Original");
  });

  await test.step("a phase is carried by keys: each place says what it breaks; Escape changes nothing, Enter makes a future", async () => {
    await goToPhase(page, "gvn-cse");
    await page.keyboard.press("Space");
    await expect(carried).toContainText("Value numbering stays where it is.");
    await page.keyboard.press("ArrowLeft");
    await expect(carried).toContainText("Value numbering moves before 46 ");
    await expect(carried).toContainText("copies would hide equal operands from value numbering");
    await page.keyboard.press("Escape");
    await expect(carried).toBeEmpty();
    await expect(openFuture(page)).toContainText("Original");
    await page.keyboard.press("Space");
    await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("Enter");
    await expectFuture(page, "Value numbering moved before 46 Local memory to registers");
  });

  await test.step("a phase is dragged by mouse, to another place and out of the strip", async () => {
    const cell = (id: string) => page.locator(`[role="option"][data-phase="${id}"]`).first();
    const grab = async (id: string) => {
      const box = await cell(id).boundingBox();
      if (box === null) throw new Error(`${id} is not in the strip`);
      await page.mouse.move(box.x + box.width / 2, box.y + box.height / 2);
      await page.mouse.down();
      await page.mouse.move(box.x + box.width / 2 + 12, box.y + box.height / 2, { steps: 3 });
    };
    await grab("ori-linear-replacement");
    const beside = await cell("general-optimize").boundingBox();
    if (beside === null) throw new Error("there is no such cell");
    await page.mouse.move(beside.x + 1, beside.y + beside.height / 2, { steps: 5 });
    await expect(carried).toContainText("If-conversion to selects moves before 29 Copy and constant propagation.");
    await expect(carried).toContainText("a select would hide a chain of compares from the switch recognizer");
    await page.mouse.up();
    await expectFuture(page, "If-conversion to selects moved before Copy and constant propagation");
    await grab("late-ori-commoning");
    await page.mouse.move(beside.x, beside.y - 150, { steps: 5 });
    await expect(carried).toContainText("Late common subexpressions is left out.");
    await page.mouse.up();
    await expectFuture(page, "without Late common subexpressions");
    // A skipped phase shows the unchanged program, and a message instead of its steps.
    await goToPhase(page, "late-ori-commoning");
    await expect(page.getByTestId("sentence")).toContainText("did not run: left out");
    await expect(page.locator("#pane-graph")).toContainText("IADD");
    await expect(page.locator("#pane-graph").getByText("removed, then restored")).toHaveCount(0);
    const steps = page.getByRole("slider", { name: "Step of this phase" });
    await expect(steps.locator("canvas")).toBeHidden();
    const [said, track] = [await steps.getByText("This phase has no steps.").boundingBox(), await steps.boundingBox()];
    expect((said?.y ?? 0) + (said?.height ?? 0)).toBeLessThanOrEqual((track?.y ?? 0) + (track?.height ?? 0) + 1);
  });
  quiet();
});
