/** What the tests of futures do and look at. */
import { expect, type Page } from "@playwright/test";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import { waitForRun } from "./page.ts";

/** Opens the page with this program alone: no other runs first. */
export async function openProgram(page: Page, title: string, text: string): Promise<void> {
  await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, source: text, title, format: "ori" })}`);
  await expect.poll(() => page.title()).toContain(title);
  await waitForRun(page);
}

export async function goToPhase(page: Page, id: string): Promise<void> {
  await page.locator(`[role="option"][data-phase="${id}"]`).click();
  await expect(page.locator(`[role="option"][data-phase="${id}"]`)).toHaveAttribute("aria-selected", "true");
  await waitForRun(page);
}

export const futures = (page: Page) => page.getByRole("listbox", { name: "Futures" });
export const openFuture = (page: Page) => futures(page).getByRole("option", { selected: true });

/** Waits until a run is there that belongs to the open future. */
export async function expectFuture(page: Page, title: string): Promise<void> {
  await expect(openFuture(page)).toContainText(title);
  await expect(page.getByTestId("future-said")).toContainText(`Future: ${title}.`);
  await waitForRun(page);
}
