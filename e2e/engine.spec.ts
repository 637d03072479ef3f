import { expect, type Page } from "@playwright/test";
import { dropFile, expectStep, focusTimeline, openMenu, openPageAt, place, setOption, waitForRun } from "./page.ts";
import { test } from "./test.ts";

const engineOf = (page: Page) => {
  const engine = page.workers().findLast((w) => /host/.test(w.url()));
  if (engine === undefined) throw new Error("no engine");
  return engine;
};

/** Lets the engine be at something that does not end: it waits, since a loop would take a processor from the page. */
async function keepBusy(page: Page): Promise<void> {
  await engineOf(page).evaluate(() => {
    setTimeout(() => {
      const { buffer } = new WebAssembly.Memory({ initial: 1, maximum: 1, shared: true });
      Atomics.wait(new Int32Array(buffer), 0, 0);
    });
  });
}

test("an engine that ends or does not answer: it is said, a question is ended, and text and place come back", async ({ page }) => {
  // The editor is not loaded: some time after each step it requests the signs next to the text, and the engine may be working on that instead.
  await page.route(/assets\/monaco-[^/]*\.js$/, () => undefined);
  await openPageAt(page, "loop-nest");
  const [activity, crash] = [page.getByTestId("activity"), page.getByTestId("crash")];
  await focusTimeline(page);
  for (let i = 1; i <= 8; i++) await page.keyboard.press("s");
  await expectStep(page, 8);
  await test.step("one that ends without a word is noticed", async () => {
    await engineOf(page).evaluate(() => self.close());
    await crash.waitFor();
    await expect(crash).toContainText("ended without a message");
    await waitForRun(page);
    await expectStep(page, 8);
    await focusTimeline(page);
    await page.keyboard.press("s");
    await expectStep(page, 9);
  });
  await test.step("a search that takes long is ended from the menu", async () => {
    const before = await place(page);
    await page.keyboard.press("f");
    await keepBusy(page);
    await focusTimeline(page);
    await page.keyboard.press("t");
    await expect(activity).toBeVisible();
    await openMenu(page, "Phase");
    await page.getByRole("menuitem", { name: "Restart the engine" }).click();
    await waitForRun(page);
    await expectStep(page, 9);
    expect(await place(page)).toEqual(before);
    await focusTimeline(page);
    await page.keyboard.press("s");
    await expectStep(page, 10);
  });
  await test.step("a stopped recording is not started again until the user asks for it", async () => {
    await keepBusy(page);
    await page.keyboard.press("]");
    await expect(activity).toContainText("Recording the phase…");
    const phase = (await page.getByTestId("phase").textContent()) ?? "";
    await activity.getByRole("button", { name: "Stop" }).click();
    await crash.waitFor();
    await expect(crash).toContainText("Recording the phase was stopped");
    await expect(page.getByTestId("sentence")).toContainText("its recording was stopped");
    await expect(activity).toHaveCount(0);
    await expect(page.getByTestId("phase")).toHaveText(phase);
    await page.getByRole("button", { name: "Record it again" }).click();
    await waitForRun(page);
    await expect(page.getByTestId("sentence")).not.toContainText("stopped");
    await expect(page.getByTestId("step")).toBeVisible();
    await expect(page.getByTestId("phase")).toHaveText(phase);
  });
  await test.step("title, icon and address never say what is not shown", async () => {
    const icon = page.locator('link[rel="icon"]');
    await expect(icon).toHaveAttribute("href", "./icon.svg");
    // The address has followed the step once a reload stays there.
    const hash = () => page.evaluate(() => window.location.hash);
    const before = await hash();
    await focusTimeline(page);
    await page.keyboard.press("s");
    await expect.poll(hash).not.toBe(before);
    const shown = await hash();
    await keepBusy(page);
    await setOption(page, "Level", "0");
    await expect(page).toHaveTitle("Working… · Loop nest with an exit · Oriscope");
    await expect(icon).toHaveAttribute("href", "./icon-busy.svg");
    expect(await hash()).toBe(shown);
    await activity.getByRole("button", { name: "Stop" }).click();
    await expect(page).toHaveTitle("Run failed · Loop nest with an exit · Oriscope");
    await expect(icon).toHaveAttribute("href", "./icon-failed.svg");
    await expect(activity).toHaveCount(0);
  });
});

test("ELK's worker ends without a word or does not answer: another draws the graph; ended, the phase is stepped without it", async ({
  page,
}) => {
  // Its worker is started by the one that draws: there it is prevented from answering, and can be ended. A worker that is warming up is ended
  // when a program arrives, and the next one never answers.
  let deaf = false;
  await page.route(/assets\/layout\.worker-[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const before = `self.made = []; self.Worker = class extends self.Worker {
      constructor(...all) { super(...all); self.made.push(this); if (${deaf}) self.deaf = self.made[0]; }
      postMessage(...all) { if (this !== self.deaf) super.postMessage(...all); }
    };\n`;
    await route.fulfill({ response, body: before + (await response.text()) });
  });
  await openPageAt(page, "two-adds");
  const draws = () => page.workers().find((w) => w.url().includes("layout.worker"));
  const drawing = page.getByTestId("drawing");
  const graph = page.getByRole("region", { name: "Graph", exact: true });
  await expect.poll(() => draws()?.evaluate("made.length")).toBe(1);
  deaf = true;
  await draws()?.evaluate("self.deaf = made[0]");
  await dropFile(page, "two.ori", ".kernel two(out: RD0)\n    STG [RD0], 1\nELSEWHERE:\n    EXIT\n");
  await expect(drawing).toContainText("Drawing the graph…");
  // A worker may also be ended because a different drawing is wanted by now: the next one answers.
  deaf = false;
  await draws()?.evaluate("made[0].terminate()");
  await expect(graph.locator("[data-node]").filter({ hasText: "ELSEWHERE" })).toBeVisible();
  await expect(drawing).toHaveCount(0);

  deaf = true;
  await draws()?.evaluate("self.deaf = made.at(-1)");
  await dropFile(page, "three.ori", ".kernel three(out: RD0)\n    STG [RD0], 1\nA:\n    STG [RD0], 2\nLAST:\n    EXIT\n");
  await expect(drawing).toContainText("Drawing the graph…");
  deaf = false;
  await drawing.getByRole("button", { name: "Stop" }).click();
  await expect(graph).toContainText("Drawing the graph was stopped.");
  await expect(drawing).toHaveCount(0);
  await waitForRun(page);
  await focusTimeline(page);
  await page.keyboard.press("Control+Home");
  await page.keyboard.press("s");
  await expectStep(page, 1);
  await expect(graph).toContainText("Drawing the graph was stopped.");
  await graph.getByRole("button", { name: "Draw it again" }).click();
  await expect(graph.locator("[data-node]").filter({ hasText: "LAST" })).toBeVisible();
  await expect(graph.getByText("Drawing the graph")).toHaveCount(0);
});

test("what cannot be loaded is told in plain words, with a reload: engine, graph, dialogs, a menu, page", async ({ page }) => {
  test.slow();
  const [ENGINE, GRAPH, PAGE] = [/assets\/host-[^/]*\.js$/, /assets\/graph-pane-[^/]*\.js$/, /assets\/page-[^/]*\.js$/];
  let [tries, most] = [0, Number.POSITIVE_INFINITY];
  await page.route(ENGINE, (route) => (++tries <= most ? route.abort() : route.continue()));
  const [DIALOGS, HANDBOOK] = [/assets\/dialogs-[^/]*\.js$/, /assets\/handbook-(?!dialog)[^/]*\.js$/];
  for (const script of [GRAPH, DIALOGS, HANDBOOK]) await page.route(script, (route) => route.abort());
  await page.goto("./");
  const graph = page.getByRole("region", { name: "Graph", exact: true });
  await test.step("neither the engine nor the graph", async () => {
    await expect(graph.getByRole("alert")).toContainText("The graph could not be loaded.");
    await expect(graph.getByRole("alert")).toContainText("Reload the page; your work is kept.");
    await expect(graph).not.toContainText("Failed to fetch");
    await expect(graph.getByRole("button", { name: "Reload the page" })).toBeVisible();
    const crash = page.getByTestId("crash");
    await crash.waitFor({ timeout: 30_000 });
    await expect(crash).toContainText("The engine could not be loaded, after several tries");
    await expect(crash).toContainText("your text, options and place are kept");
    await expect(page).toHaveTitle(/^Engine failed · /);
    await expect(page.locator('link[rel="icon"]')).toHaveAttribute("href", "./icon-failed.svg");
    expect(tries).toBeLessThanOrEqual(6);
  });
  await test.step("a dialog, which can be opened again later; what needs the engine in it; what is in one", async () => {
    await page.keyboard.press("Control+Shift+B");
    await expect(page.getByRole("region", { name: "Notices" })).toContainText("The dialog could not be loaded: A part of the page");
    await page.unroute(DIALOGS);
    await page.keyboard.press("Control+Shift+B");
    const breakpoints = page.getByRole("dialog", { name: "Breakpoints" });
    await breakpoints.getByRole("textbox", { name: "Condition" }).fill("kind = rewrite");
    await page.keyboard.press("Enter");
    await expect(breakpoints).toContainText("The condition could not be read: ");
    await page.keyboard.press("Escape");
    await page.keyboard.press("F1");
    const handbook = page.getByRole("dialog", { name: "Handbook" });
    await expect(handbook.getByRole("alert")).toContainText("Handbook could not be loaded.");
    await page.keyboard.press("Escape");
    await expect(handbook).toHaveCount(0);
    await expect(graph.getByRole("alert")).toBeVisible();
  });
  await test.step("an engine that could be loaded in the end is used, without a reload", async () => {
    await page.unroute(GRAPH);
    [tries, most] = [0, 2];
    await page.getByTestId("crash").getByRole("button", { name: "Reload the page" }).click();
    await waitForRun(page);
    expect(tries).toBeGreaterThan(2);
    await expect(graph.locator("[data-node]").first()).toBeVisible();
    const before = await page.getByTestId("step").textContent();
    await focusTimeline(page);
    await page.keyboard.press("s");
    await expect(page.getByTestId("step")).not.toHaveText(before ?? "");
  });
  await test.step("a menu: the page stays", async () => {
    await page.route(/assets\/step-menu-popup-[^/]*\.js$/, (route) => route.abort());
    await page.getByTestId("sentence").click({ button: "right" });
    await expect(page.getByRole("region", { name: "Notices" })).toContainText("The menu could not be loaded: A part of the page");
    await expect(graph.locator("[data-node]").first()).toBeVisible();
  });
  await test.step("where the page itself does not arrive, a sentence takes the place of Loading", async () => {
    await page.route(PAGE, (route) => route.abort());
    await page.reload();
    await expect(page.getByRole("alert")).toContainText("Reload the page; your work is kept.");
  });
});

test("without workers, and in a frame whose sandbox does not allow what it needs, the page says so", async ({ page, baseURL }) => {
  const frames = ["allow-scripts", ""].map((sandbox) => `<iframe sandbox="${sandbox}" src="${baseURL}" width="900" height="600"></iframe>`);
  await page.route("**/outer.html", (route) => route.fulfill({ contentType: "text/html", body: frames.join("") }));
  await page.goto("./outer.html");
  for (const i of [0, 1]) {
    const frame = page.frameLocator("iframe").nth(i);
    // The page waits some seconds for its scripts: not so this test.
    await frame.locator("#late").evaluate((late) => late.getAnimations().forEach((animation) => void animation.finish()));
    // The other of the two is there, and hidden.
    await expect(
      frame
        .getByText(/sandbox attribute must be absent|needs JavaScript/)
        .filter({ visible: true })
        .first(),
    ).toBeVisible();
  }
  await page.addInitScript(() => Reflect.deleteProperty(window, "Worker"));
  await page.goto("./");
  await expect(page.getByRole("alert")).toContainText("Web Worker");
});
