import { expect, type Page } from "@playwright/test";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import {
  dropFile,
  expectStep,
  focusTimeline,
  openExample,
  openMenu,
  openPage,
  openPageAt,
  place,
  setOption,
  waitForEditor,
  waitForRun,
} from "./page.ts";
import { test } from "./test.ts";

const engineOf = (page: Page) => {
  const engine = page.workers().find((w) => /host/.test(w.url()));
  if (engine === undefined) throw new Error("no engine");
  return engine;
};

/** Lets the engine be at something that does not end. */
async function keepBusy(page: Page): Promise<void> {
  await engineOf(page).evaluate(() => {
    setTimeout(() => {
      for (;;);
    });
  });
}

test("a question that takes long shows itself and is ended; the phase stands without asking again, until one asks", async ({ page }) => {
  // The editor does not come: a while after each step it asks for the signs beside the text, and the engine may be at that question instead.
  await page.route(/assets\/monaco-[^/]*\.js$/, () => undefined);
  await openPageAt(page, "loop-nest");
  await keepBusy(page);
  await focusTimeline(page);
  await page.keyboard.press("]");
  const activity = page.getByTestId("activity");
  await expect(activity).toContainText("Recording the phase…");
  const phase = (await page.getByTestId("phase").textContent()) ?? "";
  await activity.getByRole("button", { name: "Stop" }).click();
  await expect(page.getByTestId("crash")).toContainText("Recording the phase was stopped");
  await expect(page.getByTestId("sentence")).toContainText("its recording was stopped");
  await expect(activity).toHaveCount(0);
  await expect(page.getByTestId("phase")).toHaveText(phase);
  await page.getByRole("button", { name: "Record it again" }).click();
  await waitForRun(page);
  await expect(page.getByTestId("sentence")).not.toContainText("stopped");
  await expect(page.getByTestId("step")).toBeVisible();
  await expect(page.getByTestId("phase")).toHaveText(phase);
});

test("title, icon and address never say what is not shown: while the engine is at work, with errors in the text, and when it has failed", async ({
  page,
}) => {
  test.slow();
  const source = ".kernel linked(a: R0, b: R1, out: RD2)\nBB0:\n    IADD R4, R0, R1\n    IADD R5, R0, R1\n    STG [RD2], R5\n    EXIT\n";
  await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, source, title: "theirs", phase: "gvn-cse", step: 2 })}`);
  await waitForRun(page);
  const icon = page.locator('link[rel="icon"]');
  await expect(page).toHaveTitle("Value numbering · theirs · Oriscope");
  await expect(icon).toHaveAttribute("href", "./icon.svg");
  await focusTimeline(page);
  await page.keyboard.press("s");
  await expectStep(page, 4);
  // The address has followed the step once a reload stays there.
  const hash = () => page.evaluate(() => window.location.hash);
  const before = await hash();
  await page.keyboard.press("s");
  await expect.poll(hash).not.toBe(before);
  const shown = await hash();

  // Other options, and an engine that does not answer: nothing is claimed, and the address stays where something was shown.
  await keepBusy(page);
  await setOption(page, "Level", "0");
  await expect(page).toHaveTitle("Working… · theirs · Oriscope");
  await expect(icon).toHaveAttribute("href", "./icon-busy.svg");
  expect(await hash()).toBe(shown);
  await page.getByTestId("activity").getByRole("button", { name: "Stop" }).click();
  await expect(page.getByTestId("crash")).toBeVisible();
  await expect(page).toHaveTitle(/^(Run failed|Value numbering) · theirs · Oriscope$/);
  await expect(page.getByTestId("activity")).toHaveCount(0);

  // A mistake in the text: the graph is that of the text before, the title names the mistake.
  await openExample(page, "two-adds");
  await expect(page).toHaveTitle("Value numbering · Two equal adds · Oriscope");
  await waitForEditor(page);
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("ControlOrMeta+End");
  await page.keyboard.insertText("\nFROB R1\n");
  await expect(page).toHaveTitle(/^1 error · /);
  await expect(async () => {
    await page.keyboard.press("ControlOrMeta+z");
    await expect(page).toHaveTitle(/^Value numbering · /, { timeout: 1_000 });
  }).toPass();
});

test("a search that takes long can be ended from the menu, and text and place come back", async ({ page }) => {
  await openPageAt(page, "loop-nest");
  await focusTimeline(page);
  for (let i = 1; i <= 9; i++) await page.keyboard.press("s");
  await expectStep(page, 9);
  const before = await place(page);
  await page.keyboard.press("f");
  await keepBusy(page);
  await focusTimeline(page);
  await page.keyboard.press("t");
  await expect(page.getByTestId("activity")).toBeVisible();
  await openMenu(page, "Phase");
  await page.getByRole("menuitem", { name: "Restart the engine" }).click();
  await expect(page.getByTestId("crash")).toBeVisible();
  await waitForRun(page);
  await expectStep(page, 9);
  expect(await place(page)).toEqual(before);
  await focusTimeline(page);
  await page.keyboard.press("s");
  await expectStep(page, 10);
});

test("a drawing that takes long shows itself and is ended; the phase is stepped without it, and drawn when one asks", async ({ page }) => {
  // The worker that draws does not come, until it may; the first drawing is there without it.
  const held: (() => void)[] = [];
  await page.route(/assets\/layout\.worker-[^/]*\.js$/, (route) => void held.push(() => void route.continue()));
  await openPage(page);
  const blocks = Array.from({ length: 150 }, (_, i) => `B${i}:\n    ISETP.LT P0, R2, ${i}\n@P0 BRA B${i + 2}\nC${i}:\n    STG [RD0], R2\n`);
  await dropFile(page, "large.ori", `.kernel large(out: RD0, n: R2)\n${blocks.join("")}B150:\n    STG [RD0], R2\nB151:\n    EXIT\n`);
  const drawing = page.getByTestId("drawing");
  await expect(drawing).toContainText("Drawing the graph…");
  const before = held.length;
  await drawing.getByRole("button", { name: "Stop" }).click();
  const graph = page.getByRole("region", { name: "Graph", exact: true });
  await expect(graph).toContainText("Drawing the graph was stopped.");
  await expect(drawing).toHaveCount(0);
  await waitForRun(page);
  await focusTimeline(page);
  await page.keyboard.press("s");
  await expectStep(page, 1);
  await expect(graph).toContainText("Drawing the graph was stopped.");
  await graph.getByRole("button", { name: "Draw it again" }).click();
  await expect.poll(() => held.length).toBeGreaterThan(before);
  for (const go of held) go();
  await expect(graph.locator("[data-node]").first()).toBeVisible();
  await expect(graph.getByText("Drawing the graph")).toHaveCount(0);
});

test("ELK's worker ends without a word while it draws: it is noticed, and another draws the graph", async ({ page }) => {
  // Its worker is started by the one that draws: there it is kept from answering, and can be ended. A worker that is warming up is ended
  // when a program comes, and the next one is deaf from its start.
  let deaf = false;
  await page.route(/assets\/layout\.worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const before = `self.made = []; self.Worker = class extends self.Worker {
      constructor(...all) { super(...all); self.made.push(this); if (${deaf}) self.deaf = self.made[0]; }
      postMessage(...all) { if (this !== self.deaf) super.postMessage(...all); }
    };\n`;
    await route.fulfill({ response, body: before + (await response.text()) });
  });
  await openPage(page);
  const draws = () => page.workers().find((w) => w.url().includes("layout.worker"));
  await expect.poll(() => draws()?.evaluate("made.length")).toBe(1);
  deaf = true;
  await draws()?.evaluate("self.deaf = made[0]");
  await dropFile(page, "two.ori", ".kernel two(out: RD0)\n    STG [RD0], 1\nELSEWHERE:\n    EXIT\n");
  await expect(page.getByTestId("drawing")).toContainText("Drawing the graph…");
  await draws()?.evaluate("made[0].terminate()");
  const graph = page.getByRole("region", { name: "Graph", exact: true });
  await expect(graph.locator("[data-node]").filter({ hasText: "ELSEWHERE" })).toBeVisible();
  await expect(page.getByTestId("drawing")).toHaveCount(0);
  expect(await draws()?.evaluate("made.length")).toBe(2);
});

test("an engine that ends without a word is noticed, and the work comes back", async ({ page }) => {
  await openPage(page);
  await focusTimeline(page);
  for (let i = 1; i <= 3; i++) await page.keyboard.press("s");
  await expectStep(page, 3);
  await engineOf(page).evaluate(() => self.close());
  await expect(page.getByTestId("crash")).toContainText("ended without a message");
  await waitForRun(page);
  await expectStep(page, 3);
  await focusTimeline(page);
  await page.keyboard.press("s");
  await expectStep(page, 4);
});

test("an engine that cannot be loaded is given up after a few tries, with what to do; the text can be edited and is kept", async ({
  page,
}) => {
  test.slow();
  await openPage(page);
  await waitForEditor(page);
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("Control+End");
  await page.keyboard.insertText("// kept\n");
  let tries = 0;
  await page.route(/assets\/host-[^/]*\.js$/, (route) => {
    tries++;
    return route.abort();
  });
  await page.reload();
  await expect(page.getByTestId("crash")).toContainText("The engine could not be loaded, after several tries", { timeout: 30_000 });
  await expect(page.getByTestId("crash")).toContainText("your text, options and place are kept");
  await expect(page).toHaveTitle(/^Engine failed · /);
  await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", "./icon-failed.svg");
  const before = tries;
  expect(before).toBeLessThanOrEqual(6);
  // Playwright's clock would stay in the pages of later tests.
  await page.waitForTimeout(2_000);
  expect(tries).toBe(before);
  await page.unroute(/assets\/host-[^/]*\.js$/);
  await page.getByRole("button", { name: "Reload the page" }).click();
  await waitForRun(page);
  await waitForEditor(page);
  // Only the lines in sight are there.
  await page.locator(".monaco-editor").first().click();
  await page.keyboard.press("Control+End");
  await expect(page.locator(".monaco-editor").first()).toContainText("kept");
});

test("an engine that could be loaded in the end is used, without a reload", async ({ page }) => {
  let tries = 0;
  await page.route(/assets\/host-[^/]*\.js$/, (route) => (++tries <= 2 ? route.abort() : route.continue()));
  await openPage(page);
  await focusTimeline(page);
  await page.keyboard.press("s");
  await expectStep(page, 1);
});

test("a part of the page that does not arrive is told in plain words, with a reload", async ({ page }) => {
  await page.route(/assets\/graph-pane-[^/]*\.js$/, (route) => route.abort());
  await page.goto("./");
  const graph = page.getByRole("region", { name: "Graph", exact: true });
  await expect(graph.getByRole("alert")).toContainText("The graph could not be loaded.");
  await expect(graph.getByRole("alert")).toContainText("Reload the page; your work is kept.");
  await expect(graph).not.toContainText("Failed to fetch");
  await page.unroute(/assets\/graph-pane-[^/]*\.js$/);
  await graph.getByRole("button", { name: "Reload the page" }).click();
  await waitForRun(page);
  await expect(page.locator(".react-flow__node, [data-graph]").first()).toBeVisible();
});

test("where the page itself does not arrive, a sentence takes the place of Loading", async ({ page }) => {
  await page.route(/assets\/page-[^/]*\.js$/, (route) => route.abort());
  await page.goto("./");
  await expect(page.getByRole("alert")).toContainText("Reload the page; your work is kept.");
});

test("without workers the page says what it needs", async ({ page }) => {
  await page.addInitScript(() => Reflect.deleteProperty(window, "Worker"));
  await page.goto("./");
  await expect(page.getByRole("alert")).toContainText("Web Worker");
});

for (const sandbox of ["allow-scripts", ""]) {
  test(`in a frame with sandbox="${sandbox}" the page says what it needs`, async ({ page, baseURL }) => {
    await page.route("**/outer.html", (route) =>
      route.fulfill({ contentType: "text/html", body: `<iframe sandbox="${sandbox}" src="${baseURL}" width="900" height="600"></iframe>` }),
    );
    await page.goto("./outer.html");
    const frame = page.frameLocator("iframe");
    await expect(frame.getByText(/sandbox attribute must be absent|needs JavaScript/).first()).toBeVisible();
  });
}
