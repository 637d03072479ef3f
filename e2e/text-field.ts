/** Text for the fields of the page where the editor proper, a second of processor time a tab, makes no difference to what a test looks at. */
import type { Locator, Page } from "@playwright/test";

/** Types at the end of the program, or over all of it, in the current field: the plain one, or the editor that replaces it. */
export async function typeInField(page: Page, text: string, where: "at the end" | "over all"): Promise<void> {
  const fields = ['[data-editor="plain"] textarea', '.monaco-editor [role="textbox"]', ".monaco-editor textarea"];
  await page.locator(fields.join(", ")).first().focus();
  await page.keyboard.press(where === "at the end" ? "ControlOrMeta+End" : "ControlOrMeta+A");
  await page.keyboard.insertText(text);
}

/** Fills a field with a long text in one step: as typed text, each line costs the browser time. */
export function fillLong(field: Locator, text: string): Promise<void> {
  return field.evaluate((element, all) => {
    (element as HTMLTextAreaElement).setRangeText(all);
    element.dispatchEvent(new InputEvent("input", { bubbles: true }));
  }, text);
}
