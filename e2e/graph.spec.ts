import { readFile } from "node:fs/promises";
import { expect, type Page } from "@playwright/test";
import { expectAccessible } from "./axe.ts";
import { openPageAt } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

const graph = (page: Page) => page.locator("#pane-graph");
const card = (page: Page, label: string) =>
  graph(page)
    .locator("[data-node]")
    .filter({ has: page.getByText(label, { exact: true }).first() });
const block = (page: Page, id: number) => graph(page).locator(`[data-node="b${id}"]`);

/** Opens a program as if its file had been dropped on the window, and waits for its graph. */
async function openText(page: Page, source: string, blocks: number): Promise<void> {
  await page.goto("./");
  await graph(page).locator("[data-node]").first().waitFor();
  await page.evaluate((text) => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File([text], "test.ori", { type: "text/plain" }));
    window.dispatchEvent(new DragEvent("drop", { dataTransfer, bubbles: true, cancelable: true }));
  }, source);
  await expect(graph(page).locator(".react-flow")).toHaveAttribute("aria-label", new RegExp(` ${blocks} blocks\\.`));
}

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

const SWITCH = `.kernel chosen(sel: R0, out: RD1)
.table JT0 base=0 default=other { ${Array.from({ length: 64 }, (_, i) => (i % 16 === 5 ? "five" : i < 32 ? "low" : "high")).join(", ")} }
BB0:
    BRX R0, JT0
low:
    MOV R2, 1
    BRA join
five:
    MOV R2, 5
    BRA join
high:
    MOV R2, 2
    BRA join
other:
    MOV R2, 0
join:
    STG [RD1], R2
    EXIT
`;

test("a small graph: selected, walked by keys, searched, collapsed, saved, stepped, overlaid", async ({ page }) => {
  test.slow();
  await openText(page, LOOP, 4);
  await test.step("a selection in the graph is the selection everywhere, and the other way round", async () => {
    await block(page, 1).getByText("BB1", { exact: true }).first().click();
    await page.getByRole("tab", { name: "Why" }).click();
    await expect(page.locator("#pane-inspectors")).toContainText("BB1");
    // An instruction, then a register of it.
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
    // A press beside everything clears it.
    await graph(page)
      .locator(".react-flow__pane")
      .click({ position: { x: 6, y: 6 } });
    await expect(graph(page).locator('[class*="selected"][data-node]')).toHaveCount(0);
  });
  await test.step("the keyboard walks along edges, selects, and goes into a block", async () => {
    const flow = graph(page).locator(".react-flow");
    await flow.focus();
    await page.keyboard.press("Home");
    await expect(block(page, 0)).toHaveClass(/cursor/);
    await page.keyboard.press("ArrowDown");
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
    await graph(page).locator(".react-flow").focus();
    await page.keyboard.press("/");
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
    await graph(page)
      .getByRole("button", { name: /^Graph/ })
      .click();
    await page.getByRole("menuitem", { name: "Collapse all loops" }).click();
    const region = card(page, "loop BB1");
    await expect(region).toContainText("2 blocks");
    await expect(block(page, 2)).toHaveCount(0);
    const after = await block(page, 3).boundingBox();
    expect(Math.abs((after?.x ?? 0) - (before?.x ?? 0)) + Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(3);
    await region.getByRole("button", { name: "open" }).click();
    await expect(block(page, 2)).toBeVisible();
  });
  await test.step("the picture is saved as SVG and as PNG", async () => {
    const save = async (name: string) => {
      await graph(page)
        .getByRole("button", { name: /^Graph/ })
        .click();
      const download = page.waitForEvent("download");
      await page.getByRole("menuitem", { name }).click();
      return await download;
    };
    const svg = await save("Save the graph as SVG");
    expect(svg.suggestedFilename()).toMatch(/\.svg$/);
    const text = await readFile(await svg.path(), "utf8");
    for (const label of ["BB0", "BB1", "BB2", "BB3", "ISETP"]) expect(text).toContain(label);
    expect(text).toMatch(/^<svg /);
    const png = await save("Save the graph as PNG");
    const bytes = await readFile(await png.path());
    expect([...bytes.subarray(0, 4)]).toEqual([0x89, 0x50, 0x4e, 0x47]);
    expect(bytes.length).toBeGreaterThan(2_000);
  });
  await test.step("each step marks what it is about", async () => {
    await page.getByRole("listbox", { name: "Phases" }).locator('[data-phase="analyze-control-flow"]').click();
    await expect(page.getByTestId("phase")).toContainText("AnalyzeControlFlow");
    await graph(page).locator(".react-flow").focus();
    const sentence = page.getByTestId("sentence");
    for (let i = 0; i < 40; i++) {
      const before = (await sentence.getAttribute("data-step")) ?? "";
      await page.keyboard.press("s");
      // Pressed faster than it is shown, the step looked for would be passed by.
      await expect(sentence).not.toHaveAttribute("data-step", before);
      if ((await graph(page).locator('[data-node][class*="focus"]').count()) > 0) break;
    }
    await expect(graph(page).locator('[data-node][class*="focus"]')).not.toHaveCount(0);
    await page.keyboard.press("Control+End");
    // AnalyzeControlFlow has numbered the blocks and found the loop.
    await expect(block(page, 0)).toContainText("rpo 1");
    await expect(block(page, 1)).toContainText("head");
    await page.keyboard.press("Control+Home");
    await expect(block(page, 0)).toContainText("rpo –");
  });
  await test.step("overlays show what they are named after", async () => {
    await graph(page).locator(".react-flow").focus();
    await page.keyboard.press("Control+End");
    const overlay = graph(page).getByRole("combobox", { name: "Overlay" });
    await overlay.selectOption("dominators");
    await expect(block(page, 2)).toContainText("idom BB1");
    await overlay.selectOption("post-dominators");
    await expect(block(page, 0)).toContainText("ipdom BB1");
    await overlay.selectOption("loops");
    await expect(block(page, 2)).toContainText("depth 1");
    await overlay.selectOption("liveness");
    await expect(block(page, 1)).toContainText(/in R0 R1|in R1 R0/);
    await overlay.selectOption("heat");
    await expect(graph(page)).toContainText("Run on inputs to see this");
  });
});

async function openExample(page: Page, id: string, blocks: RegExp): Promise<void> {
  await page.goto("./");
  await graph(page).locator("[data-node]").first().waitFor();
  await page.keyboard.press("Control+Shift+E");
  await page.locator(`[data-example="${id}"]`).click();
  await expect(graph(page).locator(".react-flow")).toHaveAttribute("aria-label", blocks);
  // Drawing is done elsewhere: what is on screen may still be the program before.
  await expect(page.locator("[data-graph]")).toHaveAttribute("aria-busy", "false");
}

test("the selected block keeps its place on the screen from phase to phase", async ({ page }) => {
  await openExample(page, "generated-50", /of generated_50: /);
  await page.locator('[role="option"][data-phase="analyze-control-flow"]').click();
  // The view is where the example opens; the list brings the block into it.
  await graph(page).getByRole("region", { name: "Blocks" }).getByRole("button", { name: /^L1 / }).click();
  await expect(block(page, 1)).toHaveClass(/selected/);
  const places = new Set<string>();
  const phase = page.locator("#pane-timeline");
  for (let i = 0; i < 4; i++) {
    const box = await block(page, 1).boundingBox();
    places.add(`${Math.round(box?.x ?? 0)},${Math.round(box?.y ?? 0)}`);
    const before = await phase.textContent();
    await page.keyboard.press("]");
    await expect(phase).not.toHaveText(before ?? "");
  }
  expect([...places]).toHaveLength(1);
});

test("the view goes to what a phase has made, and deleted blocks are tags", async ({ page }) => {
  // Only what is in the view has an element.
  await page.setViewportSize({ width: 1900, height: 1500 });
  await openPageAt(page, "switch-dense");
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("Control+End");
  const table = graph(page).locator('[data-node^="t"]');
  await expect(table).toBeInViewport();
  const ghosts = graph(page).locator('[data-node][class*="ghost"]');
  await expect(ghosts.first()).toBeAttached();
  // The height in the graph's own pixels: the view may still move and zoom.
  const tallest = () => ghosts.evaluateAll((tags) => Math.max(...tags.map((tag) => (tag as HTMLElement).offsetHeight)));
  await expect.poll(tallest).toBeLessThan(50);
});

test("Now shows what exists at the step, and the selected block stays where it is", async ({ page }) => {
  await openPageAt(page, "switch-dense");
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("Control+End");
  await graph(page).getByRole("button", { name: "Now" }).click();
  await expect(graph(page).locator('[data-node][class*="ghost"]')).toHaveCount(0);
  await expect(graph(page).locator('[data-node^="t"]')).toHaveCount(1);
  await block(page, 0).locator('[class*="label"]').first().click();
  const before = await block(page, 0).boundingBox();
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("Control+Home");
  await expect(graph(page).locator('[data-node^="t"]')).toHaveCount(0);
  await expect(block(page, 1)).toBeAttached();
  const after = await block(page, 0).boundingBox();
  expect(Math.abs((after?.x ?? 0) - (before?.x ?? 0)) + Math.abs((after?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(3);
});

test("the outline and Now begin where the step is", async ({ page }) => {
  await openExample(page, "generated-50", /of generated_50: /);
  await test.step("the outline", async () => {
    await page.keyboard.press("Control+Shift+O");
    const rows = page.getByRole("tree", { name: /^Outline of/ }).locator('[class*="focus"]');
    await expect(rows.first()).toBeInViewport();
    await page.keyboard.press("Control+Shift+O");
  });
  await test.step("Now, which keeps following it", async () => {
    // The program opens at a rewrite near the end of the function.
    const subject = graph(page).locator('[data-node][class*="focus"]').first();
    await expect(subject).toBeInViewport();
    await graph(page).getByRole("button", { name: "Now" }).click();
    await expect(graph(page).getByRole("button", { name: "Now" })).toHaveAttribute("aria-pressed", "true");
    await expect(subject).toBeInViewport();
  });
});

const zoomOf = (page: Page): Promise<number> =>
  graph(page)
    .locator(".react-flow__viewport")
    .evaluate((view) => (view instanceof HTMLElement ? new DOMMatrix(view.style.transform).a : Number.NaN));

async function chooseColumns(page: Page, name: string): Promise<void> {
  await graph(page)
    .getByRole("button", { name: /^Graph/ })
    .click();
  await page.getByRole("menuitemcheckbox", { name }).click();
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("0");
}

test("a tall graph folds into columns where that makes its text larger, or never, as is chosen", async ({ page }) => {
  await page.setViewportSize({ width: 1800, height: 900 });
  await openExample(page, "generated-50", /of generated_50: /);
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("0");
  await chooseColumns(page, "Columns: never");
  await expect.poll(() => zoomOf(page)).toBeLessThan(0.5);
  const whole = await zoomOf(page);
  await chooseColumns(page, "Columns: where they make the text larger");
  await expect.poll(async () => (await zoomOf(page)) / whole).toBeGreaterThan(1.3);
  await expect(block(page, 0)).toBeInViewport();
  // No step turns one into the other.
  const folded = await zoomOf(page);
  const place = await block(page, 0).boundingBox();
  for (let i = 0; i < 5; i++) await page.keyboard.press("s");
  expect(await zoomOf(page)).toBe(folded);
  expect(await block(page, 0).boundingBox()).toEqual(place);
  await chooseColumns(page, "Columns: never");
  await expect.poll(async () => (await zoomOf(page)) / whole).toBeCloseTo(1, 1);
});

for (const [width, height] of [
  [1440, 900],
  [1024, 768],
] as const) {
  test(`graphs of 5 to 29 blocks are first shown with letters of 10 px or more (${width} × ${height})`, async ({ page }) => {
    test.slow();
    await page.setViewportSize({ width, height });
    await page.goto("./");
    const letters = async (): Promise<number> => {
      await expect(page.locator("[data-graph]")).toHaveAttribute("aria-busy", "false");
      // As they are on the screen: the size in the style sheet, and by how much the card is drawn smaller.
      return await graph(page)
        .locator('[data-node^="b"] [data-inst]')
        .first()
        .evaluate((line) => {
          const scale = line.getBoundingClientRect().width / (line instanceof HTMLElement ? line.offsetWidth : Number.NaN);
          return Number.parseFloat(getComputedStyle(line).fontSize) * scale;
        });
    };
    await graph(page).locator("[data-inst]").first().waitFor();
    expect(await letters(), "the first visit").toBeGreaterThanOrEqual(9.99);
    await expect(graph(page).getByRole("complementary", { name: "Minimap and blocks" })).toHaveCount(0);
    for (const [id, name] of [
      ["five-blocks", "five_blocks"],
      ["loop-nest", "loop_nest"],
      ["switch-dense", "switch_dense"],
      ["switch-sparse", "switch_sparse"],
    ] as const) {
      await page.keyboard.press("Control+Shift+E");
      await page.locator(`[data-example="${id}"]`).click();
      await expect(graph(page).locator(".react-flow")).toHaveAttribute("aria-label", new RegExp(`of ${name}`));
      expect(await letters(), id).toBeGreaterThanOrEqual(9.99);
    }
  });
}

test("Before and After stand side by side, and a saved picture has both", async ({ page }) => {
  await openExample(page, "switch-dense", /of switch_dense: /);
  await graph(page).getByRole("button", { name: "Before | After" }).click();
  await expect(graph(page).locator('[data-node="before:b0"]')).toHaveClass(/diff-changed/);
  await expect(graph(page).locator('[data-node="before:b1"]')).toHaveClass(/diff-removed/);
  // It begins at the first difference, at letters that can be read.
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("0");
  await expect(graph(page).locator('[data-node^="t"]')).toBeInViewport();
  await expect(graph(page)).toContainText("Blocks: + 1 added − 7 removed ≠ 1 changed");
  const saved = async (): Promise<string> => {
    await graph(page)
      .getByRole("button", { name: /^Graph/ })
      .click();
    const download = page.waitForEvent("download");
    await page.getByRole("menuitem", { name: "Save the graph as SVG" }).click();
    return await readFile(await (await download).path(), "utf8");
  };
  expect((await saved()).match(/>join<\/text>/g)?.length).toBe(2);
  // Of Now what exists at the step, and nothing else. Its cards go to new places, but not where motion is unwanted.
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("Control+End");
  await graph(page).getByRole("button", { name: "Now", exact: true }).click();
  await expect(graph(page).locator('[data-node^="before:"], [data-node="b1"]')).toHaveCount(0);
  const now = await saved();
  expect(now).toContain(">head.jmx<");
  expect(now).not.toContain(">head.1<");
  const moves = (): Promise<string> =>
    graph(page)
      .locator(".react-flow__node")
      .first()
      .evaluate((node) => getComputedStyle(node).transitionDuration);
  expect(await moves()).toBe("0.18s");
  await page.emulateMedia({ reducedMotion: "reduce" });
  expect(await moves()).toBe("0s");
});

test("in a narrow window one of the two graphs is read at a time, and changing over keeps the place; the whole fits again after a change of size", async ({
  page,
}) => {
  await openExample(page, "switch-dense", /of switch_dense: /);
  await page.setViewportSize({ width: 390, height: 844 });
  await graph(page).getByRole("button", { name: "Before | After" }).click();
  const ways = graph(page).getByRole("group", { name: "Which of the two graphs" });
  const [left, right] = [graph(page).locator('[data-node="before:b0"]'), block(page, 0)];
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

  await ways.getByRole("button", { name: "Both" }).click();
  await expect(right).toBeInViewport({ ratio: 0.9 });
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(ways).toHaveCount(0);
  for (const card of [left, right]) await expect(card).toBeInViewport({ ratio: 0.9 });
});

test("two small graphs side by side have no map: all of both is in sight and can be read", async ({ page }) => {
  await openExample(page, "nested-and", /of nested_and: /);
  await graph(page).getByRole("button", { name: "Before | After" }).click();
  await expect(graph(page).locator('[data-node="before:b0"]')).toBeInViewport({ ratio: 0.9 });
  await expect(graph(page).getByRole("complementary", { name: "Map and blocks" })).toHaveCount(0);
});

test("a step is compared with any other step or phase", async ({ page }) => {
  await openPageAt(page, "switch-dense");
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("Control+Home");
  await graph(page)
    .getByRole("button", { name: /^Graph/ })
    .click();
  await page
    .getByRole("menuitemcheckbox", { name: /^Compare from this step/ })
    .or(page.getByRole("menuitem", { name: /^Compare from this step/ }))
    .click();
  const compare = page.getByRole("region", { name: "Compare", exact: true });
  await expect(compare.getByTestId("compare-said")).toContainText("Both programs are the same.");
  await expect(graph(page).locator('[data-node][class*="diff-"]')).toHaveCount(0);
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("0");
  await expect(block(page, 0)).toHaveClass(/diff-changed/);
  await expect(block(page, 1)).toHaveClass(/diff-removed/);
  await expect(compare.getByTestId("compare-said")).toContainText("input of Switch lowering");
  await expect(graph(page)).toContainText("Blocks: + 1 added − 7 removed ≠ 1 changed");
  await compare.getByRole("button", { name: "Close the comparison" }).click();
  await expect(graph(page).locator('[data-node][class*="diff-"]')).toHaveCount(0);
});

test("a large graph is drawn as regions that open by a press, fits as a whole, and its blocks are listed", async ({ page }) => {
  await openExample(page, "generated-500", /of generated_500: /);
  await expect(graph(page).getByText(/^\d+ blocks as \d+ cards$/)).toBeVisible();
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("0");
  const outside = () =>
    graph(page)
      .locator(".react-flow")
      .evaluate((flow) => {
        const pane = flow.getBoundingClientRect();
        const boxes = [...flow.querySelectorAll("[data-node]")].map((card) => card.getBoundingClientRect());
        return boxes.length < 40 ? -1 : boxes.filter((b) => b.top < pane.top - 1 || b.bottom > pane.bottom + 1).length;
      });
  await expect.poll(outside).toBe(0);
  // Map, list and notes have room of their own.
  const covering = await graph(page).evaluate((pane) => {
    const flow = pane.querySelector(".react-flow")?.getBoundingClientRect() ?? new DOMRect();
    const apart = (b: DOMRect) => b.left >= flow.right || b.right <= flow.left || b.top >= flow.bottom || b.bottom <= flow.top;
    return [...pane.querySelectorAll("aside, details")].map((e) => apart(e.getBoundingClientRect()));
  });
  expect(covering).toEqual([true, true]);
  const list = graph(page).getByRole("region", { name: "Blocks" });
  await list.getByRole("searchbox").fill("L200");
  await list.getByRole("button", { name: /^L200 / }).click();
  const found = graph(page).locator('[data-node][class*="selected"]');
  await expect(found).toBeInViewport();
  // Near enough to be read, and opened by a press where it is one of a region.
  await expect.poll(async () => (await found.boundingBox())?.width ?? 0).toBeGreaterThan(60);
  const cards = async (): Promise<number> => Number(/as (\d+) cards/.exec((await graph(page).textContent()) ?? "")?.[1] ?? 0);
  const before = await cards();
  const open = graph(page).locator("[data-node]").getByRole("button", { name: "open" }).first();
  // The first of them may be beside the view.
  await open.dispatchEvent("click");
  await expect.poll(cards).toBeGreaterThan(before);
  // The difference to another step, drawn with the same regions: most of it is as it was.
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("Control+Home");
  await graph(page)
    .getByRole("button", { name: /^Graph/ })
    .click();
  await page.getByRole("menuitem", { name: /^Compare from this step/ }).click();
  const compare = page.getByRole("region", { name: "Compare", exact: true });
  await expect(compare.getByTestId("compare-said")).toContainText("Both programs are the same.");
  await graph(page).locator(".react-flow").focus();
  await page.keyboard.press("Control+End");
  await page.keyboard.press("0");
  await expect(graph(page).locator('[data-node][class*="diff-"]')).not.toHaveCount(0);
  await compare.getByRole("button", { name: "Close the comparison" }).click();
  await expect(graph(page).locator('[data-node][class*="diff-"]')).toHaveCount(0);
});

test("a jump table is one card with its cases in ranges", async ({ page }) => {
  await openText(page, SWITCH, 6);
  const table = graph(page).locator('[data-node="t0"]');
  await expect(table).toContainText("64 cases");
  await expect(table).toContainText("0-4, 6-20, 22-31");
  await expect(table).toContainText("default");
});

for (const theme of someOf(["light", "dark"] as const, 1)) {
  test(`the graph has no accessibility faults that can be found by machine (${theme})`, async ({ page }) => {
    await page.emulateMedia({ colorScheme: theme });
    // At its end this phase has deleted blocks and made a table: ghosts, too, are to be readable, and only what is in the view has an element.
    await page.setViewportSize({ width: 1900, height: 1500 });
    await openPageAt(page, "switch-dense");
    await graph(page).getByRole("button", { name: "What the lines mean" }).click();
    await expect(graph(page).getByRole("region", { name: "What the lines mean" })).toContainText("back edge");
    await graph(page).locator(".react-flow").focus();
    await page.keyboard.press("Control+End");
    await expect(graph(page).locator('[data-node][class*="ghost"]')).not.toHaveCount(0);
    await graph(page).getByRole("combobox", { name: "Overlay" }).selectOption("liveness");
    await expectAccessible(page, "ghosts and liveness", { part: "#pane-graph" });
  });
}
