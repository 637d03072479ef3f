/** Helpers of the browser tests: opening the page, watching its console, reading where it stands. */
import { expect, type Page } from "@playwright/test";

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
  const welcome = page.getByRole("region", { name: "Welcome" });
  if (!(await welcome.isVisible())) return;
  await welcome.getByRole("button", { name: "Close the welcome" }).click();
  await page.locator('[role="option"][data-phase="analyze-control-flow"]').click();
  await expectStep(page, 0);
  await waitForRun(page);
}

export async function waitForRun(page: Page): Promise<void> {
  await expect(page.getByTestId("phase")).toBeVisible();
  await expect(page.getByText("tracing…")).toHaveCount(0);
  await expect(page.getByText("running…")).toHaveCount(0);
  await expect(page.getByText("result is of an older text")).toHaveCount(0);
}

/** Opens an example of the gallery by its id. */
export async function openExample(page: Page, id: string): Promise<void> {
  await page.getByRole("button", { name: "Examples" }).click();
  const card = page.locator(`[data-example="${id}"]`);
  const title = await card.locator("span").first().textContent();
  await card.click();
  await expect(page.getByRole("dialog")).toHaveCount(0);
  await expect.poll(() => page.title()).toContain(`${title} · Oriscope`);
  await waitForRun(page);
}

/** Waits for the editor proper; typing works before, but differently. */
export async function waitForEditor(page: Page): Promise<void> {
  await expect(page.locator('[data-editor="monaco"]')).toBeVisible();
}

/** Where one stands: phase, step and sentence as the page shows them. */
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

/** Replaces the whole source text as a person would. */
export async function typeSource(page: Page, text: string): Promise<void> {
  await waitForEditor(page);
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.press("Delete");
  await page.keyboard.insertText(text);
}

/** Opens a program as if its file had been dropped on the window. */
export async function dropFile(page: Page, name: string, text: string): Promise<void> {
  await page.evaluate(
    ([fileName, content]) => {
      const dataTransfer = new DataTransfer();
      dataTransfer.items.add(new File([content], fileName));
      window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
    },
    [name, text] as const,
  );
}

/** Opens an inspector or editor tab; one that has no room in its bar, by the menu of all. */
export async function openTab(page: Page, name: string): Promise<void> {
  const tab = page.getByRole("tab", { name, exact: true });
  const more = page.getByRole("button", { name: /^All inspectors/ });
  await expect(tab.or(more).first()).toBeVisible();
  if ((await tab.count()) > 0) {
    await tab.click();
    return;
  }
  await more.last().click();
  await page
    .getByRole("dialog", { name: "All inspectors" })
    .getByRole("button", { name: new RegExp(`^${name}`) })
    .click();
  await expect(tab).toHaveAttribute("aria-selected", "true");
}
