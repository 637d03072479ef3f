import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { encodeLink } from "../src/links/link-codec.ts";
import { EMPTY_LINK } from "../src/links/link-data.ts";
import { expectAccessible, setTheme } from "./axe.ts";
import { openProgram } from "./futures-page.ts";
import { dropFile, openPage, openPageAt, waitForRun } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

const graph = (page: Page) => page.locator("#pane-graph");
const flow = (page: Page) => graph(page).locator(".react-flow");
const card = (page: Page, label: string) =>
  graph(page)
    .locator("[data-node]")
    .filter({ has: page.getByText(label, { exact: true }).first() });
const block = (page: Page, id: number) => graph(page).locator(`[data-node="b${id}"]`);

/** Opens the menu of the graph. */
async function openGraphMenu(page: Page): Promise<void> {
  await graph(page)
    .getByRole("button", { name: /^Graph/ })
    .click();
}

/** Presses a key where the graph listens. */
async function press(page: Page, ...keys: readonly string[]): Promise<void> {
  await flow(page).focus();
  for (const key of keys) await page.keyboard.press(key);
}

/** The graph as saved in a file. */
async function saved(page: Page, kind: "SVG" | "PNG"): Promise<Buffer> {
  await openGraphMenu(page);
  const download = page.waitForEvent("download");
  await page.getByRole("menuitem", { name: `Save the graph as ${kind}` }).click();
  const file = await download;
  expect(file.suggestedFilename()).toMatch(new RegExp(`\\.${kind.toLowerCase()}$`));
  return await readFile(await file.path());
}

/** Opens an example from the gallery, and waits until it is what is drawn. */
async function openExample(page: Page, id: string): Promise<void> {
  await page.keyboard.press("Control+Shift+E");
  await page.locator(`[data-example="${id}"]`).click();
  await expect(flow(page)).toHaveAttribute("aria-label", new RegExp(`of ${id.replaceAll("-", "_")}: `));
  await waitForRun(page);
  await expect(page.locator("[data-graph]")).toHaveAttribute("aria-busy", "false");
}

/** How far apart two places of one card are. */
type Box = Awaited<ReturnType<ReturnType<typeof block>["boundingBox"]>>;
const apart = (a: Box, b: Box): number => Math.abs((a?.x ?? 0) - (b?.x ?? 0)) + Math.abs((a?.y ?? 0) - (b?.y ?? 0));

const LOOP = `.kernel looped(n: R0, out: RD1)
BB0:
    MOV R1, 0
BB1:
    ISETP.GE P0, R1, R0
@P0 BRA BB3
BB2:
    IADD R1, R1, 1
    BRA BB1
BB3:
    STG [RD1], R1
    EXIT
`;

test("a small graph: selected, walked by keys, searched, collapsed, saved, stepped, overlaid", async ({ page }) => {
  await openProgram(page, "looped", LOOP);
  await test.step("a selection in the graph is the selection everywhere, and the other way round", async () => {
    await block(page, 1).getByText("BB1", { exact: true }).first().click();
    await page.getByRole("tab", { name: "Why" }).click();
    await expect(page.locator("#pane-inspectors")).toContainText("BB1");
    // An instruction, then one of its registers.
    await block(page, 2)
      .locator("[data-inst]")
      .first()
      .click({ position: { x: 3, y: 8 } });
    await expect(page.locator("#pane-inspectors")).toContainText("IADD R1, R1, 1");
    await block(page, 2).locator('[data-reg="R1"]').first().click();
    await expect(graph(page).locator('[class*="regSelected"]')).not.toHaveCount(0);
    // From the palette.
    await page.keyboard.press("Control+k");
    await page.keyboard.type("block BB3");
    await page.keyboard.press("Enter");
    await expect(block(page, 3)).toHaveClass(/selected/);
    // A click outside of everything clears it.
    await graph(page)
      .locator(".react-flow__pane")
      .click({ position: { x: 6, y: 6 } });
    await expect(graph(page).locator('[class*="selected"][data-node]')).toHaveCount(0);
  });
  await test.step("the keyboard walks along edges, selects, and goes into a block", async () => {
    await press(page, "Home", "ArrowDown");
    await expect(block(page, 1)).toHaveClass(/cursor/);
    await page.keyboard.press("Enter");
    await expect(block(page, 1)).toHaveClass(/selected/);
    await page.keyboard.press("Enter");
    await page.keyboard.press("ArrowDown");
    await expect(block(page, 1).locator('[class*="instSelected"]')).toContainText("@P0 BRA BB3");
    await page.keyboard.press("Escape");
    await expect(block(page, 1)).toHaveClass(/selected/);
    await page.keyboard.press("ArrowUp");
    await expect(block(page, 0)).toHaveClass(/cursor/);
  });
  await test.step("search finds labels and instructions and goes through them", async () => {
    await press(page, "/");
    await page.keyboard.type("bra");
    await expect(graph(page).getByText("1 of 2")).toBeVisible();
    await page.keyboard.press("Enter");
    await expect(graph(page).getByText("2 of 2")).toBeVisible();
    await expect(block(page, 2).locator('[class*="instSelected"]')).toContainText("BRA BB1");
    await page.keyboard.press("Escape");
    await expect(graph(page).getByText("2 of 2")).toHaveCount(0);
  });
  await test.step("loops collapse into one card and open again, and the selected block keeps its place", async () => {
    await block(page, 3).getByText("BB3", { exact: true }).click();
    const before = await block(page, 3).boundingBox();
    await openGraphMenu(page);
    await page.getByRole("menuitem", { name: "Collapse all loops" }).click();
    const region = card(page, "loop BB1");
    await expect(region).toContainText("2 blocks");
    await expect(block(page, 2)).toHaveCount(0);
    expect(apart(await block(page, 3).boundingBox(), before)).toBeLessThan(3);
    await region.getByRole("button", { name: "open" }).click();
    await expect(block(page, 2)).toBeVisible();
  });
  await test.step("the picture is saved as SVG and as PNG", async () => {
    const text = (await saved(page, "SVG")).toString();
    for (const label of ["BB0", "BB1", "BB2", "BB3", "ISETP"]) expect(text).toContain(label);
    expect(text).toMatch(/^<svg /);
    const bytes = await saved(page, "PNG");
    expect([...bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(bytes.length).toBeGreaterThan(2_000);
  });
  await test.step("each step marks what it is about", async () => {
    await page.getByRole("listbox", { name: "Phases" }).locator('[data-phase="analyze-control-flow"]').click();
    await expect(page.getByTestId("phase")).toContainText("AnalyzeControlFlow");
    await press(page, "Control+End");
    // AnalyzeControlFlow has numbered the blocks and found the loop.
    await expect(block(page, 0)).toContainText("rpo 1");
    await expect(block(page, 1)).toContainText("head");
    await page.keyboard.press("Control+Home");
    await expect(block(page, 0)).toContainText("rpo –");
    const focus = graph(page).locator('[data-node][class*="focus"]');
    const sentence = page.getByTestId("sentence");
    for (let i = 0; i < 40 && (await focus.count()) === 0; i++) {
      const before = (await sentence.getAttribute("data-step")) ?? "";
      await page.keyboard.press("s");
      // Pressed faster than it is shown, the step looked for would be passed by.
      await expect(sentence).not.toHaveAttribute("data-step", before);
    }
    await expect(focus).not.toHaveCount(0);
  });
  await test.step("an overlay shows what it is named after, or what it needs", async () => {
    await press(page, "Control+End");
    const overlay = graph(page).getByRole("combobox", { name: "Overlay" });
    await overlay.selectOption("dominators");
    await expect(block(page, 2)).toContainText("idom BB1");
    await overlay.selectOption("heat");
    await expect(graph(page)).toContainText("Run on inputs to see this");
  });
});

for (const theme of someOf(["light", "dark"] as const, 1))
  test(`a phase that makes a jump table: its end, Now, Before and After, a step compared (${theme})`, async ({ page }) => {
    test.slow();
    const ghosts = graph(page).locator('[data-node][class*="ghost"]');
    const table = graph(page).locator('[data-node^="t"]');
    // Only what is in the view has an element.
    await page.setViewportSize({ width: 1900, height: 1500 });
    await openPageAt(page, "switch-dense");
    await setTheme(page, theme);
    await test.step("the view goes to what the phase has made, deleted blocks are tags, and all of it can be read", async () => {
      await graph(page).getByRole("button", { name: "What the lines mean" }).click();
      await expect(graph(page).getByRole("region", { name: "What the lines mean" })).toContainText("back edge");
      await press(page, "Control+End");
      await expect(table).toBeInViewport();
      await expect(table).toContainText("8 cases");
      await expect(table).toContainText("default");
      await expect(ghosts.first()).toBeAttached();
      // The height in the graph's own pixels: the view may still move and zoom.
      const tallest = () => ghosts.evaluateAll((tags) => Math.max(...tags.map((tag) => (tag as HTMLElement).offsetHeight)));
      await expect.poll(tallest).toBeLessThan(50);
      await graph(page).getByRole("combobox", { name: "Overlay" }).selectOption("liveness");
      await expectAccessible(page, "ghosts and liveness", { part: "#pane-graph" });
    });
    await test.step("Now has what exists at the step, in a picture too, and the selected block stays where it is", async () => {
      await graph(page).getByRole("button", { name: "Now", exact: true }).click();
      await expect(ghosts).toHaveCount(0);
      await expect(table).toHaveCount(1);
      const picture = (await saved(page, "SVG")).toString();
      expect(picture).toContain(">head.jmx<");
      expect(picture).not.toContain(">head.1<");
      // Its cards go to new places, but not where motion is unwanted.
      const moves = (): Promise<string> =>
        graph(page)
          .locator(".react-flow__node")
          .first()
          .evaluate((node) => getComputedStyle(node).transitionDuration);
      expect(await moves()).toBe("0.18s");
      await page.emulateMedia({ reducedMotion: "reduce" });
      expect(await moves()).toBe("0s");
      await block(page, 0).locator('[class*="label"]').first().click();
      const before = await block(page, 0).boundingBox();
      await press(page, "Control+Home");
      await expect(table).toHaveCount(0);
      await expect(block(page, 1)).toBeAttached();
      expect(apart(await block(page, 0).boundingBox(), before)).toBeLessThan(3);
    });
    const [left, right] = [graph(page).locator('[data-node="before:b0"]'), block(page, 0)];
    await test.step("Before and After stand side by side, and a saved picture has both", async () => {
      await graph(page).getByRole("button", { name: "Before | After" }).click();
      await expect(left).toHaveClass(/diff-changed/);
      await expect(graph(page).locator('[data-node="before:b1"]')).toHaveClass(/diff-removed/);
      await press(page, "0");
      await expect(table).toBeInViewport();
      await expect(graph(page)).toContainText("Blocks: + 1 added − 7 removed ≠ 1 changed");
      expect((await saved(page, "SVG")).toString().match(/>join<\/text>/g)?.length).toBe(2);
    });
    await test.step("in a narrow window one of the two is read at a time, and changing over keeps the place", async () => {
      await page.setViewportSize({ width: 390, height: 844 });
      const ways = graph(page).getByRole("group", { name: "Which of the two graphs" });
      // Both whole: neither is cut off.
      await expect(left).toBeInViewport({ ratio: 0.9 });
      await expect(right).toBeInViewport({ ratio: 0.9 });
      const small = (await left.boundingBox())?.width ?? 0;
      await ways.getByRole("button", { name: "Before" }).click();
      await expect(ways.getByRole("button", { name: "Before" })).toHaveAttribute("aria-pressed", "true");
      await expect.poll(async () => ((await left.boundingBox())?.width ?? 0) / small).toBeGreaterThan(2);
      // From what the step is about, here the block that the table is made for.
      await expect(left).toBeInViewport({ ratio: 0.9 });
      // `trial` waits until the block has stopped moving.
      await left.hover({ trial: true });
      const place = await left.boundingBox();
      await ways.getByRole("button", { name: "After" }).click();
      await expect.poll(async () => Math.round((await right.boundingBox())?.x ?? 0)).toBe(Math.round(place?.x ?? -1));
      expect(Math.abs(((await right.boundingBox())?.y ?? 0) - (place?.y ?? 0))).toBeLessThan(2);
      // A step does not take the view to the other side.
      await ways.getByRole("button", { name: "Before" }).click();
      await page.getByRole("button", { name: "Step into", exact: true }).click();
      await expect(left).toBeInViewport({ ratio: 0.9 });
      // The whole fits again after a change of size.
      await ways.getByRole("button", { name: "Both" }).click();
      await expect(right).toBeInViewport({ ratio: 0.9 });
      await page.setViewportSize({ width: 1440, height: 900 });
      await expect(ways).toHaveCount(0);
      for (const card of [left, right]) await expect(card).toBeInViewport({ ratio: 0.9 });
    });
    await test.step("a step is compared with any other", async () => {
      await graph(page).getByRole("button", { name: "All", exact: true }).click();
      await press(page, "Control+Home");
      await openGraphMenu(page);
      await page.getByRole("menuitem", { name: /^Compare from this step/ }).click();
      const compare = page.getByRole("region", { name: "Compare", exact: true });
      await expect(compare.getByTestId("compare-said")).toContainText("Both programs are the same.");
      const different = graph(page).locator('[data-node][class*="diff-"]');
      await expect(different).toHaveCount(0);
      await press(page, "Control+End", "0");
      await expect(right).toHaveClass(/diff-changed/);
      await expect(block(page, 1)).toHaveClass(/diff-removed/);
      await expect(compare.getByTestId("compare-said")).toContainText("input of Switch lowering");
      await compare.getByRole("button", { name: "Close the comparison" }).click();
      await expect(different).toHaveCount(0);
    });
  });

for (const [width, height] of someOf([[1440, 900] as const, [1024, 768] as const], 1))
  test(`graphs of 5 to 29 blocks are first shown with letters of 10 px or more (${width} × ${height})`, async ({ page }) => {
    await page.setViewportSize({ width, height });
    await openPage(page);
    /** As they are on the screen: the size in the style sheet, and by how much the card is drawn smaller. */
    const letters = (): Promise<number> =>
      graph(page)
        .locator('[data-node^="b"] [data-inst]')
        .first()
        .evaluate((line) => {
          const scale = line.getBoundingClientRect().width / (line instanceof HTMLElement ? line.offsetWidth : Number.NaN);
          return Number.parseFloat(getComputedStyle(line).fontSize) * scale;
        });
    expect(await letters(), "the first program").toBeGreaterThanOrEqual(9.99);
    const map = graph(page).getByRole("complementary", { name: "Minimap and blocks" });
    await expect(map).toHaveCount(0);
    for (const id of someOf(["five-blocks", "loop-nest", "switch-dense", "switch-sparse"], 2)) {
      await openExample(page, id);
      expect(await letters(), id).toBeGreaterThanOrEqual(9.99);
    }
    // Two small graphs side by side have no map: both are completely visible and readable.
    await openExample(page, "nested-and");
    await graph(page).getByRole("button", { name: "Before | After" }).click();
    await expect(graph(page).locator('[data-node="before:b0"]')).toBeInViewport({ ratio: 0.9 });
    await expect(map).toHaveCount(0);
  });

const zoomOf = (page: Page): Promise<number> =>
  graph(page)
    .locator(".react-flow__viewport")
    .evaluate((view) => (view instanceof HTMLElement ? new DOMMatrix(view.style.transform).a : Number.NaN));

async function chooseColumns(page: Page, name: string): Promise<void> {
  await openGraphMenu(page);
  await page.getByRole("menuitemcheckbox", { name }).click();
  await press(page, "0");
}

test("large graphs: regions, a list, columns; where they are first seen, and that the place is kept", async ({ page }) => {
  test.slow();
  const view = async (): Promise<string> => (await graph(page).locator(".react-flow__viewport").getAttribute("style")) ?? "";
  const list = graph(page).getByRole("region", { name: "Blocks" });
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`./#${await encodeLink({ ...EMPTY_LINK, example: "generated-500", format: "ori" })}`);
  await waitForRun(page);
  await expect(page.locator("[data-graph]")).toHaveAttribute("aria-busy", "false", { timeout: 45_000 });

  await test.step("500 blocks are drawn as regions that open by a press, fit as a whole, and are listed", async () => {
    await expect(graph(page).getByText(/^\d+ blocks as \d+ cards$/)).toBeVisible();
    await press(page, "0");
    const outside = () =>
      flow(page).evaluate((all) => {
        const pane = all.getBoundingClientRect();
        const boxes = [...all.querySelectorAll("[data-node]")].map((card) => card.getBoundingClientRect());
        return boxes.length < 40 ? -1 : boxes.filter((b) => b.top < pane.top - 1 || b.bottom > pane.bottom + 1).length;
      });
    await expect.poll(outside).toBe(0);
    // Map, list and notes have their own space.
    const covering = await graph(page).evaluate((pane) => {
      const all = pane.querySelector(".react-flow")?.getBoundingClientRect() ?? new DOMRect();
      const clear = (b: DOMRect) => b.left >= all.right || b.right <= all.left || b.top >= all.bottom || b.bottom <= all.top;
      return [...pane.querySelectorAll("aside, details")].map((e) => clear(e.getBoundingClientRect()));
    });
    expect(covering).toEqual([true, true]);
    await list.getByRole("searchbox").fill("L200");
    await list.getByRole("button", { name: /^L200 / }).click();
    const found = graph(page).locator('[data-node][class*="selected"]');
    await expect(found).toBeInViewport();
    // Near enough to be read, and opened by a press where it is one of a region.
    await expect.poll(async () => (await found.boundingBox())?.width ?? 0).toBeGreaterThan(60);
    const cards = async (): Promise<number> => Number(/as (\d+) cards/.exec((await graph(page).textContent()) ?? "")?.[1] ?? 0);
    const before = await cards();
    // The first of them may be outside the view.
    await graph(page).locator("[data-node]").getByRole("button", { name: "open" }).first().dispatchEvent("click");
    await expect.poll(cards).toBeGreaterThan(before);
  });
  await test.step("a program opens with the same first view, whatever was open before", async () => {
    await openExample(page, "generated-50");
    const first = await view();
    expect(first).toContain("scale(0.833333)");
    // What the step is about.
    await expect(graph(page).locator("[data-inst]").filter({ hasText: "@P5 BRA L29" })).toBeInViewport();
    await page.reload();
    await waitForRun(page);
    await expect.poll(view).toBe(first);
  });
  await test.step("the outline and Now begin where the step is: near the end of the function", async () => {
    await page.keyboard.press("Control+Shift+O");
    const rows = page.getByRole("tree", { name: /^Outline of/ }).locator(".is-current");
    await expect(rows.first()).toBeInViewport();
    await page.keyboard.press("Control+Shift+O");
    const subject = graph(page).locator('[data-node][class*="focus"]').first();
    await expect(subject).toBeInViewport();
    const now = graph(page).getByRole("button", { name: "Now", exact: true });
    await now.click();
    await expect(now).toHaveAttribute("aria-pressed", "true");
    await expect(subject).toBeInViewport();
    await graph(page).getByRole("button", { name: "All", exact: true }).click();
  });
  await test.step("a tall graph folds into columns where that makes its text larger, or never, as is chosen", async () => {
    await page.setViewportSize({ width: 1800, height: 900 });
    await chooseColumns(page, "Columns: never");
    await expect.poll(() => zoomOf(page)).toBeLessThan(0.5);
    const whole = await zoomOf(page);
    await chooseColumns(page, "Columns: where they make the text larger");
    await expect.poll(async () => (await zoomOf(page)) / whole).toBeGreaterThan(1.3);
    await expect(block(page, 0)).toBeInViewport();
    // No step turns one into the other.
    const folded = await zoomOf(page);
    const place = await block(page, 0).boundingBox();
    for (let i = 0; i < 3; i++) await page.keyboard.press("s");
    expect(await zoomOf(page)).toBe(folded);
    expect(await block(page, 0).boundingBox()).toEqual(place);
  });
  await test.step("the selected block keeps its place on the screen from phase to phase", async () => {
    await page.locator('[role="option"][data-phase="analyze-control-flow"]').click();
    // The view is where the example opens; the list brings the block into it.
    await list.getByRole("button", { name: /^L1 / }).click();
    await expect(block(page, 1)).toHaveClass(/selected/);
    const places = new Set<string>();
    const phase = page.locator("#pane-timeline");
    for (let i = 0; i < 3; i++) {
      const box = await block(page, 1).boundingBox();
      places.add(`${Math.round(box?.x ?? 0)},${Math.round(box?.y ?? 0)}`);
      const before = await phase.textContent();
      await page.keyboard.press("]");
      await expect(phase).not.toHaveText(before ?? "");
    }
    expect([...places]).toHaveLength(1);
  });
  await test.step("a much larger program of the same name and kernel is shown from its entry; a similar one keeps the zoom", async () => {
    const ladder = (rungs: number): string => {
      const rows = Array.from({ length: rungs }, (_, i) => `B${i}:\n    ISETP.GT P0, R0, ${i}\n    @P0 BRA OUT\n`);
      return `.kernel ladder(a: R0, out: RD0)\n${rows.join("")}OUT:\n    STG [RD0], R0\n    EXIT\n`;
    };
    const drop = async (rungs: number): Promise<string> => {
      await dropFile(page, "ladder.ori", ladder(rungs));
      const drawn = page.locator(`[aria-label^="Control-flow graph of ladder:"][aria-label*=" ${rungs + 1} blocks."]`);
      await drawn.waitFor({ timeout: 45_000 });
      await waitForRun(page);
      return view();
    };
    const large = await drop(31);
    expect(await drop(5)).not.toBe(large);
    expect(await drop(31)).toBe(large);
    const whole = await zoomOf(page);
    await press(page, "+");
    const near = await zoomOf(page);
    expect(near).toBeGreaterThan(whole);
    await drop(32);
    expect(await zoomOf(page)).toBe(near);
  });
});
