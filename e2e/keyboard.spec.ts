/** The five main tasks without a mouse: open an example, step, ask why, inspect a structure, run and compare. */
import { expect, type Page } from "@playwright/test";
import { drawer, expectStep, openPageAt, waitForEditor, waitForRun, watchConsole } from "./page.ts";
import { test } from "./test.ts";

test("five main tasks by keyboard alone", async ({ page }) => {
  test.setTimeout(120_000);
  const quiet = watchConsole(page);
  await page.goto("./");
  await waitForRun(page);

  // Open an example.
  await page.keyboard.press("Control+Shift+E");
  await expect(page.getByRole("dialog", { name: "Examples" }).getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("equal adds");
  // The gallery shows its cards once it has all of its lists.
  await expect(page.locator('[data-example="two-adds"]')).toBeVisible();
  await page.keyboard.press("Tab");
  await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByLabel("Kernel")).toContainText("two_adds");
  await waitForRun(page);
  await expect(page.getByTestId("phase")).toContainText("Value numbering");
  await expect(page.getByTestId("sentence")).toContainText("and becomes a MOV");

  // Step: to the change, and back.
  await page.keyboard.press("Alt+4");
  await expect(page.getByRole("slider", { name: "Step of this phase" })).toBeFocused();
  await page.keyboard.press("c");
  await expect(page.getByTestId("sentence")).toContainText("becomes 'MOV R5, R4'");
  const changed = Number(await page.getByTestId("sentence").getAttribute("data-step"));
  await page.keyboard.press("Shift+S");
  await expectStep(page, changed);
  await page.keyboard.press("ArrowRight");
  await expectStep(page, changed + 1);
  await expect(page.getByTestId("announcer")).toContainText("becomes 'MOV R5, R4'");
  await page.keyboard.press("ArrowLeft");
  await expectStep(page, changed);

  // Ask why: the step's own values, then a block's history.
  const why = page.getByRole("tabpanel", { name: "Why" });
  await expect(why.getByRole("table", { name: "Values of this step" })).toContainText("leader");
  await page.keyboard.press("f");
  await expect(why).toContainText("IADD R5, R0, R1");
  await page.keyboard.press("Escape");
  await expect(why.getByRole("region", { name: "This step" })).toBeVisible();

  // Look into a structure: the third tab, by keyboard.
  await page.keyboard.press("Alt+3");
  await expect(page.getByRole("tab", { name: "Why" })).toBeFocused();
  for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowRight");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("tab", { name: "Data" })).toHaveAttribute("aria-selected", "true");
  await expect(page.getByRole("button", { name: "Structures" })).toHaveAttribute("aria-expanded", "true");

  // Run both ends and read the verdict.
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Run on inputs");
  await page.keyboard.press("Enter");
  await expect(drawer(page)).toContainText("Run on inputs");
  const compare = page.getByRole("button", { name: "Compare before and after optimization" });
  await page.keyboard.press("Alt+3");
  for (let i = 0; i < 20 && !(await compare.evaluate((e) => e === document.activeElement)); i++) await page.keyboard.press("Tab");
  await page.keyboard.press("Enter");
  await expect(page.getByTestId("verdict")).toHaveText(/^Same memory, /);

  // The text, the outline and the strip of phases.
  await page.keyboard.press("Alt+1");
  await expect(page.locator("#pane-editor :focus")).toHaveCount(1);
  await page.keyboard.press("Control+Shift+O");
  const outline = page.getByRole("tree", { name: /^Outline/ });
  await outline.focus();
  for (let i = 0; i < 2; i++) await page.keyboard.press("ArrowDown");
  await expect(outline.getByRole("treeitem", { selected: true })).toHaveCount(1);
  const phase = page.getByTestId("phase");
  await page.getByRole("listbox", { name: "Phases" }).getByRole("option", { selected: true }).focus();
  await page.keyboard.press("ArrowRight");
  await expect(phase).not.toContainText("Value numbering");
  await page.keyboard.press("ArrowLeft");
  await expect(phase).toContainText("Value numbering");
  quiet();
});

/** The focus, as the Tab key finds it: the pane it is in, its words, and whether it is on something invisible. */
function focused(page: Page) {
  return page.evaluate(() => {
    const active = document.activeElement;
    const region = active?.closest("#pane-editor, #pane-graph, #pane-inspectors, #pane-timeline, header");
    return {
      region: region?.id || region?.tagName,
      words: active?.textContent ?? "",
      unseen: active?.closest("[aria-hidden=true]") !== null,
    };
  });
}

test("Tab walks the whole page and comes around, its first stops lead to each pane, and a dialog gives the focus back", async ({
  page,
}) => {
  await openPageAt(page, "two-adds");
  await waitForEditor(page);
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Oriscope");
  const seen = new Set<string | undefined>();
  let stops = 0;
  // From the first skip link to the next time that it has the focus.
  await page.getByRole("button", { name: "Skip to the program Alt+" }).focus();
  for (let around = false; !around; stops++) {
    await page.keyboard.press("Tab");
    const { region, words, unseen } = await focused(page);
    expect(unseen, words).toBe(false);
    seen.add(region);
    around = stops === 150 || words.startsWith("Skip to the program");
  }
  expect([...seen]).toEqual(expect.arrayContaining(["HEADER", "pane-editor", "pane-inspectors", "pane-graph", "pane-timeline"]));
  // A bar of tabs has one stop.
  expect(stops).toBeLessThanOrEqual(70);
  for (const [pane, what] of [
    ["program", '.monaco-editor [role="textbox"], .monaco-editor textarea'],
    ["graph", '[role="application"]'],
    ["explanation", '#pane-inspectors [role="tab"][aria-selected="true"]'],
    ["timeline", '[role="slider"]'],
  ] as const) {
    const link = page.getByRole("button", { name: `Skip to the ${pane} Alt+` });
    await link.focus();
    await expect(link).toBeInViewport();
    await page.keyboard.press("Enter");
    await expect(page.locator(what).first()).toBeFocused();
  }
  // A dialog gives the focus back where it came from, unless what was chosen has moved it.
  const slider = page.getByRole("slider", { name: "Step of this phase" });
  await slider.focus();
  for (const [open, name] of [
    ["Control+k", "Go to"],
    ["Control+Shift+E", "Examples"],
    ["Shift+?", "Keyboard shortcuts"],
  ] as const) {
    await page.keyboard.press(open);
    const dialog = page.getByRole("dialog", { name });
    await expect(dialog).toBeVisible();
    if (open === "Shift+?") await expect(dialog.getByRole("group", { name })).toBeFocused();
    await page.keyboard.press("Escape");
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await expect(slider).toBeFocused();
  }
  // A dialog never starts at its Close button, but in its first field or in its text.
  await page.keyboard.press("Control+Shift+B");
  await expect(page.getByRole("dialog", { name: "Breakpoints" }).getByLabel("Event")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Control+k");
  await page.keyboard.type("Go to the explanation");
  await page.keyboard.press("Enter");
  await expect(page.locator("#pane-inspectors :focus")).toHaveCount(1);
});
