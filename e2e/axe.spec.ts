/** Every view of the page by machine: in light with all of axe's rules, in dark with those that look at colours; a page load for each size. */
import { expect, type Page } from "@playwright/test";
import { expectAccessible, setTheme } from "./axe.ts";
import { openPage, openTab, showPane, waitForEditor, waitForRun } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

const EXPERIMENTS = ["All runs", "Set a knob", "Phase order", "Drop a condition", "Run on inputs", "Real SASS"];
const INSPECTORS = "#pane-inspectors";
const DIALOG = "[role=dialog]";

/** Dialogs by their keys, and by their commands. */
const DIALOGS = [
  ["Control+k", "Go to, or run a command"],
  ["Control+Shift+E", "Examples"],
  ["Control+Shift+B", "Breakpoints"],
  ["Shift+?", "Keyboard shortcuts"],
  ["F1", "Handbook"],
] as const;
const COMMANDS = [
  ["Getting your code in", "Getting your code in"],
  ["Recent…", "Recent work"],
  ["Embed this step…", "Embed this step"],
  ["About Oriscope", "About Oriscope"],
  ["Write a lab", "Write a lab"],
] as const;

/** One view in both themes; `part`: what is new in it. */
async function both(page: Page, where: string, part?: string): Promise<void> {
  const asked = part === undefined ? {} : { part };
  await setTheme(page, "light");
  await expectAccessible(page, `${where}, light`, asked);
  await setTheme(page, "dark");
  await expectAccessible(page, `${where}, dark`, { ...asked, colours: true });
}

/** A command by the palette. */
async function run(page: Page, title: string): Promise<void> {
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox", { name: /^Command/ }).fill(title);
  await page.keyboard.press("Enter");
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

for (const [width, height] of someOf(SIZES, 1)) {
  test(`no faults that axe finds, in any view, in both themes, at ${width} by ${height}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("./");
    await waitForRun(page);
    await expect(page.getByRole("region", { name: "Welcome" })).toBeVisible();
    await both(page, "first visit");

    // A table, a tree, values, a switch: this phase fills more inspectors than others.
    await openPage(page, "./?handbook=structure:switch-context");
    const book = page.getByRole("dialog", { name: "Handbook" });
    await expect(book.getByTestId("handbook-page")).toBeVisible();
    await both(page, "handbook, structure", DIALOG);
    await book.getByRole("button", { name: "Open a program that shows it" }).click();
    await expect(page.getByRole("dialog")).toHaveCount(0);
    await waitForRun(page);
    await showPane(page, "Program");
    await waitForEditor(page);
    await showPane(page, "Graph");
    await both(page, "all panes");
    await page.getByRole("button", { name: "Now", exact: true }).click();
    await both(page, "graph of now", "#pane-graph");
    await openTab(page, "Compare two runs");
    await both(page, "compare", "#pane-graph");
    await page.getByRole("button", { name: "Close the comparison" }).click();

    await showPane(page, "Explanation");
    // One phase has not all parts of the data.
    for (const tab of ["Why", "Rule", "Algorithm", "Structures", "Switches", "Record", "Log", ...EXPERIMENTS]) {
      await openTab(page, tab);
      await both(page, tab, INSPECTORS);
    }
    await showPane(page, "Program");
    for (const tab of ["At this step", "Pass"]) {
      await openTab(page, tab);
      await both(page, tab, "#pane-editor");
    }
    await showPane(page, "Graph");
    await page.keyboard.press("Control+Shift+O");
    await both(page, "outline", "#pane-graph");
    await page.keyboard.press("Control+Shift+O");

    for (const [keys, name] of DIALOGS) {
      await page.keyboard.press(keys);
      const dialog = page.getByRole("dialog", { name });
      await expect(dialog).toBeVisible();
      if (name === "Examples") {
        // With their pictures; the words of a lab, which has none, take the width of its card.
        await expect(dialog.locator("[data-example] svg").first()).toBeVisible();
        const words = await dialog.locator("[data-other-card] span").nth(1).boundingBox();
        expect(words?.width).toBeGreaterThan(120);
      }
      await both(page, name, DIALOG);
      await closeDialog(page);
    }
    for (const [command, name] of COMMANDS) {
      await run(page, command);
      await expect(page.getByRole("dialog", { name })).toBeVisible();
      await both(page, name, DIALOG);
      await closeDialog(page);
    }

    // A narrow window has one arrangement.
    if (width >= 720) {
      await page.keyboard.press("Alt+Shift+2");
      await waitForRun(page);
      await both(page, "Present");
    }
    await run(page, "Guided tour (one minute)");
    await expect(page.locator("[data-stop]")).toContainText("1 of 6");
    await both(page, "guided tour");
  });
}
