import { expect } from "@playwright/test";
import { focusTimeline, openPage, typeSource, waitForEditor } from "./page.ts";
import { test } from "./test.ts";

test("an unknown opcode asks what was meant, and one press writes it", async ({ page }) => {
  await openPage(page);
  await typeSource(page, ".kernel k(n: R0)\nA:\n    IAD R1, R0, 1\n    EXIT\n");
  await expect(page.getByTestId("problems")).toContainText("Did you mean IADD?");
  await page.locator(".monaco-editor .view-line").nth(2).click();
  await page.keyboard.press("Alt+Enter");
  await expect(page.locator(".monaco-editor").first()).toContainText("IADD R1");
  await expect(page.getByTestId("problems")).toHaveCount(0);
});

test("Tab leaves the editor, Ctrl+M makes it a character, and a hint says so", async ({ page }) => {
  await openPage(page);
  await waitForEditor(page);
  const editor = page.locator(".monaco-editor").first();
  await editor.click();
  await expect(page.getByText("Tab leaves the editor")).toBeVisible();
  await page.keyboard.press("Tab");
  await expect(editor).not.toHaveClass(/focused/);
  await expect(page.getByText("Tab leaves the editor")).toHaveCount(1);
  await editor.click();
  await page.keyboard.press("Control+M");
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.press("Tab");
  await expect(editor).toHaveClass(/focused/);
});

for (const theme of ["light", "dark"] as const) {
  test(`the editor's menu is drawn in the ${theme} theme`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    await openPage(page);
    await waitForEditor(page);
    // Where the lines are seen: the first one may have been scrolled away.
    await page
      .locator(".monaco-editor .editor-scrollable")
      .first()
      .click({ button: "right", position: { x: 90, y: 60 } });
    const menu = page.locator(".shadow-root-host .monaco-menu").first();
    await expect(menu).toBeVisible();
    const drawn = await menu.evaluate((element) => {
      const overlay = getComputedStyle(document.documentElement).getPropertyValue("--overlay").trim();
      const probe = document.createElement("i");
      probe.style.background = overlay;
      document.body.append(probe);
      const wanted = getComputedStyle(probe).backgroundColor;
      probe.remove();
      const grounds: string[] = [];
      for (let e: Element | null = element; e !== null; e = e.parentElement) grounds.push(getComputedStyle(e).backgroundColor);
      return { wanted, found: grounds.includes(wanted) };
    });
    expect(drawn).toEqual({ wanted: drawn.wanted, found: true });
  });
}

test("Alt+4 goes to the slider, also where the first button of the timeline is disabled; the page has one heading of the first order", async ({
  page,
}) => {
  await openPage(page);
  await page.keyboard.press("Alt+4");
  await expect(page.getByRole("slider", { name: "Step of this phase" })).toBeFocused();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Oriscope");
});

test("a dialog never begins at its Close: in its first field, or in what there is to read", async ({ page }) => {
  await openPage(page);
  await focusTimeline(page);
  await page.keyboard.press("Control+Shift+B");
  await expect(page.getByRole("dialog", { name: "Breakpoints" }).getByLabel("Event")).toBeFocused();
  await page.keyboard.press("Escape");
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await page.keyboard.press("Shift+?");
  await expect(page.getByRole("dialog", { name: "Keyboard shortcuts" }).getByRole("group", { name: "Keyboard shortcuts" })).toBeFocused();
});
