/** Every view of the page by machine: with all of axe's rules in one theme, in the other with those that look at colours; a page load for each size. */
import { expect, type Page } from "@playwright/test";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import { expectAccessible, setTheme } from "./axe.ts";
import { openTab, runCommand, showPane, waitForEditor, waitForRun } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

const SIZES = [
  [1440, 900],
  [1024, 768],
  [390, 844],
] as const;

const THEMES = ["light", "dark"] as const;
const EXPERIMENTS = ["All runs", "Set a knob", "Phase order", "Drop a condition", "Run on inputs", "Real SASS"];
const INSPECTORS = "#pane-inspectors";
const DIALOG = "[role=dialog]";

/** Dialogs by their keys or their commands. */
const DIALOGS = [
  ["Go to, or run a command", "Control+k"],
  ["Examples", "Control+Shift+E"],
  ["Breakpoints", "Control+Shift+B"],
  ["Keyboard shortcuts", "Shift+?"],
  ["Getting your code in", null],
  ["Recent work", null, "Recent…"],
  ["Embed this step", null, "Embed this step…"],
  ["About Oriscope", null],
  ["Write a lab", null],
] as const;

/** One view in each theme that is tried; `part`: what is new in it. */
async function look(page: Page, where: string, part?: string): Promise<void> {
  for (const [i, theme] of someOf(THEMES, 1).entries()) {
    await setTheme(page, theme);
    await expectAccessible(page, `${where}, ${theme}`, { ...(part === undefined ? {} : { part }), colours: i > 0 });
  }
}

async function closeDialog(page: Page): Promise<void> {
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
}

for (const [width, height] of someOf(SIZES, 1)) {
  test(`no faults that axe finds, in any view and theme, at ${width} by ${height}`, async ({ page }) => {
    test.setTimeout(300_000);
    await page.setViewportSize({ width, height });
    await page.emulateMedia({ reducedMotion: "reduce" });
    await page.goto("./?handbook=structure:switch-context");
    const book = page.getByRole("dialog", { name: "Handbook" });
    await book.getByTestId("handbook-page").waitFor({ timeout: 45_000 });
    await waitForRun(page);
    await look(page, "handbook, structure", DIALOG);
    await closeDialog(page);
    // The rest of the page is looked at below.
    await expect(page.getByRole("region", { name: "Welcome" })).toBeVisible();
    await look(page, "first visit", "[aria-label=Welcome]");

    // A table, a tree, values, a switch: this phase fills more inspectors than others.
    const link = {
      ...EMPTY_LINK,
      example: "switch-dense",
      title: "Dense switch",
      format: "ori",
      phase: "do-switch-opt-second",
      step: 8,
    } as const;
    await page.goto(`./#${await encodeLink(link)}`);
    await expect.poll(() => page.title()).toContain("Dense switch");
    await waitForRun(page);
    // A narrow window shows one pane at a time.
    await showPane(page, "Graph");
    if (await page.locator("#pane-editor").isVisible()) await waitForEditor(page);
    await look(page, "all panes");
    for (const view of someOf(["graph of now", "compare", "outline"], 1)) {
      if (view === "graph of now") await page.getByRole("button", { name: "Now", exact: true }).click();
      if (view === "compare") await openTab(page, "Compare two runs");
      if (view === "outline") await page.keyboard.press("Control+Shift+O");
      await look(page, view, "#pane-graph");
      if (view === "compare") await page.getByRole("button", { name: "Close the comparison" }).click();
      if (view === "outline") await page.keyboard.press("Control+Shift+O");
    }

    await showPane(page, "Explanation");
    // One phase has not all parts of the data.
    for (const tab of someOf(["Why", "Rule", "Algorithm", "Structures", "Switches", "Record", "Log", ...EXPERIMENTS], 2)) {
      await openTab(page, tab);
      await look(page, tab, INSPECTORS);
    }
    await showPane(page, "Program");
    for (const tab of someOf(["At this step", "Pass"], 1)) {
      await openTab(page, tab);
      await look(page, tab, "#pane-editor");
    }
    await showPane(page, "Graph");

    for (const [name, keys, command = name] of someOf(DIALOGS, 2)) {
      if (keys === null) await runCommand(page, command);
      else await page.keyboard.press(keys);
      const dialog = page.getByRole("dialog", { name });
      await expect(dialog).toBeVisible();
      if (name === "Examples") {
        // With their pictures; the words of a lab, which has none, take the width of its card.
        await expect(dialog.locator("[data-example] svg").first()).toBeVisible();
        const words = await dialog.locator("[data-other-card] span").nth(1).boundingBox();
        expect(words?.width).toBeGreaterThan(120);
      }
      await look(page, name, DIALOG);
      await closeDialog(page);
    }

    // A narrow window has one arrangement.
    if (width >= 720) {
      await page.keyboard.press("Alt+Shift+2");
      await waitForRun(page);
      await look(page, "Present");
    }
    await runCommand(page, "Guided tour (one minute)");
    await expect(page.locator("[data-stop]")).toContainText("1 of 6");
    await look(page, "guided tour", "[data-stop]");
  });
}
