/** How soon a first visit sees something: in what has to come before that, not in times. */
import { existsSync, readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import { expect, type Page, test } from "@playwright/test";
import { expectStep, focusTimeline, watchConsole } from "./page.ts";

const ENGINE = /assets\/host-[^/]*\.js$/;

/** Everything that is drawn of the step, with the places of the cards. */
function picture(page: Page): Promise<unknown> {
  return page.evaluate(() => {
    const cards = [...document.querySelectorAll(".react-flow__node")].map((card) => {
      const { x, y, width, height } = card.getBoundingClientRect();
      return [card.textContent, ...[x, y, width, height].map(Math.round)];
    });
    const texts = ['[data-testid="sentence"]', '[data-testid="step"]', '[data-testid="phase"]', "#pane-graph svg"];
    return [cards, texts.map((one) => document.querySelector(one)?.textContent)];
  });
}

test("the first card can be there within 1.2 s at 10 Mbit/s: few requests, half a megabyte, and no engine", async ({ page }) => {
  await page.addInitScript(() => {
    // Nothing up to the card waits for spare time; on a slow machine what does would come before it and be counted.
    window.requestIdleCallback = () => 0;
    new MutationObserver((_, observer) => {
      if (document.querySelector(".react-flow__node") === null) return;
      observer.disconnect();
      const { pathname } = window.location;
      Object.assign(window, {
        before: performance.getEntriesByType("resource").map(({ name }) => new URL(name).pathname.slice(pathname.length)),
      });
    }).observe(document, { childList: true, subtree: true });
  });
  // The engine's script never comes: nothing up to the card may wait for it.
  await page.route(ENGINE, () => undefined);
  await page.goto("./");
  await expect(page.locator(".react-flow__node").first()).toBeVisible();
  await expect(page.getByTestId("sentence")).toContainText("the triangle at BB1.1 becomes guarded instructions");
  const before = await page.evaluate(() => (window as unknown as { before: string[] }).before);
  const files = before.filter((path) => !ENGINE.test(path)).map((path) => `dist/${path}`);
  const bytes = files.filter((path) => existsSync(path)).reduce((sum, path) => sum + gzipSync(readFileSync(path)).length, 0);
  // The first drawing was made by the build: ELK is not needed for it.
  expect(files.filter((path) => path.includes("layout.worker"))).toEqual([]);
  // 14 scripts and style sheets, three fonts, an icon: with six connections and 40 ms for a round trip three rounds, in parallel with the bytes.
  expect(files.length, files.join("\n")).toBeLessThanOrEqual(20);
  // 0.4 s of the line; with three round trips and the half second that the page's thread takes that leaves 0.15 s.
  expect(bytes).toBeLessThanOrEqual(500_000);
  // What the entry does not name itself is named in the document: nothing is found out about only once the page runs.
  const html = readFileSync("dist/index.html", "utf8");
  const entry = readFileSync(files.find((path) => /index-[^/]*\.js$/.test(path)) ?? "", "utf8");
  const found = files.filter((path) => path.endsWith(".js") && ![html, entry].some((text) => text.includes(path.replace(/.*\//, ""))));
  expect(found).toEqual([]);
});

test("a key pressed before the engine is there waits, and is done; the picture made without it is the engine's", async ({
  page,
  context,
}) => {
  const quiet = watchConsole(page);
  let release: () => void = () => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  await page.route(ENGINE, async (route) => {
    await released;
    await route.continue();
  });
  await page.goto("./");
  await expect(page.locator(".react-flow__node").first()).toBeVisible();
  await page.evaluate(() => document.fonts.ready);
  const early = await picture(page);
  const step = Number(/step ([\d,]+)/.exec((await page.getByTestId("step").textContent()) ?? "")?.[1]);
  await focusTimeline(page);
  await page.keyboard.press("s");
  await expect(page.getByTestId("step")).toContainText(`step ${step + 1} /`);
  await expect(page.getByTestId("sentence")).toHaveAttribute("data-step", String(step - 1));
  await expect(page.getByText("starting the engine…")).toBeVisible();
  await page.keyboard.press("F1");
  const book = page.getByRole("dialog", { name: "Handbook" });
  await book.getByRole("searchbox").fill("mem2reg");
  await page.keyboard.press("Enter");
  release();
  await expect(book.getByTestId("handbook-page")).toHaveAttribute("data-page", "phase:37");
  await page.keyboard.press("Escape");
  await expectStep(page, step + 1);
  await expect(page.getByText("starting the engine…")).toHaveCount(0);
  await page.keyboard.press("Shift+s");
  await expectStep(page, step);
  expect(await picture(page)).toEqual(early);
  quiet();
  // If nothing is known beforehand, everything comes from the engine.
  const other = await context.browser()?.newPage();
  if (other === undefined) throw new Error("no browser");
  await other.route(/first-answers/, (route) => route.abort());
  await other.goto(page.url());
  await expectStep(other, step);
  await expect(other.getByTestId("run-state")).toBeVisible();
  await expect(other.locator(".react-flow__node").first()).toBeVisible();
  await other.evaluate(() => document.fonts.ready);
  expect(await picture(other)).toEqual(early);
  await other.close();
});
