/** Writing a pass in the page: the editor with types and docs, Run, Check and Compare. */
import { readFileSync } from "node:fs";
import { expect, type Page } from "@playwright/test";
import { HOSTILE } from "../src/features/ownpass/engine/check/testing/hostile.ts";
import { expectAccessible } from "./axe.ts";
import { openProgram } from "./futures-page.ts";
import { expectStep, focusTimeline, openMenu, openTab, waitForRun, watchConsole } from "./page.ts";
import { someOf } from "./sample.ts";
import { test } from "./test.ts";

const PROGRAM = `.kernel two_jumps(a: R0, out: RD1)
A:
    IADD R2, R0, 1
    BRA B
B:
    STG [RD1], R2
    BRA C
C:
    EXIT
`;

test.describe.configure({ timeout: 180_000 });

/** The first run waits for the compiler and for a process of the sandbox's own. */
const FIRST_RUN = { timeout: 45_000 };
const panels = (page: Page) => page.getByTestId("pass-panels");
const said = (page: Page) => page.getByTestId("pass-said");
const code = (page: Page) => page.locator('[data-pass-editor="monaco"]');
const run = (page: Page) => page.locator("#pane-editor").getByRole("button", { name: "Run", exact: true });

const passFile = (name: string): string => readFileSync(new URL(`../passes/${name}`, import.meta.url), "utf8");

/** One of the stored broken passes: a template with one line changed. */
function brokenPass(id: string): string {
  const all = JSON.parse(passFile("broken.json")) as { id: string; from: string; find: string; put: string }[];
  const { from, find, put } = all.find((broken) => broken.id === id)!;
  return passFile(`${from}.ts`).replace(find, () => put);
}

/** Opens the program, and next to it a template by the menu. */
async function openTemplate(page: Page, name: string): Promise<void> {
  await openProgram(page, "two jumps", PROGRAM);
  await openMenu(page, "Phase");
  await page.getByRole("menuitem", { name: "Write a pass", exact: true }).click();
  await page.getByRole("button", { name }).click();
  await expect(code(page)).toBeVisible();
}

/** Replaces the pass in the editor. */
async function replacePass(page: Page, text: string): Promise<void> {
  await page.getByRole("textbox", { name: "Pass" }).focus();
  await page.keyboard.press("ControlOrMeta+A");
  await page.keyboard.insertText(text);
}

/** Opens a pass as the user's own file. */
async function openPass(page: Page, name: string, text: string): Promise<void> {
  await page.getByRole("button", { name: "More pass actions" }).click();
  const open = page.getByRole("menuitem", { name: "Open a file…" });
  const [chooser] = await Promise.all([page.waitForEvent("filechooser"), open.click()]);
  await chooser.setFiles({ name, mimeType: "text/typescript", buffer: Buffer.from(text) });
}

const LOOKER = `import { definePass } from "oriscope/pass";

export default definePass({
  name: "looker",
  run(fn, ctx) {
    const chain = ctx.tree("chain of blocks");
    const seen = ctx.set("blocks that were seen");
    let parent = null;
    for (const block of fn.blocks) {
      chain.set(block, parent);
      seen.add(block);
      parent = block;
    }
  },
});
`;

// One visit: TypeScript and the sandbox cost more to load than all that is done with them.
test("a pass is written with types and completion, runs as a phase, is stepped, stopped, checked and compared with ours", async ({
  page,
}) => {
  const complaints = watchConsole(page);
  const typeScriptRuns = () => page.workers().some((worker) => worker.url().includes("ts.worker"));

  await test.step("a template, a wrong type in it, and completion", async () => {
    await openTemplate(page, "Jump to next: solution");
    await page.getByRole("tab", { name: "Tests 2/2" }).waitFor();
    await page.getByRole("textbox", { name: "Pass" }).focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText('\nconst wrong: number = "text";\n');
    await expect(page.getByTestId("pass-messages")).toContainText("not assignable to type 'number'");
    await expect(code(page).locator(".squiggly-error").first()).toBeVisible();
    expect(typeScriptRuns()).toBe(true);
    // A list requested before TypeScript has read the file contains less.
    await expect(async () => {
      await page.keyboard.press("Escape");
      await page.keyboard.press("ControlOrMeta+Space");
      await expect(page.locator(".suggest-widget")).toContainText("definePass", { timeout: 5_000 });
    }).toPass();
    await page.keyboard.press("Escape");
  });

  await test.step("by the keyboard alone: a breakpoint at a line, and Run, which the wrong type does not stop", async () => {
    const source = passFile("jump-to-next.ts").split("\n");
    await page.keyboard.press("ControlOrMeta+Home");
    for (let i = source.findIndex((text) => text.includes("const jump =")); i > 0; i--) await page.keyboard.press("ArrowDown");
    // At `block.terminators`, F1 opens its page.
    await page.keyboard.press("End");
    for (let i = "nators.at(-1);".length; i > 0; i--) await page.keyboard.press("ArrowLeft");
    await page.keyboard.press("F1");
    await expect(page.getByTestId("handbook-page")).toHaveAttribute("data-page", "api:Block");
    await page.keyboard.press("Escape");
    await expect(page.getByRole("textbox", { name: "Pass" })).toBeFocused();
    await page.keyboard.press("F9");
    await expect(code(page).locator(".ori-breakpoint")).toHaveCount(1);
    await page.keyboard.press("ControlOrMeta+Enter");
    await expect(said(page)).toHaveText("jump to next: 2 rewrites", FIRST_RUN);
    await expect(page.getByTestId("phase")).toContainText("jump to next");
    // It opens at the first rewrite, its line marked.
    await expect(page.getByTestId("sentence")).toContainText("falls through into");
    await expect(code(page).locator(".ori-step-line")).toHaveCount(1);
    await focusTimeline(page);
    await page.keyboard.press("Home");
    await expectStep(page, 0);
    const steps = [1, 2, 3];
    const forwards: string[] = [];
    for (const step of steps) {
      await page.keyboard.press("ArrowRight");
      await expectStep(page, step);
      forwards[step] = (await page.getByTestId("sentence").textContent()) ?? "";
    }
    expect(forwards.join("\n")).toContain("const jump =");
    for (const step of steps.toReversed().slice(1)) {
      await page.keyboard.press("ArrowLeft");
      await expectStep(page, step);
      expect(await page.getByTestId("sentence").textContent()).toBe(forwards[step]);
    }
    // Its algorithm is its complete source, with its comments, and nothing folded.
    await page.getByRole("tab", { name: "Algorithm", exact: true }).click();
    await expect(page.getByRole("treeitem")).toHaveCount(source.length + 2);
    await expect(page.getByRole("tree")).toContainText("// your turn");
  });

  await test.step("the tests of the file run as one types", async () => {
    await page.getByRole("textbox", { name: "Pass" }).focus();
    await page.keyboard.press("ControlOrMeta+End");
    await page.keyboard.insertText('test("stays", "EXIT", { after: "A" });');
    await expect(page.getByRole("tab", { name: "Tests 2/3" })).toBeVisible();
    for (let i = 0; i < 'after: "A" });'.length; i++) await page.keyboard.press("Backspace");
    await page.keyboard.insertText("unchanged: true });");
    await expect(page.getByRole("tab", { name: "Tests 3/3" })).toBeVisible();
  });

  await test.step("a pass's tree and set are shown as of each step", async () => {
    await replacePass(page, LOOKER);
    await expect(said(page)).toHaveText(/^looker: /);
    await waitForRun(page);
    await focusTimeline(page);
    await page.keyboard.press("End");
    await openTab(page, "Structures");
    const inspectors = page.locator("#pane-inspectors");
    const structure = inspectors.getByLabel("Structure", { exact: true });
    await structure.selectOption({ label: "chain of blocks" });
    await expect(inspectors.getByRole("list", { name: "chain of blocks" }).getByRole("listitem").last()).toContainText("level 3: C");
    await structure.selectOption({ label: "blocks that were seen" });
    const members = inspectors.getByRole("list", { name: "blocks that were seen" }).getByRole("listitem");
    await expect(members).toHaveText(["A", "B", "C"]);
    await focusTimeline(page);
    await page.keyboard.press("Home");
    await expectStep(page, 0);
    await expect(members).toHaveCount(0);
  });

  await test.step("a pass that has no end: keys are answered meanwhile, and Stop ends it", async () => {
    await replacePass(page, HOSTILE.find(({ what }) => what === "an endless loop that catches everything")!.source);
    const running = page.getByRole("tabpanel", { name: "Pass" }).getByText("running…");
    await expect(running).toBeVisible();
    await focusTimeline(page);
    for (const [key, step] of [
      ["ArrowRight", 1],
      ["ArrowLeft", 0],
    ] as const) {
      await page.keyboard.press(key);
      await expectStep(page, step);
    }
    // In the page's thread the pass would have ended by itself.
    expect(await running.isVisible()).toBe(true);
    await page.getByRole("button", { name: "Stop", exact: true }).click();
    await expect(running).toHaveCount(0);
    await expect(said(page)).toHaveText("");
    await waitForRun(page);
  });

  await test.step("one that is nested too deeply for TypeScript is shown without colours, and what follows has its types again", async () => {
    await openPass(page, "deep.ts", `export default ${"[".repeat(5_000)}${"]".repeat(5_000)};\n`);
    await expect(code(page)).toContainText("[[[[");
    await replacePass(page, 'export const wrong: number = "text";\nexport default 1;\n');
    await expect(page.getByTestId("pass-messages")).toContainText("not assignable to type 'number'");
  });

  const graph = page.getByTestId("graph");
  const check = async (programs: string) => {
    await page.getByRole("tab", { name: "Check", exact: true }).click();
    await page.getByLabel("Random programs").fill(programs);
    await page.getByRole("checkbox", { name: "the examples" }).uncheck();
    await panels(page).getByRole("button", { name: "Check", exact: true }).click();
    await page.getByTestId("check-verdict").waitFor();
    await expect(page.getByTestId("check-verdict")).toContainText("wrong");
  };
  const compared = async () => {
    await page.getByRole("tab", { name: "Compare", exact: true }).click();
    await page.getByRole("tabpanel", { name: "Compare" }).getByLabel("Random programs").fill("3");
    await panels(page).getByRole("button", { name: "Compare both", exact: true }).click();
    await page.getByTestId("compare-verdict").waitFor();
    return expect(page.getByTestId("compare-verdict"));
  };
  const template = async (name: string) => {
    await page.getByRole("tab", { name: "Templates" }).click();
    await page.getByRole("button", { name }).click();
  };

  await test.step("an analysis is drawn beside ours, and wrong", async () => {
    await template("Liveness: exercise");
    await run(page).click();
    await expect(said(page)).toHaveText(/^liveness: differs from our live-in in \d+ of \d+ blocks$/);
    await expect(page.getByLabel("Overlay")).toHaveValue("own");
    await expect(graph).toContainText("≠ {}");
    await page.getByRole("tab", { name: /^Blocks ≠ \d+$/ }).click();
    await expect(page.getByTestId("pass-blocks").getByRole("row").nth(1)).toContainText("≠ differs");
    await check("2");
    await page.getByRole("button", { name: "Open this program" }).click();
    await expect(page.getByLabel("Overlay")).toHaveValue("own");
    await expect(graph).toContainText("ours {");
  });

  await test.step("its solution is right", async () => {
    await template("Liveness: solution");
    await run(page).click();
    await expect(said(page)).toHaveText(/^liveness: same as our live-in in all \d+ blocks?$/);
    await expect(graph).toContainText("✓ {");
  });

  await test.step("a pass that is right has figures beside our phase", async () => {
    await template("Dead code: solution");
    await (await compared()).toContainText("The same program on");
    await expect(page.getByTestId("compare-figures").getByRole("row", { name: "executed warp instructions" })).toContainText(/\d/);
  });

  await test.step("Check finds a broken pass, and opens its program at the wrong rewrite", async () => {
    await replacePass(page, brokenPass("dead-stores"));
    await (await compared()).toHaveText(/^Both results count on none of \d+ programs$/);
    await check("4");
    // The verdict of the previous check may be shown until this one ends.
    await expect(panels(page)).toContainText("another meaning");
    // Said once to who does not see it.
    await expect(page.getByRole("status").filter({ hasText: /^wrong: \d+ failures? in \d+ program/ })).toHaveCount(1);
    await expect(page.getByTestId("failing-program")).toContainText(".kernel");
    // Accessibility is checked in each frame, of which the sandbox has many: only on every second commit.
    if (someOf([true, false], 1)[0]) await expectAccessible(page, "a report", { part: "#pass-parts" });
    const [report] = await Promise.all([page.waitForEvent("download"), page.getByRole("button", { name: /^Save the report/ }).click()]);
    expect(readFileSync(await report.path(), "utf8")).toContain("another meaning");

    await page.getByRole("button", { name: "Open this program" }).click();
    await expect(page.getByTestId("phase")).toContainText("dead code");
    await expect.poll(() => page.title()).toContain("dead code:");
    // At a rewrite of the pass, with its line marked.
    await expect(page.getByTestId("step")).toHaveText(/^step \d/);
    await expect(page.locator("[data-pass-editor] .ori-step-line").first()).toBeVisible();
    await expect(page.getByText("the program that is open now was not tried")).toBeVisible();
  });
  complaints();
});
